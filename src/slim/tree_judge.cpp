// SPDX-License-Identifier: Apache-2.0
#include "slim/tree_judge.h"

#include "elf/symbol_bindings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace fitment {

namespace {

/// Which file stands for which.
using Stands = std::map<std::string, std::string, std::less<>>;

std::string standing_for(const Stands& stands, const std::string& path) {
  const auto found = stands.find(path);
  return found == stands.end() ? path : found->second;
}

/// Needed names and the files that satisfy them, by the file that needs them. Files that a link
/// replaced need nothing any more.
using Edges = std::map<std::pair<std::string, std::string>, std::optional<std::string>>;

Edges edges_of(const Closure& closure, const Stands& stands) {
  Edges edges;
  for (const ClosureObject& object : closure.objects) {
    if (stands.contains(object.real_path)) {
      continue;
    }
    for (const ClosureEdge& edge : object.needed) {
      edges[{object.real_path, edge.name}] =
          edge.object ? std::optional(standing_for(stands, closure.objects[*edge.object].real_path))
          : edge.is_preloaded ? std::optional(edge.name)
                              : std::nullopt;
    }
  }
  return edges;
}

/// Needs that nothing satisfies, also those of files that a link replaced, by what stands for them.
std::set<std::pair<std::string, std::string>> gaps_of(const Closure& closure,
                                                      const Stands& stands) {
  std::set<std::pair<std::string, std::string>> gaps;
  for (const ClosureObject& object : closure.objects) {
    for (const ClosureEdge& edge : object.needed) {
      if (!edge.object && !edge.is_preloaded) {
        gaps.emplace(standing_for(stands, object.real_path), edge.name);
      }
    }
  }
  return gaps;
}

/// What a process loads, by the file that stands for it.
std::map<std::string, std::string> objects_of(const Closure& closure, const Stands& stands) {
  std::map<std::string, std::string> objects;
  for (const ClosureObject& object : closure.objects) {
    objects.emplace(standing_for(stands, object.real_path), object.name());
  }
  return objects;
}

void compare_closures(const Closure& before,
                      const Closure& after,
                      const Stands& stands,
                      std::vector<TreeLoss>& losses) {
  const Edges old_edges = edges_of(before, stands);
  const Edges new_edges = edges_of(after, stands);
  const auto old_gaps = gaps_of(before, stands);
  for (const auto& [need, found] : old_edges) {
    const auto now = new_edges.find(need);
    if (found && now != new_edges.end() && now->second != found) {
      losses.push_back({fmt::format("`{}` would take {} for `{}` instead of `{}`",
                                    need.first,
                                    now->second ? "`" + *now->second + "`" : "nothing",
                                    need.second,
                                    *found),
                        {need.second, need.first, *found, now->second.value_or("")}});
    }
  }
  for (const auto& [need, found] : new_edges) {
    if (!found && !old_edges.contains(need) && !old_gaps.contains(need)) {
      losses.push_back({fmt::format("`{}` would not find `{}`", need.first, need.second),
                        {need.second, need.first}});
    }
  }
  const auto new_objects = objects_of(after, stands);
  for (const auto& [path, name] : objects_of(before, stands)) {
    if (!new_objects.contains(path)) {
      losses.push_back({fmt::format("`{}` would not be loaded any more", path), {name, path}});
    }
  }
}

std::set<std::string> unbound_symbols(const FileView& view, const Closure& closure) {
  std::set<std::string> names;
  const SymbolBindings bindings = symbol_bindings(view, closure);
  for (const MissingSymbol& one : bindings.missing) {
    names.insert(fmt::format("{}@{}", one.name, one.version));
  }
  for (const MissingVersion& one : bindings.missing_versions) {
    names.insert(fmt::format("{} of {}", one.version, one.library));
  }
  return names;
}

bool counts(const Finding& finding) {
  return finding.severity != Severity::note;
}

}  // namespace

Result<TreeJudge> TreeJudge::create(const SlimTree& tree, JudgeInput input) {
  TreeJudge judge(tree, std::move(input));
  FITMENT_TRY_ASSIGN(judge.before_, judge.judge(*tree.view));
  return judge;
}

Result<TreeJudge::State> TreeJudge::judge(const FileView& view) const {
  State state;
  for (const JudgedMachine& one : input_.machines) {
    for (const PythonEnvironment& environment : tree_->environments) {
      FITMENT_TRY_ASSIGN(EnvironmentDiagnosis diagnosis,
                         diagnose({.view = &view,
                                   .machine = &one.machine,
                                   .catalog = input_.catalog,
                                   .variables = {},
                                   .is_whole_root = tree_->is_whole_root,
                                   .is_this_machine = one.is_here},
                                  environment));
      state.diagnoses.push_back(std::move(diagnosis));
    }
  }
  for (const std::string& program : input_.programs) {
    SearchOptions options;
    options.uses_system = tree_->is_whole_root;
    state.programs.push_back(compute_closure(view, {{program, std::nullopt, false}}, options));
    state.unbound.push_back(unbound_symbols(view, state.programs.back()));
  }
  return state;
}

Result<TreeComparison> TreeJudge::compare(const std::vector<PlannedChange>& changes) const {
  FITMENT_TRY_ASSIGN(const State after, judge(PlannedView(*tree_, changes)));
  return compare_states(after, changes);
}

Result<TreeComparison> TreeJudge::compare_done(const std::vector<PlannedChange>& changes,
                                               const FileView& now) const {
  FITMENT_TRY_ASSIGN(const State after, judge(now));
  return compare_states(after, changes);
}

TreeComparison TreeJudge::compare_states(const State& after,
                                         const std::vector<PlannedChange>& changes) const {
  Stands stands;
  for (const PlannedChange& change : changes) {
    if (change.action == SlimAction::link) {
      stands.emplace(change.path, change.link_to);
    }
  }
  TreeComparison comparison;
  std::size_t processes = 0;
  for (std::size_t i = 0; i < before_.diagnoses.size(); ++i) {
    const std::vector<ImportProcess>& old_ones = before_.diagnoses[i].processes;
    const std::vector<ImportProcess>& new_ones = after.diagnoses[i].processes;
    if (old_ones.size() != new_ones.size()) {
      comparison.losses.push_back({"other distributions would be imported together", {}});
      continue;
    }
    for (std::size_t k = 0; k < old_ones.size(); ++k) {
      compare_closures(old_ones[k].closure, new_ones[k].closure, stands, comparison.losses);
    }
    processes += old_ones.size();
  }
  for (std::size_t i = 0; i < input_.programs.size(); ++i) {
    compare_closures(before_.programs[i], after.programs[i], stands, comparison.losses);
    for (const std::string& symbol : after.unbound[i]) {
      if (!before_.unbound[i].contains(symbol)) {
        TreeLoss loss{fmt::format("`{}` would miss `{}`", input_.programs[i], symbol), {}};
        for (const auto& [path, name] : objects_of(after.programs[i], stands)) {
          loss.libraries.insert(name);
        }
        comparison.losses.push_back(std::move(loss));
      }
    }
  }
  comparison.statements.push_back(
      fmt::format("each needed library is found where it was, or is the copy that stays "
                  "(processes of packages: {}, other binaries: {})",
                  processes,
                  input_.programs.size()));
  compare_diagnoses(after, comparison);
  return comparison;
}

void TreeJudge::compare_diagnoses(const State& after, TreeComparison& comparison) const {
  for (std::size_t i = 0; i < before_.diagnoses.size(); ++i) {
    const EnvironmentDiagnosis& old_one = before_.diagnoses[i];
    const EnvironmentDiagnosis& new_one = after.diagnoses[i];
    std::set<std::pair<std::string, std::string>> known;
    for (const Finding& finding : old_one.findings) {
      if (counts(finding)) {
        known.emplace(finding.rule, finding.subject);
      }
    }
    const Machine& machine =
        input_.machines[i / std::max<std::size_t>(tree_->environments.size(), 1)].machine;
    for (const Finding& finding : new_one.findings) {
      if (counts(finding) && !known.contains({finding.rule, finding.subject})) {
        comparison.losses.push_back(
            {fmt::format(
                 "on `{}` there would be {}: {}", machine.name, finding.rule, finding.cause),
             {finding.subject}});
      }
    }
    const bool has_many = tree_->environments.size() > 1;
    comparison.statements.push_back(
        fmt::format("doctor on `{}`: {} before, {} after{}",
                    machine.name,
                    to_string(old_one.health),
                    to_string(new_one.health),
                    has_many ? fmt::format(" (`{}`)", old_one.environment.prefix) : ""));
  }
}

}  // namespace fitment
