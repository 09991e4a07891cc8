// SPDX-License-Identifier: Apache-2.0
#include "report/audit_functions.h"

#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

namespace fitment {

namespace {

Table functions_table() {
  Table table;
  table.indent(2)
      .column("address")
      .column("function")
      .column("needs", Table::Align::left, Table::Wrap::words)
      .column("first use")
      .column("reached", Table::Align::left, Table::Wrap::words);
  return table;
}

std::string with_source(std::string_view why, const std::string& from) {
  return from.empty() ? std::string(why) : fmt::format("{} ({})", why, from);
}

std::string reached_text(const X86FunctionNeeds& one, X86Level level) {
  if (one.is_data) {
    return "not judged: constants in text";
  }
  switch (one.reach) {
    case Reach::guarded:
      return "dispatched: " + with_source(one.why, one.from);
    case Reach::pointer:
    case Reach::direct:
      if (one.is_dispatched_above(level)) {
        return "dispatched: checks before it uses them";
      }
      return "no check seen: " + with_source(one.why, one.from);
    case Reach::unreferenced:
      break;
  }
  return one.is_dispatched_above(level) ? "dispatched: checks before it uses them"
                                        : "not referenced in the file";
}

std::string heading(std::string_view level, std::size_t functions, std::size_t dispatched) {
  return fmt::format(
      "  {} beyond {}, {} dispatched\n",
      human_count(functions, "function"),
      level,
      dispatched == functions && functions != 0 ? "all" : std::to_string(dispatched));
}

std::string x86_text(const std::vector<X86FunctionNeeds>& functions,
                     X86Level level,
                     const Theme& theme) {
  Table table = functions_table();
  std::size_t count = 0;
  std::size_t dispatched = 0;
  for (const X86FunctionNeeds& one : functions) {
    const X86Features beyond = one.features - features_of(level);
    if (beyond.empty() || (level != X86Level::v1 && level_of(one.features) <= level)) {
      continue;
    }
    ++count;
    dispatched += one.is_dispatched_above(level) && !one.is_data ? 1U : 0U;
    table.row({fmt::format("{:#x}", one.address),
               StyledText(one.function, Role::strong),
               to_string(beyond),
               fmt::format("{} at {:#x}", one.mnemonic, one.first),
               reached_text(one, level)});
  }
  return heading(to_string(level), count, dispatched) + table.render(theme);
}

std::string arm_text(const std::vector<ArmFunctionNeeds>& functions, const Theme& theme) {
  Table table = functions_table();
  std::size_t dispatched = 0;
  for (const ArmFunctionNeeds& one : functions) {
    dispatched += one.is_chosen ? 1U : 0U;
    table.row({fmt::format("{:#x}", one.address),
               StyledText(one.function, Role::strong),
               to_string(one.features),
               fmt::format("{:#x}", one.first),
               one.is_chosen ? fmt::format("dispatched: {}", one.why) : "no choice seen"});
  }
  return heading(to_string(ArmLevel::armv8_0), functions.size(), dispatched) + table.render(theme);
}

}  // namespace

std::string audited_functions_text(const AuditedFile& file, X86Level level, const Theme& theme) {
  if (file.cpu && file.cpu->listed) {
    return x86_text(*file.cpu->listed, level, theme);
  }
  return file.arm_cpu && file.arm_cpu->listed ? arm_text(*file.arm_cpu->listed, theme) : "";
}

}  // namespace fitment
