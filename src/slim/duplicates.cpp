// SPDX-License-Identifier: Apache-2.0
#include "slim/duplicates.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace fitment {

namespace {

constexpr std::uint64_t kWorthALink = 64U << 10U;  // bytes

/// A copy that could go, and the one that stands for it or why none does.
struct Choice {
  const LibraryCopy* dropped = nullptr;
  const LibraryCopy* kept = nullptr;
  bool is_identical = false;
  std::string why_not;  ///< empty: it goes

  [[nodiscard]] bool goes() const { return why_not.empty(); }
};

/// Libraries that belong together, with their copies by folder.
using CopySet = std::map<std::string, std::vector<const LibraryCopy*>>;

/// `nvidia-cublas` for all that its wheels bring, whichever CUDA they are for; other libraries
/// belong to nothing.
std::string set_name(const LibraryCopy& copy, const LibraryTable& table) {
  const auto rows = table.find_soname(copy.soname);
  if (rows.empty()) {
    return copy.soname;
  }
  const std::string& wheel = rows.front()->wheel;
  const std::size_t suffix = wheel.rfind("-cu1");
  return "wheel " + wheel.substr(0, suffix);
}

const LibraryCopy* find_soname(const std::vector<const LibraryCopy*>& copies,
                               const std::string& soname) {
  const auto found = std::find_if(copies.begin(), copies.end(), [&](const LibraryCopy* copy) {
    return copy->soname == soname;
  });
  return found == copies.end() ? nullptr : *found;
}

class SetPlanner {
 public:
  SetPlanner(const FileView& view, const LibraryTable& table, const CopySet& copies)
      : view_(view), table_(table), copies_(copies) {}

  /// With the libraries of one folder as those that stay.
  std::vector<Choice> keep(const std::string& folder) {
    std::vector<Choice> choices;
    const std::vector<const LibraryCopy*>& kept = copies_.at(folder);
    for (const auto& [other, members] : copies_) {
      for (Choice& choice : drop(members, other == folder, kept)) {
        choices.push_back(std::move(choice));
      }
    }
    return choices;
  }

 private:
  std::vector<Choice> drop(const std::vector<const LibraryCopy*>& members,
                           bool is_same_folder,
                           const std::vector<const LibraryCopy*>& kept);
  bool is_identical(const LibraryCopy& a, const LibraryCopy& b) {
    const auto key =
        std::minmax({&a, &b});  // of a list: values, where two arguments give references
    const auto known = identical_.find(key);
    return known != identical_.end()
               ? known->second
               : identical_.emplace(key, are_identical(view_, a, b)).first->second;
  }

  const FileView& view_;
  const LibraryTable& table_;
  const CopySet& copies_;
  std::map<std::pair<const LibraryCopy*, const LibraryCopy*>, bool> identical_;
};

std::vector<Choice> SetPlanner::drop(const std::vector<const LibraryCopy*>& members,
                                     bool is_same_folder,
                                     const std::vector<const LibraryCopy*>& kept) {
  std::vector<Choice> choices;
  std::string broken;  // why none of those with other bytes goes
  for (const LibraryCopy* copy : members) {
    const LibraryCopy* stays = find_soname(kept, copy->soname);
    if (stays == copy) {
      continue;
    }
    if (stays == nullptr) {
      broken = fmt::format("`{}` belongs to it, and there is no other copy of that", copy->path);
      continue;
    }
    Choice choice{copy, stays, is_identical(*copy, *stays), {}};
    if (!choice.is_identical) {
      const bool is_other_name =
          file_name(copy->path).substr(0, copy->soname.size()) != copy->soname;
      const auto reason = is_same_folder || is_other_name
                              ? std::optional(fmt::format("it differs from `{}`", stays->path))
                              : reason_against(view_, *stays, *copy, table_);
      choice.why_not = reason.value_or("");
      broken = broken.empty() ? choice.why_not : broken;
    }
    choices.push_back(std::move(choice));
  }
  for (Choice& choice : choices) {
    if (!choice.is_identical && choice.goes() && !broken.empty()) {
      choice.why_not = fmt::format("another library of its release stays: {}", broken);
    }
  }
  return choices;
}

std::uint64_t saved_bytes(const std::vector<Choice>& choices) {
  std::uint64_t sum = 0;
  for (const Choice& choice : choices) {
    sum += choice.goes() ? choice.dropped->bytes : 0;
  }
  return sum;
}

bool is_wheel_folder(const std::vector<const LibraryCopy*>& copies) {
  return std::any_of(
      copies.begin(), copies.end(), [](const LibraryCopy* copy) { return copy->is_of_wheel; });
}

/// The best of the folders that may stay.
std::vector<Choice> choose(const FileView& view,
                           const LibraryTable& table,
                           const CopySet& copies,
                           KeepCopies keep) {
  const bool wants_wheel = keep != KeepCopies::system;
  const bool has_wanted = std::any_of(copies.begin(), copies.end(), [&](const auto& one) {
    return is_wheel_folder(one.second) == wants_wheel;
  });
  SetPlanner planner(view, table, copies);
  std::vector<Choice> best;
  std::tuple<std::uint64_t, bool> best_rank;
  for (const auto& [folder, members] : copies) {
    const bool is_wanted = is_wheel_folder(members) == wants_wheel;
    if (keep != KeepCopies::fewest_bytes && has_wanted && !is_wanted) {
      continue;
    }
    std::vector<Choice> choices = planner.keep(folder);
    const std::tuple rank(saved_bytes(choices), is_wanted);
    if (best.empty() || rank > best_rank) {
      best = std::move(choices);
      best_rank = rank;
    }
  }
  return best;
}

/// Where a symbolic link leads: to the soname's own link beside the file that stays, which an
/// update of that file moves along.
std::string link_place(const FileView& view, const LibraryCopy& kept) {
  const std::string by_soname = join_path(parent_folder(kept.path), kept.soname);
  const auto real = view.resolve(by_soname);
  return real && *real == kept.path ? by_soname : kept.path;
}

class DuplicatePlanner {
 public:
  DuplicatePlanner(const SlimTree& tree,
                   const TreeLibraries& libraries,
                   const LibraryTable& table,
                   KeepCopies keep)
      : tree_(tree) {
    std::map<std::string, CopySet> sets;
    for (const std::vector<LibraryCopy>& group : libraries.copies) {
      for (const LibraryCopy& copy : group) {
        if (copy.bytes >= kWorthALink || !table.find_soname(copy.soname).empty()) {
          sets[set_name(copy, table)][std::string(parent_folder(copy.path))].push_back(&copy);
        }
      }
    }
    for (const auto& [name, copies] : sets) {
      const bool is_known = !table.find_soname(copies.begin()->second.front()->soname).empty();
      std::vector<Choice> choices = choose(*tree.view, table, copies, keep);
      if (!is_known) {  // what makes two of them stand for one another is not known: no news
        std::erase_if(choices, [](const Choice& choice) { return !choice.goes(); });
      }
      if (!choices.empty()) {
        sets_.push_back(std::move(choices));
      }
    }
  }

  /// Sets that the judge finds a loss with stay, until it finds none.
  Status satisfy(const TreeJudge& judge) {
    for (std::size_t round = 0; round <= sets_.size(); ++round) {
      const std::vector<PlannedChange> all = changes();
      if (all.empty()) {
        return {};
      }
      FITMENT_TRY_ASSIGN(const TreeComparison comparison, judge.compare(all));
      if (comparison.losses.empty()) {
        return {};
      }
      give_up(comparison.losses);
    }
    return {};
  }

  [[nodiscard]] std::vector<SlimFile> files() const;

 private:
  [[nodiscard]] std::vector<PlannedChange> changes() const;
  void give_up(const std::vector<TreeLoss>& losses);
  static void give_up_set(std::vector<Choice>& choices, const std::string& why) {
    for (Choice& choice : choices) {
      if (choice.goes()) {
        choice.why_not = why;
      }
    }
  }

  const SlimTree& tree_;
  std::vector<std::vector<Choice>> sets_;
};

std::vector<PlannedChange> DuplicatePlanner::changes() const {
  std::vector<PlannedChange> all;
  for (const std::vector<Choice>& choices : sets_) {
    for (const Choice& choice : choices) {
      if (choice.goes()) {
        all.push_back({.path = choice.dropped->path,
                       .action = SlimAction::link,
                       .link_to = choice.kept->path});
      }
    }
  }
  return all;
}

void DuplicatePlanner::give_up(const std::vector<TreeLoss>& losses) {
  bool is_any = false;
  for (const TreeLoss& loss : losses) {
    for (std::vector<Choice>& choices : sets_) {
      const bool is_about = std::any_of(choices.begin(), choices.end(), [&](const Choice& one) {
        return one.goes()
               && (loss.libraries.contains(one.dropped->soname)
                   || loss.libraries.contains(one.dropped->path)
                   || loss.libraries.contains(one.kept->path));
      });
      if (is_about) {
        give_up_set(choices, loss.text);
        is_any = true;
      }
    }
  }
  if (!is_any) {  // a loss that cannot be laid at one door
    for (std::vector<Choice>& choices : sets_) {
      give_up_set(choices, losses.front().text);
    }
  }
}

std::vector<SlimFile> DuplicatePlanner::files() const {
  std::vector<SlimFile> files;
  for (const std::vector<Choice>& choices : sets_) {
    for (const Choice& choice : choices) {
      SlimFile file;
      file.kind = SlimClass::duplicates;
      file.action = choice.goes() ? SlimAction::link : SlimAction::keep;
      file.plan.path = tree_.inside(choice.dropped->path);
      file.plan.before_bytes = choice.dropped->bytes;
      file.plan.after_bytes = choice.goes() ? 0 : choice.dropped->bytes;
      file.is_hard_link = choice.is_identical;
      file.link_to = tree_.inside(choice.is_identical ? choice.kept->path
                                                      : link_place(*tree_.view, *choice.kept));
      const std::string other = fmt::format("`{}` ({})", file.link_to, choice.kept->shown_owner());
      if (!choice.goes()) {
        file.plan.why = fmt::format("two copies stay: {}", choice.why_not);
      } else if (choice.is_identical) {
        file.plan.why = fmt::format("the same bytes as {}", other);
        file.plan.risk = SliceRisk::low;
      } else {
        file.plan.why = fmt::format("{} is as new and defines all its symbols", other);
        file.plan.risk = SliceRisk::medium;
      }
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(), [](const SlimFile& a, const SlimFile& b) {
    return a.plan.path < b.plan.path;
  });
  return files;
}

}  // namespace

Result<std::vector<SlimFile>> plan_duplicates(const SlimTree& tree,
                                              const TreeLibraries& libraries,
                                              const LibraryTable& table,
                                              KeepCopies keep,
                                              const TreeJudge& judge) {
  DuplicatePlanner planner(tree, libraries, table, keep);
  FITMENT_TRY(planner.satisfy(judge));
  return planner.files();
}

std::vector<std::string> programs_with_copies(const TreeLibraries& libraries) {
  std::set<std::string> sonames;
  for (const std::vector<LibraryCopy>& group : libraries.copies) {
    if (group.size() > 1) {
      sonames.insert(group.front().soname);
    }
  }
  std::vector<std::string> programs;
  for (const TreeBinary& binary : libraries.binaries) {
    const bool is_user =
        std::any_of(binary.needed.begin(), binary.needed.end(), [&](const std::string& name) {
          return sonames.contains(name);
        });
    if (!binary.is_of_wheel && is_user) {
      programs.push_back(binary.path);
    }
  }
  return programs;
}

}  // namespace fitment
