// SPDX-License-Identifier: Apache-2.0
// Whether a tree works as well after a plan as before: what `fitment doctor` says of each
// environment on each machine, and which library each process and program takes.
#pragma once

#include "doctor/diagnose.h"
#include "slim/planned_view.h"
#include "slim/slim_tree.h"

#include <set>
#include <string>
#include <vector>

namespace fitment {

struct JudgedMachine {
  Machine machine;
  bool is_here = false;  ///< the one whose disk the tree is on
};

struct JudgeInput {
  std::vector<JudgedMachine> machines;
  const Catalog* catalog = nullptr;
  /// Programs and libraries outside of packages, whose closures are compared as well.
  std::vector<std::string> programs;
};

/// Something that would be worse.
struct TreeLoss {
  std::string text;
  std::set<std::string> libraries;  ///< sonames and paths that it is about
};

struct TreeComparison {
  std::vector<TreeLoss> losses;
  std::vector<std::string> statements;  ///< what holds, when nothing is lost
};

class TreeJudge {
 public:
  /// Judges the tree as it is. Errors: those of diagnose. The tree must outlive the judge.
  static Result<TreeJudge> create(const SlimTree& tree, JudgeInput input);

  /// Compares with how it will be.
  [[nodiscard]] Result<TreeComparison> compare(const std::vector<PlannedChange>& changes) const;
  /// Compares with how it is in a view where the changes have been made.
  [[nodiscard]] Result<TreeComparison> compare_done(const std::vector<PlannedChange>& changes,
                                                    const FileView& now) const;

 private:
  struct State {
    std::vector<EnvironmentDiagnosis> diagnoses;  ///< machines by environments
    std::vector<Closure> programs;
    std::vector<std::set<std::string>> unbound;  ///< by program: symbols that nothing defines
  };
  TreeJudge(const SlimTree& tree, JudgeInput input) : tree_(&tree), input_(std::move(input)) {}
  [[nodiscard]] Result<State> judge(const FileView& view) const;
  [[nodiscard]] TreeComparison compare_states(const State& after,
                                              const std::vector<PlannedChange>& changes) const;
  void compare_diagnoses(const State& after, TreeComparison& comparison) const;

  const SlimTree* tree_;
  JudgeInput input_;
  State before_;
};

}  // namespace fitment
