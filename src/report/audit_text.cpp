// SPDX-License-Identifier: Apache-2.0
#include "report/audit_text.h"

#include "report/bar.h"
#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kSomeEvidence = 2;
constexpr std::size_t kBar = 24;

std::string bytes_or_unknown(const std::optional<std::uint64_t>& bytes) {
  return bytes ? human_bytes(*bytes) : "unknown";
}

std::string evidence_text(const InstructionEvidence& evidence) {
  std::string text = fmt::format("`{}` at {:#x} in {} needs {}",
                                 evidence.mnemonic,
                                 evidence.address,
                                 evidence.function,
                                 to_string(evidence.features));
  return evidence.proven_by.empty()
             ? text
             : fmt::format("{}; calling {} executes it", text, evidence.proven_by);
}

std::uint64_t stored(const TargetTotal& total) {
  return total.stored_bytes.value_or(0);
}

/// Totals with a bar in proportion to the bytes.
std::string totals_table(const std::vector<TargetTotal>& totals, const Theme& theme) {
  std::uint64_t most = 1;
  for (const TargetTotal& total : totals) {
    most = std::max(most, stored(total));
  }
  Table table;
  table.indent(2)
      .column("target")
      .column("kind")
      .column("entries", Table::Align::right)
      .column("stored", Table::Align::right)
      .column("inflated", Table::Align::right)
      .column("compression")
      .column("");
  for (const TargetTotal& total : totals) {
    table.row({StyledText(total.target, Role::strong),
               to_string(total.kind),
               std::to_string(total.entries),
               bytes_or_unknown(total.stored_bytes),
               bytes_or_unknown(total.inflated_bytes),
               total.compression_text(),
               render_bar(stored(total), stored(total), most, kBar, Role::dim, theme)});
  }
  return table.render(theme);
}

void evidence_rows(std::string_view label,
                   const std::vector<InstructionEvidence>& list,
                   EvidenceShown shown,
                   Table& table) {
  const std::size_t count = shown == EvidenceShown::all ? list.size() : kSomeEvidence;
  for (std::size_t i = 0; i < std::min(count, list.size()); ++i) {
    table.row({StyledText(label, Role::dim), evidence_text(list[i])});
  }
}

void cpu_rows(const X86Verdict& cpu, EvidenceShown shown, Table& table) {
  const std::string extras =
      cpu.extras.empty() ? "" : fmt::format(" and {}", to_string(cpu.extras));
  table.row({StyledText("built for", Role::dim), std::string(to_string(cpu.built_for)) + extras});
  evidence_rows("", cpu.evidence, shown, table);
  evidence_rows("but", cpu.exceptions, shown, table);
  for (const DispatchedLevel& level : cpu.dispatched) {
    table.row({StyledText("dispatches", Role::dim),
               fmt::format("{}: {}, such as {}",
                           to_string(level.level),
                           human_count(level.functions, "function"),
                           level.example.function)});
  }
  for (const BrokenPromise& broken : cpu.broken_promises) {
    table.row({StyledText("exceeds", Role::dim),
               fmt::format("{} is named for {} and needs {}",
                           broken.function,
                           broken.promise,
                           to_string(broken.beyond))});
  }
}

void arm_cpu_rows(const ArmVerdict& cpu, EvidenceShown shown, Table& table) {
  const std::string extras =
      cpu.extras.empty() ? "" : fmt::format(" and {}", to_string(cpu.extras));
  table.row({StyledText("built for", Role::dim), std::string(to_string(cpu.built_for)) + extras});
  const std::size_t count = shown == EvidenceShown::all ? cpu.evidence.size() : kSomeEvidence;
  for (std::size_t i = 0; i < std::min(count, cpu.evidence.size()); ++i) {
    const ArmEvidence& evidence = cpu.evidence[i];
    table.row({StyledText("", Role::dim),
               fmt::format("{:#x} in {} needs {}",
                           evidence.address,
                           evidence.function,
                           to_string(evidence.feature))});
  }
  if (cpu.chosen_functions != 0) {
    table.row({StyledText("dispatches", Role::dim),
               fmt::format("{}{}{}",
                           human_count(cpu.chosen_functions, "function"),
                           cpu.dispatched.empty() ? "" : " for ",
                           to_string(cpu.dispatched))});
  }
}

}  // namespace

std::string audited_file_text(const AuditedFile& file, const Theme& theme, EvidenceShown evidence) {
  Table table;
  table.indent(2).column("").column("", Table::Align::left, Table::Wrap::words);
  const auto fact = [&](std::string_view label, const std::string& words) {
    if (!words.empty()) {
      table.row({StyledText(label, Role::dim), words});
    }
  };
  fact("kind",
       fmt::format("{}{}{}, {}",
                   to_string(file.kind),
                   file.machine.empty() ? "" : " ",
                   file.machine,
                   human_bytes(file.bytes)));
  fact("soname", file.soname.value_or(""));
  fact("needs", fmt::format("{}", fmt::join(file.needed, " ")));
  fact("rpath", file.rpath.value_or(""));
  fact("runpath", file.runpath.value_or(""));
  if (file.glibc_floor) {
    fact("glibc",
         fmt::format("{} or newer ({} of {})",
                     to_string(file.glibc_floor->version),
                     file.glibc_floor->name,
                     file.glibc_floor->library));
  }
  if (file.cpu) {
    cpu_rows(*file.cpu, evidence, table);
  }
  if (file.arm_cpu) {
    arm_cpu_rows(*file.arm_cpu, evidence, table);
  }
  if (file.slice) {
    fact("sliced", slice_words(*file.slice));
  }
  if (file.marker && file.marker->isa_needed) {
    fact("marker",
         fmt::format(
             "the ELF note asks for x86-64-v{}: a loader refuses less, whatever the code needs",
             *file.marker->isa_needed));
  }
  fact("remark", file.remark);
  for (const MalformedCode& bad : file.gpu.malformed) {
    fact("malformed", fmt::format("{}+{:#x}: {}", bad.place, bad.offset, bad.message));
  }
  if (!file.targets.empty()) {
    fact("gpu code",
         fmt::format("{} in {}",
                     human_count(file.gpu.entry_count(), "entry", "entries"),
                     human_count(file.gpu.containers.size(), "container")));
  }
  std::string text = paint(printable(file.path), Role::strong, theme) + "\n" + table.render(theme);
  return file.targets.empty() ? text : text + totals_table(file.targets, theme);
}

std::string audit_totals_text(const std::vector<AuditedFile>& files, const Theme& theme) {
  std::vector<std::vector<TargetTotal>> all;
  std::uint64_t bytes = 0;
  for (const AuditedFile& file : files) {
    all.push_back(file.targets);
    bytes += file.bytes;
  }
  const std::vector<TargetTotal> totals = merge_totals(all);
  std::string text = fmt::format("{}, {}\n", human_count(files.size(), "file"), human_bytes(bytes));
  return totals.empty() ? text : text + totals_table(totals, theme);
}

}  // namespace fitment
