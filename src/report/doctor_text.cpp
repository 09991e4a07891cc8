// SPDX-License-Identifier: Apache-2.0
#include "report/doctor_text.h"

#include "report/human.h"
#include "report/machine_text.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kIndent = 2;

Role role_of(Health health) {
  switch (health) {
    case Health::works:
      return Role::good;
    case Health::unsure:
      return Role::warning;
    case Health::broken:
      return Role::bad;
  }
  return Role::plain;
}

Role role_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return Role::bad;
    case Severity::warning:
      return Role::warning;
    case Severity::note:
      return Role::dim;
  }
  return Role::plain;
}

/// Wrapped under its own beginning: the first line after `first`, the others after as many blanks.
std::string hanging(const StyledText& first, const StyledText& text, const Theme& theme) {
  const std::size_t indent = first.width();
  const std::vector<StyledText> lines =
      wrap(text, theme.width > indent + 20 ? theme.width - indent : 20);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out +=
        (i == 0 ? first.render(theme) : std::string(indent, ' ')) + lines[i].render(theme) + "\n";
  }
  return out;
}

std::string heading(const EnvironmentDiagnosis& diagnosis,
                    const Machine& machine,
                    const Theme& theme) {
  const PythonEnvironment& environment = diagnosis.environment;
  StyledText text;
  text.add(diagnosis.shown, Role::strong);
  text.add(fmt::format(
      " ({}{}) on {} ({})",
      to_string(environment.kind),
      environment.python_version ? ", Python " + *environment.python_version : std::string(),
      machine.name.empty() ? "this machine" : machine.name,
      gpus_and_driver(machine)));
  StyledText verdict;
  verdict.add(to_string(diagnosis.health), role_of(diagnosis.health));
  verdict.add("  ");
  std::string out = hanging(verdict, text, theme);
  out += paint(fmt::format("{}, {}\n",
                           human_count(diagnosis.distributions, "package"),
                           human_count(diagnosis.binaries, "binary", "binaries")),
               Role::dim,
               theme);
  return out;
}

std::string finding_text(const Finding& finding, const Theme& theme) {
  StyledText title;
  title.add(fmt::format("{}[{}]", to_string(finding.severity), finding.rule),
            role_of(finding.severity));
  title.add(": ");
  title.add(finding.subject, Role::strong);
  std::string out = hanging(StyledText(), title, theme);
  const std::string blanks(kIndent, ' ');
  out += hanging(StyledText(blanks), StyledText(finding.cause), theme);
  for (const std::string& line : finding.evidence) {
    StyledText dim;
    dim.add(line, Role::dim);
    out += hanging(StyledText(blanks + "- "), dim, theme);
  }
  if (!finding.fix.text.empty()) {
    out += hanging(StyledText(blanks + "fix: "), StyledText(finding.fix.text), theme);
  }
  for (const std::string& command : finding.fix.commands) {
    out += blanks + "     " + paint(printable(command), Role::literal, theme) + "\n";
  }
  return out;
}

/// Relative to the site folder or prefix that holds it.
std::string shown_path(const EnvironmentDiagnosis& diagnosis, const std::string& path) {
  std::vector<std::string> folders = diagnosis.environment.sites;
  folders.push_back(diagnosis.environment.prefix);
  for (const std::string& folder : folders) {
    if (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/') {
      return path.substr(folder.size() + 1);
    }
  }
  return path;
}

std::string libraries_text(const EnvironmentDiagnosis& diagnosis, bool all, const Theme& theme) {
  Table table;
  table.column("library")
      .column("")
      .column("file")
      .column("found by")
      .column("package", Table::Align::left, Table::Wrap::words);
  const auto owner = [](const std::string& name) { return name.empty() ? "-" : name; };
  for (const ReachableLibrary& library : diagnosis.libraries) {
    if (!all && library.copies.empty()) {
      continue;
    }
    table.row({library.soname,
               "loaded",
               shown_path(diagnosis, library.path),
               library.found_by == "entry" ? "path" : library.found_by,
               owner(library.owner)});
    for (const ReachableLibrary::Copy& copy : library.copies) {
      table.row({"", "also", shown_path(diagnosis, copy.path), copy.found_by, owner(copy.owner)});
    }
  }
  return table.empty() ? std::string()
                       : "\n" + paint(all ? "Libraries" : "Copies", Role::heading, theme) + "\n"
                             + table.render(theme);
}

}  // namespace

std::string doctor_text(const EnvironmentDiagnosis& diagnosis,
                        const Machine& machine,
                        const DoctorTextOptions& options,
                        const Theme& theme) {
  std::string out = heading(diagnosis, machine, theme);
  std::size_t notes = 0;
  for (const Finding& finding : diagnosis.findings) {
    if (finding.severity == Severity::note && !options.shows_notes) {
      ++notes;
    } else {
      out += "\n" + finding_text(finding, theme);
    }
  }
  for (const std::string& unknown : diagnosis.unknowns) {
    StyledText title;
    title.add("unknown", Role::warning);
    title.add("  ");
    out += "\n" + hanging(title, StyledText(unknown), theme);
  }
  if (notes > 0) {
    out += "\n"
           + paint(fmt::format("{} more; -v shows {}\n",
                               human_count(notes, "note"),
                               notes == 1 ? "it" : "them"),
                   Role::dim,
                   theme);
  }
  out += libraries_text(diagnosis, options.shows_libraries, theme);
  return out;
}

}  // namespace fitment
