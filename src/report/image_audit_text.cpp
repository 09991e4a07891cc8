// SPDX-License-Identifier: Apache-2.0
#include "report/image_audit_text.h"

#include "base/text.h"
#include "report/bar.h"
#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kFilesShown = 12;
constexpr std::size_t kStepColumns = 60;

std::string bytes_or_nothing(std::uint64_t bytes) {
  return bytes == 0 ? "" : human_bytes(bytes);
}

std::string layers_table(const ImageAudit& audit, const Theme& theme) {
  std::uint64_t most = 1;
  for (const AuditedLayer& layer : audit.layers) {
    most = std::max(most, layer.file_bytes);
  }
  Table table;
  table.indent(2)
      .column("layer", Table::Align::right)
      .column("stored", Table::Align::right)
      .column("unpacked", Table::Align::right)
      .column("files", Table::Align::right)
      .column("wasted", Table::Align::right)
      .column("GPU code", Table::Align::right)
      .column("");
  for (std::size_t i = 0; i < audit.layers.size(); ++i) {
    const AuditedLayer& layer = audit.layers[i];
    table.row({StyledText(std::to_string(i + 1), Role::strong),
               human_bytes(layer.stored_bytes),
               human_bytes(layer.bytes),
               std::to_string(layer.files),
               StyledText(bytes_or_nothing(layer.wasted_bytes), Role::warning),
               bytes_or_nothing(layer.gpu_bytes),
               kept_bar(layer.file_bytes,
                        layer.file_bytes - std::min(layer.wasted_bytes, layer.file_bytes),
                        most,
                        theme)});
    if (!layer.created_by.empty()) {
      table.span(StyledText(short_step(layer.created_by), Role::dim), 7);
    }
  }
  return table.render(theme);
}

std::string waste_table(const ImageAudit& audit, const Theme& theme) {
  Table table;
  table.indent(2)
      .column("waste")
      .column("files", Table::Align::right)
      .column("unpacked", Table::Align::right)
      .column("stored", Table::Align::right)
      .column("fix", Table::Align::left, Table::Wrap::words);
  for (const WasteTotal& total : audit.waste) {
    table.row({StyledText(to_string(total.kind), Role::strong),
               std::to_string(total.files),
               human_bytes(total.bytes),
               "~" + human_bytes(total.stored_bytes),
               fix_of(total.kind)});
  }
  return table.render(theme);
}

/// `layer 2, deleted by 3`.
std::string where(const WastedFile& file) {
  std::string text = fmt::format("layer {}", file.layer + 1);
  switch (file.kind) {
    case ImageWaste::deleted:
    case ImageWaste::replaced:
    case ImageWaste::copied:
      text += fmt::format(", {} by {}", to_string(file.kind), file.other_layer.value_or(0) + 1);
      break;
    case ImageWaste::duplicates:
      text += fmt::format(", there {} times", file.copies.size() + 1);
      break;
    case ImageWaste::gpu_code:
      text += ", code for other GPUs";
      break;
  }
  return text;
}

std::string files_table(const ImageAudit& audit, const Theme& theme) {
  Table table;
  table.indent(2).column("saves", Table::Align::right).column("where").column("file");
  for (std::size_t i = 0; i < std::min(kFilesShown, audit.files.size()); ++i) {
    const WastedFile& file = audit.files[i];
    table.row({human_bytes(file.bytes), where(file), StyledText(file.path, Role::strong)});
  }
  std::string text = table.render(theme);
  if (audit.files.size() > kFilesShown) {
    text += fmt::format("  and {}; `--json` lists them\n",
                        human_count(audit.files.size() - kFilesShown, "smaller one"));
  }
  return text;
}

/// GPU code that is seen, by target.
std::string gpu_table(const ImageAudit& audit, const Theme& theme) {
  std::uint64_t most = 1;
  for (const TargetTotal& total : audit.gpu_code) {
    most = std::max(most, total.stored_bytes.value_or(0));
  }
  Table table;
  table.indent(2)
      .column("GPU code")
      .column("kind")
      .column("entries", Table::Align::right)
      .column("unpacked", Table::Align::right)
      .column("");
  for (const TargetTotal& total : audit.gpu_code) {
    const std::uint64_t bytes = total.stored_bytes.value_or(0);
    table.row({StyledText(total.target, Role::strong),
               to_string(total.kind),
               std::to_string(total.entries),
               total.stored_bytes ? human_bytes(bytes) : "unknown",
               kept_bar(bytes, bytes, most, theme)});
  }
  return table.render(theme);
}

std::string targets_of(const ImageAudit& audit) {
  std::string text;
  for (const KeepTarget& target : audit.targets) {
    text += (text.empty() ? "" : ", ") + to_string(target);
  }
  return text;
}

}  // namespace

std::string short_step(const std::string& created_by) {
  std::string text = replace_all(replace_all(created_by, "\n", " "), "\t", " ");
  for (const std::string_view shell : {"/bin/sh -c #(nop) ", "/bin/sh -c ", "RUN /bin/sh -c "}) {
    if (text.starts_with(shell)) {
      text.erase(0, shell.size());
      break;
    }
  }
  text = join(
      [&] {
        std::vector<std::string> words;
        for (const std::string_view word : split_words(text)) {
          words.emplace_back(word);
        }
        return words;
      }(),
      " ");
  // Cut between characters of UTF-8.
  std::size_t end = kStepColumns;
  if (text.size() > end) {
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
      --end;
    }
    text = text.substr(0, end) + "...";
  }
  return text;
}

std::string image_audit_text(const ImageAudit& audit, const Theme& theme) {
  std::string text = fmt::format("{}  {}{}\n",
                                 paint(printable(audit.name), Role::heading, theme),
                                 printable(to_string(audit.platform)),
                                 audit.manifest_digest.empty() ? "" : "  " + audit.manifest_digest);
  text += layers_table(audit, theme);
  if (!audit.waste.empty()) {
    text += "\n" + waste_table(audit, theme);
  }
  if (!audit.files.empty()) {
    text += "\n" + files_table(audit, theme);
  }
  if (!audit.gpu_code.empty()) {
    text += "\n" + gpu_table(audit, theme);
  }
  const std::string targets = targets_of(audit);
  text += fmt::format("\n{}: {} stored, {} unpacked; {} in {} seen; {} wasted ({:.1f} %){}\n",
                      human_count(audit.layers.size(), "layer"),
                      human_bytes(audit.stored_bytes),
                      human_bytes(audit.bytes),
                      human_bytes(audit.seen_bytes),
                      human_count(audit.seen_files, "file"),
                      paint(human_bytes(audit.wasted_bytes()), Role::strong, theme),
                      audit.wasted_percent(),
                      targets.empty() ? "" : ", and code for others than " + targets);
  return text;
}

}  // namespace fitment
