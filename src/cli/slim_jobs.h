// SPDX-License-Identifier: Apache-2.0
// The files that a run of slim is about: found below the given paths and planned.
#pragma once

#include "catalog/catalog.h"
#include "slim/duplicates.h"
#include "slim/slim_file.h"
#include "slim/tree_judge.h"
#include "slim/wheel_slice.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fitment {

struct SlimWishes {
  std::set<SlimClass> classes;
  KeepCopies keep_copies = KeepCopies::fewest_bytes;
  std::optional<std::string> output;     ///< results go there
  std::optional<std::string> backup;     ///< originals of what is replaced go there
  std::optional<std::string> build_tag;  ///< of wheels that are written
  bool load_tests = false;               ///< results are loaded in a child process
  ScratchOptions scratch;
  std::vector<JudgedMachine> machines;
  const Catalog* catalog = nullptr;

  [[nodiscard]] bool wants(SlimClass kind) const { return classes.count(kind) > 0; }
  [[nodiscard]] bool looks_into_binaries() const {
    return wants(SlimClass::gpu_code) || wants(SlimClass::debug_info);
  }
};

/// A file: its real place, and where the result goes.
struct SlimJob {
  std::filesystem::path path;  ///< without links
  std::string shown;           ///< as the user's words lead to it
  std::optional<std::filesystem::path> output;
  std::filesystem::path root;                ///< the folder with the journal; empty: none is needed
  std::optional<std::size_t> folder;         ///< in SlimWork::folders, when a folder was named
  std::optional<SlimFile> planned;           ///< what is known before it is looked into
  std::filesystem::path link_to;             ///< of a planned link
  std::optional<std::size_t> other_name_of;  ///< number of the job that has this file already
};

/// A folder that was named.
struct SlimFolder {
  std::string text;  ///< as it was named
  std::filesystem::path path;
  std::filesystem::path journal_root;
  SlimTree tree;
  std::optional<TreeJudge> judge;  ///< where there is an environment or a copy to judge by

  /// How the tree's view names a file of the disk.
  [[nodiscard]] std::string in_view(const std::filesystem::path& file) const;
};

/// A wheel that was named. Its members' answers stand behind those of the jobs.
struct SlimWheel {
  std::string shown;
  std::optional<std::filesystem::path> output;
  std::unique_ptr<ByteSource> source;
  WheelPlan plan;
};

struct SlimWork {
  std::vector<std::unique_ptr<SlimFolder>> folders;
  std::vector<SlimJob> jobs;
  std::vector<SlimWheel> wheels;
};

/// Every file of the paths once, links followed to their files.
Result<SlimWork> find_slim_work(const std::vector<std::string>& paths, const SlimWishes& wishes);

/// One answer a job, then one a member of each wheel.
Result<std::vector<SlimFile>> plan_slim_work(SlimWork& work,
                                             const SliceOptions& options,
                                             const SlimWishes& wishes);

/// What will happen in a folder.
std::vector<PlannedChange> changes_in(const SlimWork& work,
                                      const std::vector<SlimFile>& files,
                                      std::size_t folder);

/// Compares every folder as it will be with how it is; fills `proof` and `losses` of the run.
Status judge_slim_plan(const SlimWork& work, SlimRun& run);

}  // namespace fitment
