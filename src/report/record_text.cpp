// SPDX-License-Identifier: Apache-2.0
#include "report/record_text.h"

#include "base/text.h"
#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

std::string shown(const std::string& value) {
  constexpr std::size_t kDigest = 64;
  constexpr std::size_t kShort = 12;
  if (value.size() == kDigest && value.find_first_not_of("0123456789abcdef") == std::string::npos) {
    return value.substr(0, kShort);
  }
  return value.empty() ? "-" : value;
}

std::string file_words(const std::optional<RecordedFile>& file) {
  if (!file) {
    return "file unknown";
  }
  std::string words = file->name;
  if (file->size) {
    words += ", " + human_bytes(*file->size);
  }
  return words + (file->sha256 ? ", sha256 " + shown(*file->sha256) : ", digest unknown");
}

}  // namespace

std::string record_text(const LockRecord& record, const Theme& theme) {
  std::string text;
  for (const RecordedTarget& target : record.targets) {
    text += (text.empty() ? "" : "\n")
            + paint(printable(target.machine.name.empty() ? "this machine" : target.machine.name),
                    Role::strong,
                    theme)
            + "\n";
    Table table;
    table.column("").column("").column("", Table::Align::left, Table::Wrap::words).indent(2);
    for (const RecordedPackage& package : target.packages) {
      table.row({StyledText(package.requirement, Role::strong),
                 package.variant ? "variant " + *package.variant : package.backend,
                 file_words(package.file)});
    }
    text += table.render(theme);
    for (const std::string& name : target.outside) {
      text += fmt::format("  {}: nothing to choose\n", printable(name));
    }
  }
  return text;
}

std::string hold_text(const std::vector<HoldReport>& reports, const Theme& theme) {
  std::string text;
  for (const HoldReport& report : reports) {
    text +=
        (text.empty() ? "" : "\n")
        + paint(
            printable(report.target.empty() ? "this machine" : report.target), Role::strong, theme)
        + (report.holds() ? ": the record holds\n" : ": the record does not hold\n");
    Table table;
    table.column("").column("", Table::Align::left, Table::Wrap::words).indent(2);
    for (const HoldFinding& finding : report.findings) {
      const bool breaks = finding.weight == HoldFinding::Weight::breaks;
      const std::string about = finding.package.empty() ? "" : finding.package + ": ";
      table.row({StyledText(finding.rule, breaks ? Role::bad : Role::dim),
                 fmt::format("{}{}; {}: {} -> {}",
                             about,
                             finding.text,
                             finding.what,
                             shown(finding.before),
                             shown(finding.after))});
    }
    text += table.render(theme);
  }
  return text;
}

std::string changes_text(const std::vector<RecordChange>& changes, const Theme& theme) {
  Table table;
  table.column("target")
      .column("package")
      .column("what")
      .column("before", Table::Align::left, Table::Wrap::words)
      .column("after", Table::Align::left, Table::Wrap::words);
  for (const RecordChange& change : changes) {
    const auto side = [&](RecordChange::Kind absent, const std::string& value) {
      return change.kind == absent ? StyledText("-", Role::dim) : StyledText(shown(value));
    };
    table.row({StyledText(change.target, Role::dim),
               StyledText(change.package, Role::strong),
               change.what,
               side(RecordChange::Kind::only_after, change.before),
               side(RecordChange::Kind::only_before, change.after)});
  }
  return table.render(theme);
}

namespace {

std::string machine_comments(const Machine& machine) {
  std::string text;
  const auto& nvidia = machine.drivers.nvidia;
  if (nvidia.is_present()) {
    text += fmt::format("# NVIDIA driver {}, CUDA driver API {}\n",
                        nvidia.driver.version ? to_string(*nvidia.driver.version) : "unknown",
                        nvidia.driver.cuda_api ? to_string(*nvidia.driver.cuda_api) : "unknown");
  }
  for (const Toolkit& toolkit : machine.toolkits.value_or({})) {
    text += fmt::format("# on the system: {} {} in {}\n",
                        printable(toolkit.kind),
                        to_string(toolkit.version),
                        printable(toolkit.root));
  }
  return text;
}

std::string package_line(const FrozenPackage& package) {
  std::string line = package.url && package.is_editable ? "-e " + *package.url
                     : package.url                      ? package.name + " @ " + *package.url
                                                        : package.name + "==" + package.version;
  std::vector<std::string> notes;
  if (!package.backend.empty()) {
    notes.push_back("backend " + package.backend);
  }
  if (package.index && !package.url) {
    notes.push_back("from " + *package.index);
  }
  if (package.variant) {
    std::vector<std::string> properties;
    for (const VariantProperty& property : package.properties) {
      properties.push_back(to_string(property));
    }
    notes.push_back("variant " + *package.variant
                    + (properties.empty() ? "" : " (" + join(properties, ", ") + ")"));
  }
  if (package.driver_floor) {
    notes.push_back("needs driver " + to_string(*package.driver_floor));
  }
  return printable(line) + (notes.empty() ? "" : "  # " + printable(join(notes, ", "))) + "\n";
}

}  // namespace

std::string freeze_text(const std::vector<FrozenEnvironment>& environments,
                        const Machine& machine) {
  std::string text;
  for (const FrozenEnvironment& environment : environments) {
    text += text.empty() ? "" : "\n";
    text += fmt::format("# {}{}\n",
                        printable(environment.path),
                        environment.python ? ", Python " + printable(*environment.python) : "");
    text += machine_comments(machine);
    if (environment.driver_floor) {
      text += fmt::format("# needs NVIDIA driver {} or later, because of {}\n",
                          to_string(*environment.driver_floor),
                          printable(environment.floor_of));
    }
    for (const FrozenPackage& package : environment.packages) {
      text += package_line(package);
    }
  }
  return text;
}

}  // namespace fitment
