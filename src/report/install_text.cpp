// SPDX-License-Identifier: Apache-2.0
#include "report/install_text.h"

#include "base/shell.h"
#include "report/human.h"
#include "report/table.h"
#include "store/address.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// Where pip says that a package came from; empty where nobody says it.
std::string source_of(const std::string& name, const std::vector<ReportedPackage>& packages) {
  const auto found =
      std::find_if(packages.begin(), packages.end(), [&](const ReportedPackage& package) {
        return normalize_name(package.name) == name;
      });
  return found == packages.end() ? std::string() : shown_address(found->url);
}

StyledText versions_of(const InstalledChange& change) {
  StyledText text;
  if (change.before) {
    text.add(*change.before, Role::dim).add(change.after ? " -> " : "", Role::dim);
  }
  return text.add(change.after.value_or(""), Role::strong);
}

StyledText verb_of(const InstalledChange& change) {
  if (!change.after) {
    return {"removed", Role::warning};
  }
  return {change.before ? "changed" : "installed", Role::good};
}

std::string changes_table(const InstallReport& report, const Theme& theme) {
  Table table;
  table.column("").column("").column("").column("", Table::Align::left, Table::Wrap::words);
  for (const InstalledChange& change : report.outcome.changes) {
    table.row({verb_of(change),
               change.name,
               versions_of(change),
               StyledText(source_of(change.name, report.outcome.packages), Role::dim)});
  }
  return table.render(theme);
}

std::string preview_table(const InstallReport& report, const Theme& theme) {
  Table table;
  table.column("").column("").column("").column("", Table::Align::left, Table::Wrap::words);
  for (const ReportedPackage& package : report.outcome.packages) {
    table.row({"would install",
               normalize_name(package.name),
               StyledText(package.version, Role::strong),
               StyledText(shown_address(package.url), Role::dim)});
  }
  return table.render(theme)
         + fmt::format("would run: {}\n", printable(shell_line(report.command)));
}

std::string faults_text(const std::vector<InstalledFault>& faults, const Theme& theme) {
  std::string text;
  for (const InstalledFault& fault : faults) {
    text += fmt::format("{} {} of {} {}\n",
                        paint("damaged:", Role::bad, theme),
                        printable(fault.path),
                        printable(fault.distribution),
                        to_string(fault.kind));
  }
  return text;
}

std::string unmet_text(const std::vector<UnmetRequirement>& unmet, const Theme& theme) {
  std::string text;
  for (const UnmetRequirement& one : unmet) {
    text += fmt::format("{} {} was planned, {} is installed\n",
                        paint("not as planned:", Role::bad, theme),
                        printable(one.requirement),
                        printable(one.installed.value_or("nothing")));
  }
  return text;
}

}  // namespace

std::string install_text(const InstallReport& report, const Theme& theme) {
  if (!report.is_applied) {
    return preview_table(report, theme);
  }
  const InstallOutcome& outcome = report.outcome;
  std::string text = changes_table(report, theme) + faults_text(outcome.faults, theme)
                     + unmet_text(outcome.unmet, theme);
  if (outcome.changes.empty()) {
    text += "nothing to install: all is there\n";
  } else if (outcome.faults.empty()) {
    text += fmt::format("{} in {}; {} on disk as they were meant\n",
                        human_count(outcome.changes.size(), "package"),
                        printable(report.prefix),
                        human_count(outcome.checked_files, "file"));
  }
  return text;
}

std::string wheelhouse_text(const WheelhouseReport& report, const Theme& theme) {
  Table table;
  table.column("size", Table::Align::right).column("package").column("version").column("file");
  std::uint64_t total = 0;
  for (const WheelhouseFile& file : report.files) {
    total += file.size;
    table.row(
        {file.size > 0 ? human_bytes(file.size) : "", file.name, file.version, file.filename});
  }
  return table.render(theme)
         + (report.is_applied ? fmt::format("{}, {} in {}\n",
                                            human_count(report.files.size(), "wheel"),
                                            human_bytes(total),
                                            printable(report.folder))
                              : fmt::format("would fetch {} into {}\n",
                                            human_count(report.files.size(), "wheel"),
                                            printable(report.folder)))
         + fmt::format("there: {}\n", printable(shell_line(report.command)));
}

}  // namespace fitment
