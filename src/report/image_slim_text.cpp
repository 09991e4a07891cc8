// SPDX-License-Identifier: Apache-2.0
#include "report/bar.h"
#include "report/human.h"
#include "report/image_audit_text.h"
#include "report/image_slim.h"
#include "report/slim_files_table.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fitment {

namespace {

std::string layer_state(const ImageSlimReport& report, std::size_t number) {
  const PlannedLayer& layer = report.plan.layers[number];
  if (layer.is_dropped) {
    return "goes: nothing is left in it";
  }
  if (!layer.is_changed) {
    const bool is_stored_again = report.written && !report.written->layers[number]->is_kept;
    return is_stored_again ? "kept, compressed" : "kept";
  }
  const std::uint64_t left = layer.entries - layer.dropped_entries;
  return fmt::format("{} of {} entries stay", left, layer.entries);
}

std::string layers_table(const ImageSlimReport& report, const Theme& theme) {
  std::uint64_t most = 1;
  for (const PlannedLayer& layer : report.plan.layers) {
    most = std::max(most, layer.before_bytes);
  }
  Table table;
  table.indent(2)
      .column("layer", Table::Align::right)
      .column("unpacked", Table::Align::right)
      .column("after", Table::Align::right)
      .column("stored", Table::Align::right);
  if (report.written) {
    table.column("after", Table::Align::right);
  }
  table.column("").column("");
  for (std::size_t i = 0; i < report.plan.layers.size(); ++i) {
    const PlannedLayer& layer = report.plan.layers[i];
    std::vector<StyledText> row{StyledText(std::to_string(i + 1), Role::strong),
                                human_bytes(layer.before_bytes),
                                layer.is_changed ? human_bytes(layer.after_bytes) : "",
                                human_bytes(report.image.layers[i].stored_bytes)};
    if (report.written) {
      const auto& written = report.written->layers[i];
      row.emplace_back(written && !written->is_kept ? human_bytes(written->descriptor.size) : "");
    }
    row.emplace_back(kept_bar(layer.before_bytes, layer.after_bytes, most, theme));
    row.emplace_back(layer_state(report, i));
    table.row(std::move(row));
  }
  return table.render(theme);
}

/// Where the bytes that go are, by kind.
std::string kinds_table(const ImageSlimReport& report, const Theme& theme) {
  struct Sum {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  std::map<SlimClass, Sum> sums;
  for (const SlimFile& file : report.plan.files) {
    if (file.plan.saved_bytes() > 0) {
      ++sums[file.kind].files;
      sums[file.kind].bytes += file.plan.saved_bytes();
    }
  }
  Table table;
  table.indent(2)
      .column("what goes")
      .column("files", Table::Align::right)
      .column("unpacked", Table::Align::right)
      .column("");
  const HiddenTotal& hidden = report.plan.hidden;
  if (hidden.files > 0) {
    table.row({StyledText("hidden", Role::strong),
               std::to_string(hidden.files),
               human_bytes(hidden.bytes),
               "stored in a layer, deleted or replaced in a later one"});
  }
  if (report.plan.whiteouts > 0) {
    table.row({StyledText("whiteouts", Role::strong),
               std::to_string(report.plan.whiteouts),
               "",
               "that hide nothing any more"});
  }
  for (const auto& [kind, sum] : sums) {
    table.row({StyledText(to_string(kind), Role::strong),
               std::to_string(sum.files),
               human_bytes(sum.bytes)});
  }
  std::string text = table.render(theme);
  const HiddenTotal& shared = report.plan.shared;
  if (shared.files > 0) {
    text += fmt::format("  hidden and kept: {}, {}, since hard links share them\n",
                        human_count(shared.files, "file"),
                        human_bytes(shared.bytes));
  }
  return text;
}

std::string files_table(const ImageSlimReport& report, const Theme& theme) {
  std::vector<const SlimFile*> shown;
  for (const SlimFile& file : report.plan.files) {
    if (file.plan.saved_bytes() > 0) {
      shown.push_back(&file);
    }
  }
  return slim_files_table(std::move(shown), 0, theme);
}

std::string notes(const ImageSlimReport& report, const Theme& theme) {
  std::string text;
  const auto line = [&](std::string_view label, const std::string& words, Role role) {
    text += fmt::format("  {} {}\n", paint(label, role, theme), printable(words));
  };
  for (const SlimFile& file : report.plan.files) {
    if (file.action == SlimAction::refuse) {
      line("stays", fmt::format("{}: {}", file.plan.path, file.plan.why), Role::warning);
    }
    for (const std::string& warning : file.plan.warnings) {
      line("risk", fmt::format("{}: {}", file.plan.path, warning), Role::warning);
    }
  }
  if (!report.plan.records.empty()) {
    line("also",
         fmt::format("{} of distributions tell the new state",
                     human_count(report.plan.records.size(), "RECORD")),
         Role::dim);
  }
  if (report.written) {
    for (const std::string& statement : report.written->proof) {
      line("proven", statement, Role::good);
    }
  }
  return text;
}

}  // namespace

std::string image_slim_text(const ImageSlimReport& report, const Theme& theme) {
  std::string text = fmt::format("{}  {}\n",
                                 paint(printable(report.image.name), Role::heading, theme),
                                 printable(to_string(report.image.config.platform)));
  text += layers_table(report, theme);
  for (const std::string& part :
       {kinds_table(report, theme), files_table(report, theme), notes(report, theme)}) {
    text += part.empty() ? "" : "\n" + part;
  }
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const PlannedLayer& layer : report.plan.layers) {
    before += layer.before_bytes;
    after += layer.after_bytes;
  }
  std::string targets;
  for (const KeepTarget& target : report.targets) {
    targets += (targets.empty() ? " for " : ", ") + to_string(target);
  }
  const std::string_view arrow = theme.unicode ? "\u2192" : "->";
  text += fmt::format("\n{}{}: {} {} {} unpacked",
                      human_count(report.plan.layers.size(), "layer"),
                      targets,
                      human_bytes(before),
                      arrow,
                      paint(human_bytes(after), Role::strong, theme));
  if (report.written) {
    std::uint64_t stored = 0;
    for (const ImageLayer& layer : report.image.layers) {
      stored += layer.stored_bytes;
    }
    text += fmt::format("; {} {} {} stored, {}",
                        human_bytes(stored),
                        arrow,
                        paint(human_bytes(report.written->stored_bytes()), Role::strong, theme),
                        report.written->manifest_digest);
  }
  return text + "\n";
}

}  // namespace fitment
