// SPDX-License-Identifier: Apache-2.0
#include "report/slim_text.h"

#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kBar = 32;

/// What stays as full blocks and what goes as light ones, in proportion to the largest.
StyledText bar(std::uint64_t before, std::uint64_t after, std::uint64_t most, const Theme& theme) {
  const auto cells = [&](std::uint64_t bytes) {
    return static_cast<std::size_t>((bytes * kBar + most / 2) / std::max<std::uint64_t>(most, 1));
  };
  const std::size_t whole = cells(before);
  const std::size_t stays = std::min(whole, cells(after));
  std::string kept;
  std::string gone;
  for (std::size_t i = 0; i < whole; ++i) {
    (i < stays ? kept : gone) +=
        theme.unicode ? (i < stays ? "\u2588" : "\u2591") : (i < stays ? "#" : ".");
  }
  StyledText text(kept, Role::good);
  text.add(gone, Role::dim);
  return text;
}

std::string share(std::uint64_t before, std::uint64_t after) {
  if (before == 0 || after >= before) {
    return "";
  }
  return fmt::format("-{:.1f} %",
                     100.0 * static_cast<double>(before - after) / static_cast<double>(before));
}

std::string files_table(const SlimRun& run, const Theme& theme) {
  std::uint64_t most = 1;
  for (const SlimFile& file : run.files) {
    most = std::max(most, file.plan.before_bytes);
  }
  Table table;
  table.indent(2)
      .column("file")
      .column("before", Table::Align::right)
      .column("after", Table::Align::right)
      .column("", Table::Align::right)
      .column("risk")
      .column("");
  for (const SlimFile& file : run.files) {
    const SlicePlan& plan = file.plan;
    table.row({StyledText(plan.path, Role::strong),
               human_bytes(plan.before_bytes),
               file.action == SlimAction::slice ? human_bytes(plan.after_bytes)
                                                : std::string(to_string(file.action)),
               share(plan.before_bytes, plan.after_bytes),
               file.action == SlimAction::slice ? std::string(to_string(plan.risk)) : "",
               bar(plan.before_bytes, plan.after_bytes, most, theme)});
  }
  return table.render(theme);
}

std::string targets_table(const SlicePlan& plan, const Theme& theme) {
  std::uint64_t most = 1;
  for (const SlicedTarget& target : plan.targets) {
    most = std::max(most, target.bytes_before);
  }
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
               human_bytes(target.bytes_before),
               human_bytes(target.bytes_after),
               bar(target.bytes_before, target.bytes_after, most, theme)});
  }
  return table.render(theme);
}

std::string notes(const SlimFile& file, const Theme& theme) {
  std::string text;
  const auto line = [&](std::string_view label, const std::string& words, Role role) {
    text += fmt::format("  {} {}\n", paint(label, role, theme), printable(words));
  };
  line(file.action == SlimAction::slice ? "removes" : "why", file.plan.why, Role::dim);
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
  std::string text = files_table(run, theme);
  for (const SlimFile& file : run.files) {
    const bool is_told =
        in_full || file.action == SlimAction::refuse || !file.plan.warnings.empty();
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
  text += fmt::format("\n{} for {}: {} {} {}{}\n",
                      human_count(run.files.size(), "file"),
                      targets,
                      human_bytes(before),
                      theme.unicode ? "\u2192" : "->",
                      paint(human_bytes(after), Role::strong, theme),
                      after < before ? fmt::format(" ({})", share(before, after)) : "");
  return text;
}

}  // namespace fitment
