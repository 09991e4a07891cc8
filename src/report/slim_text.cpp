// SPDX-License-Identifier: Apache-2.0
#include "report/slim_text.h"

#include "report/bar.h"
#include "report/human.h"
#include "report/slim_files_table.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fitment {

namespace {

constexpr std::size_t kTableColumns = 62;  // of the tables of classes and targets, about

/// Where the bytes are, by class, when there is more than one.
std::string classes_table(const SlimRun& run, const Theme& theme) {
  const auto sums = run.by_class();
  std::uint64_t most = 1;
  for (const auto& [kind, sum] : sums) {
    most = std::max(most, sum.before_bytes);
  }
  if (sums.size() < 2 && (sums.empty() || sums.count(SlimClass::gpu_code) > 0)) {
    return "";
  }
  Table table;
  table.indent(2)
      .column("class")
      .column("files", Table::Align::right)
      .column("before", Table::Align::right)
      .column("after", Table::Align::right)
      .column("", Table::Align::right)
      .column("");
  for (const auto& [kind, sum] : sums) {
    table.row({StyledText(std::string(to_string(kind)), Role::strong),
               fmt::format("{} of {}", sum.touched, sum.files),
               human_bytes(sum.before_bytes),
               human_bytes(sum.after_bytes),
               saved_share(sum.before_bytes, sum.after_bytes),
               kept_bar(sum.before_bytes,
                        sum.after_bytes,
                        most,
                        theme,
                        bar_beside_table(kTableColumns, theme))});
  }
  return table.render(theme) + "\n";
}

/// What changes, what is refused, and whatever holds GPU code. Of few files, all.
std::string files_table(const SlimRun& run, bool in_full, const Theme& theme) {
  std::vector<const SlimFile*> shown;
  std::size_t same = 0;
  for (const SlimFile& file : run.files) {
    const bool is_told = in_full || is_touched(file) || file.action == SlimAction::refuse
                         || (file.kind == SlimClass::gpu_code && !file.plan.targets.empty());
    if (is_told) {
      shown.push_back(&file);
    } else {
      ++same;
    }
  }
  return slim_files_table(std::move(shown), same, theme);
}

std::string targets_table(const SlicePlan& plan, const Theme& theme) {
  std::uint64_t most = 1;
  for (const SlicedTarget& target : plan.targets) {
    most = std::max(most, target.bytes_before.value_or(0));
  }
  const auto words = [](const std::optional<std::uint64_t>& bytes) {
    return bytes ? human_bytes(*bytes) : std::string("unknown");
  };
  Table table;
  table.indent(2)
      .column("target")
      .column("kind")
      .column("entries", Table::Align::right)
      .column("before", Table::Align::right)
      .column("after", Table::Align::right)
      .column("");
  for (const SlicedTarget& target : plan.targets) {
    table.row({StyledText(target.target, Role::strong),
               to_string(target.kind),
               target.entries_before == target.entries_after
                   ? std::to_string(target.entries_before)
                   : fmt::format("{} of {}", target.entries_after, target.entries_before),
               words(target.bytes_before),
               words(target.bytes_after),
               target.bytes_before && target.bytes_after
                   ? kept_bar(*target.bytes_before,
                              *target.bytes_after,
                              most,
                              theme,
                              bar_beside_table(kTableColumns, theme))
                   : StyledText()});
  }
  return table.render(theme);
}

std::string notes(const SlimFile& file, const Theme& theme) {
  std::string text;
  const auto line = [&](std::string_view label, const std::string& words, Role role) {
    text += fmt::format("  {} {}\n", paint(label, role, theme), printable(words));
  };
  const bool is_gone = is_touched(file) && file.action != SlimAction::link;
  if (file.action == SlimAction::link) {
    line("becomes",
         fmt::format("a {} link to {}", file.is_hard_link ? "hard" : "symbolic", file.link_to),
         Role::dim);
  }
  line(is_gone ? "removes" : "why", file.plan.why, Role::dim);
  if (file.plan.stubs > 0) {
    line("stubs",
         fmt::format("{} with nothing to keep hold one small piece of foreign code",
                     human_count(file.plan.stubs, "container")),
         Role::dim);
  }
  for (const std::string& warning : file.plan.warnings) {
    line("risk", warning, Role::warning);
  }
  for (const std::string& statement : file.proof) {
    line("proven", statement, Role::good);
  }
  return text;
}

}  // namespace

std::string slim_text(const SlimRun& run, bool in_full, const Theme& theme) {
  std::string text = classes_table(run, theme) + files_table(run, in_full, theme);
  for (const SlimFile& file : run.files) {
    const bool is_copy_that_stays =
        file.kind == SlimClass::duplicates && file.action == SlimAction::keep;
    const bool is_symbolic_link = file.action == SlimAction::link && !file.is_hard_link;
    const bool is_told = in_full || is_copy_that_stays || is_symbolic_link
                         || file.action == SlimAction::refuse || !file.plan.warnings.empty();
    if (is_told) {
      text += fmt::format("\n{}\n", paint(printable(file.plan.path), Role::heading, theme));
      text += notes(file, theme);
    }
    if (in_full && !file.plan.targets.empty()) {
      text += targets_table(file.plan, theme);
    }
  }
  std::string targets;
  for (const KeepTarget& target : run.targets) {
    targets += (targets.empty() ? "" : ", ") + to_string(target);
  }
  const std::uint64_t before = run.before_bytes();
  const std::uint64_t after = run.after_bytes();
  for (const std::string& statement : run.proof) {
    text += fmt::format("{}  {} {}\n",
                        &statement == run.proof.data() ? "\n" : "",
                        paint("proven", Role::good, theme),
                        printable(statement));
  }
  for (const std::string& loss : run.losses) {
    text += fmt::format("{}  {} {}\n",
                        &loss == run.losses.data() ? "\n" : "",
                        paint("worse", Role::bad, theme),
                        printable(loss));
  }
  if (!run.records.empty()) {
    text += fmt::format("\n  {} of distributions tell the new state\n",
                        human_count(run.records.size(), "RECORD"));
  }
  text += fmt::format("\n{}{}{}: {} {} {}{}\n",
                      human_count(run.files.size(), "file"),
                      targets.empty() ? "" : " for ",
                      targets,
                      human_bytes(before),
                      theme.unicode ? "\u2192" : "->",
                      paint(human_bytes(after), Role::strong, theme),
                      after < before ? fmt::format(" ({})", saved_share(before, after)) : "");
  return text;
}

std::string slim_undo_text(const UndoResult& result, const Theme& theme) {
  std::string text;
  const auto list = [&](const std::vector<std::string>& paths, std::string_view why) {
    for (const std::string& path : paths) {
      text += fmt::format(
          "  {} {}: {}\n", paint("not restored", Role::warning, theme), printable(path), why);
    }
  };
  list(result.not_kept, "no original was kept (`--backup DIR` keeps them)");
  list(result.changed, "it was changed since");
  list(result.damaged, "the copy of the original is gone or damaged");
  text += fmt::format("{} restored\n", human_count(result.restored.size(), "file"));
  return text;
}

}  // namespace fitment
