// SPDX-License-Identifier: Apache-2.0
#include "report/audit_table_text.h"

#include "elf/file_view.h"
#include "report/audit_functions.h"
#include "report/audit_text.h"
#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"
#include "report/target_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

constexpr std::size_t kShownInFull = 3;  // more files or wheels become a table
constexpr std::size_t kIndent = 2;

/// What the column `cpu` says.
std::string cpu_word(const AuditedFile& file) {
  if (file.cpu) {
    return std::string(to_string(file.cpu->built_for));
  }
  return file.arm_cpu ? std::string(to_string(file.arm_cpu->built_for)) : "";
}

std::string glibc_word(const AuditedFile& file) {
  return file.glibc_floor ? to_string(file.glibc_floor->version) : "";
}

/// The name under which a file stands in its list.
const std::string& shown_path(const AuditedFile& file) {
  return file.wheel.empty() ? file.path : file.member;
}

using Files = std::vector<const AuditedFile*>;

/// The folder that all lie in, with a slash; empty when there is none.
std::string common_folder(const Files& files) {
  std::string common(parent_folder(shown_path(*files.front())));
  for (const AuditedFile* file : files) {
    const std::string folder(parent_folder(shown_path(*file)));
    while (!common.empty() && folder != common && !folder.starts_with(common + "/")) {
      const std::size_t slash = common.rfind('/');
      common.resize(slash == std::string::npos ? 0 : slash);
    }
  }
  return common.empty() ? common : common + "/";
}

/// One row a file, under its folder; the GPU targets stand below the row, which they would widen.
std::string files_table(Files files, std::string_view common, const Theme& theme) {
  std::stable_sort(files.begin(), files.end(), [](const AuditedFile* a, const AuditedFile* b) {
    return parent_folder(shown_path(*a)) < parent_folder(shown_path(*b));
  });
  const auto any = [&](auto word) {
    return std::any_of(
        files.begin(), files.end(), [&](const AuditedFile* file) { return !word(*file).empty(); });
  };
  const bool has_glibc = any(glibc_word);
  const bool has_cpu = any(cpu_word);
  Table table;
  table.indent(kIndent).column("file").column("size", Table::Align::right);
  if (has_glibc) {
    table.column("glibc");
  }
  if (has_cpu) {
    table.column("cpu");
  }
  std::string_view open = common;
  for (const AuditedFile* file : files) {
    const std::string& path = shown_path(*file);
    const std::string_view folder = std::string_view(path).substr(0, path.rfind('/') + 1);
    if (folder != open) {
      table.span(StyledText(folder.substr(common.size()), Role::dim));
      open = folder;
    }
    const std::size_t depth = folder == common ? 0 : kIndent;
    std::vector<StyledText> row{
        StyledText(std::string(depth, ' ') + std::string(file_name(path)), Role::strong),
        human_bytes(file->bytes)};
    if (has_glibc) {
      row.emplace_back(glibc_word(*file));
    }
    if (has_cpu) {
      row.emplace_back(cpu_word(*file));
    }
    table.row(std::move(row));
    if (!file->targets.empty()) {
      table.span(StyledText(target_words(file->targets, theme), Role::dim), depth + kIndent);
    }
    if (!file->remark.empty()) {
      table.span(StyledText(file->remark, Role::warning), depth + kIndent);
    }
  }
  return table.render(theme);
}

StyledText claim_word(const AuditedWheel& wheel) {
  const std::optional<bool> holds = wheel.claim_holds();
  if (!holds) {
    return {"unsure", Role::warning};
  }
  return *holds ? StyledText("holds", Role::good) : StyledText("broken", Role::bad);
}

StyledText claim_words(const AuditedWheel& wheel) {
  const PlatformClaim& claim = wheel.claim;
  StyledText text = claim_word(wheel);
  if (!claim.holds()) {
    text.add(fmt::format(": {}", fmt::join(claim.problems, "; ")));
  }
  if (wheel.unread > 0) {
    text.add(fmt::format("{} could not be read",
                         claim.holds() ? fmt::format(": {}", human_count(wheel.unread, "member"))
                                       : fmt::format("; {}", human_count(wheel.unread, "member"))));
    return text;
  }
  const bool is_best =
      !claim.satisfied
      || std::find(claim.tags.begin(), claim.tags.end(), *claim.satisfied) != claim.tags.end();
  if (!is_best) {
    text.add(
        fmt::format("; {} would be true{}", *claim.satisfied, claim.holds() ? " as well" : ""));
  }
  return text;
}

std::string wheel_text(const AuditedWheel& wheel, const Theme& theme) {
  Table table;
  table.indent(kIndent).column("").column("", Table::Align::left, Table::Wrap::words);
  const auto fact = [&](std::string_view label, StyledText words) {
    table.row({StyledText(label, Role::dim), std::move(words)});
  };
  fact("has",
       fmt::format("{} among {}, {} packed, {} unpacked",
                   wheel.file_count == 0 ? "no binary"
                                         : human_count(wheel.file_count, "binary", "binaries"),
                   human_count(wheel.members, "member"),
                   human_bytes(wheel.bytes),
                   human_bytes(wheel.unpacked_bytes)));
  fact("tags", fmt::format("{}", fmt::join(wheel.claim.tags, " ")));
  if (wheel.claim.floor) {
    fact("needs",
         fmt::format("glibc {} ({} of {}), because of {}",
                     to_string(wheel.claim.floor->version),
                     wheel.claim.floor->name,
                     wheel.claim.floor->library,
                     wheel.claim.floor_member));
  }
  fact("verdict", claim_words(wheel));
  return paint(printable(wheel.path), Role::strong, theme) + "\n" + table.render(theme);
}

/// One row a wheel, for a folder of them.
std::string wheels_table(const Audit& audit, const Theme& theme) {
  Table table;
  table.column("wheel")
      .column("size", Table::Align::right)
      .column("binaries", Table::Align::right)
      .column("glibc");
  for (const AuditedWheel& wheel : audit.wheels) {
    table.span(StyledText(file_name(wheel.path), Role::strong));
    StyledText claim(std::string(kIndent, ' '));
    const StyledText word = claim_word(wheel);
    for (const StyledText::Span& span : word.spans()) {
      claim.add(span.text, span.role);
    }
    table.row({std::move(claim),
               human_bytes(wheel.bytes),
               std::to_string(wheel.file_count),
               wheel.claim.floor ? to_string(wheel.claim.floor->version) : ""});
    std::vector<std::vector<TargetTotal>> targets;
    for (std::size_t i = 0; i < wheel.file_count; ++i) {
      targets.push_back(audit.files[wheel.first_file + i].targets);
    }
    for (const std::string& problem : wheel.claim.problems) {
      table.span(StyledText(problem, Role::bad), kIndent);
    }
    if (const std::string words = target_words(merge_totals(targets), theme); !words.empty()) {
      table.span(StyledText(words, Role::dim), kIndent);
    }
  }
  return table.render(theme);
}

void add_block(std::string& text, const std::string& block) {
  if (!block.empty()) {
    text += (text.empty() ? "" : "\n") + block;
  }
}

Files range_of(const Audit& audit, std::size_t first, std::size_t count) {
  Files files;
  for (std::size_t i = 0; i < count; ++i) {
    files.push_back(&audit.files[first + i]);
  }
  return files;
}

std::string files_text(const Files& files,
                       bool in_full,
                       EvidenceShown evidence,
                       const Theme& theme) {
  std::string text;
  if (files.empty()) {
    return text;
  }
  if (in_full) {
    for (const AuditedFile* file : files) {
      AuditedFile shown = *file;
      shown.path = shown_path(*file);
      add_block(text, audited_file_text(shown, theme, evidence));
    }
    return text;
  }
  const std::string common = common_folder(files);
  const bool names_folder = files.front()->wheel.empty() && !common.empty();
  const std::string heading =
      names_folder ? paint(printable(common), Role::strong, theme) + "\n" : "";
  return heading + files_table(files, files.front()->wheel.empty() ? common : "", theme);
}

std::string sum_text(const Audit& audit, const Theme& theme) {
  if (audit.files.size() < 2 && audit.wheels.size() < 2) {
    return "";
  }
  const std::string files = audit_totals_text(audit.files, theme);
  return audit.wheels.empty()
             ? files
             : fmt::format("{}, {}", human_count(audit.wheels.size(), "wheel"), files);
}

/// The list behind the verdicts: beyond the gate's level where there is one, else beyond the
/// baseline.
std::string functions_text(const AuditReport& report, const Theme& theme) {
  std::string text;
  for (const AuditedFile& file : report.audit.files) {
    const std::string list =
        audited_functions_text(file, report.gates.highest_level.value_or(X86Level::v1), theme);
    if (!list.empty()) {
      add_block(text, printable(shown_path(file)) + "\n" + list);
    }
  }
  return text;
}

}  // namespace

std::string gates_text(const AuditReport& report, const Theme& theme) {
  if (report.gates.empty()) {
    return "";
  }
  if (report.failures.empty()) {
    return paint("gates hold", Role::good, theme) + "\n";
  }
  Table table;
  table.column("").column("").column("", Table::Align::left, Table::Wrap::words);
  for (const GateFailure& failure : report.failures) {
    table.row({StyledText("failed", Role::bad),
               StyledText(failure.rule, Role::literal),
               fmt::format("{}: {}", failure.path, failure.what)});
  }
  return table.render(theme);
}

std::string audit_report_text(const AuditReport& report, const Theme& theme) {
  const Audit& audit = report.audit;
  const bool in_full = audit.files.size() <= kShownInFull;
  const EvidenceShown evidence =
      report.shows_all_evidence ? EvidenceShown::all : EvidenceShown::some;
  std::string text = files_text(range_of(audit, 0, audit.own_files()), in_full, evidence, theme);
  if (audit.wheels.size() <= kShownInFull) {
    for (const AuditedWheel& wheel : audit.wheels) {
      add_block(text, wheel_text(wheel, theme));
      const Files files = range_of(audit, wheel.first_file, wheel.file_count);
      if (!files.empty()) {
        text += (in_full ? "\n" : "") + files_text(files, in_full, evidence, theme);
      }
    }
  } else {
    add_block(text, wheels_table(audit, theme));
  }
  if (report.lists_functions) {
    add_block(text, functions_text(report, theme));
  }
  add_block(text, sum_text(audit, theme));
  add_block(text, gates_text(report, theme));
  return text;
}

}  // namespace fitment
