// SPDX-License-Identifier: Apache-2.0
#include "report/audit_needs_text.h"

#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"
#include "stack/file_closure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

/// The highest version of each family: `GLIBCXX_3.4.29` of all GLIBCXX; names without a number
/// stay.
class HighestVersions {
 public:
  void add(const std::string& name) {
    const std::size_t underscore = name.rfind('_');
    auto version = underscore == std::string::npos
                       ? Result<DottedVersion>(fail(ErrorCode::parse_error, "no number"))
                       : DottedVersion::parse(name.substr(underscore + 1));
    if (!version) {
      others_.insert(name);
      return;
    }
    const auto [place, is_new] = highest_.try_emplace(name.substr(0, underscore), *version);
    if (!is_new && place->second < *version) {
      place->second = std::move(*version);
    }
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& [family, version] : highest_) {
      text += fmt::format("{}{}_{}", text.empty() ? "" : " ", family, to_string(version));
    }
    for (const std::string& name : others_) {
      text += (text.empty() ? "" : " ") + name;
    }
    return text;
  }

 private:
  std::map<std::string, DottedVersion> highest_;
  std::set<std::string> others_;
};

const VersionsOfLibrary* versions_of(const AuditedFile& file, const std::string& library) {
  const auto found =
      std::find_if(file.versions.begin(), file.versions.end(), [&](const VersionsOfLibrary& one) {
        return one.library == library;
      });
  return found == file.versions.end() ? nullptr : &*found;
}

std::string file_needs(const AuditedFile& file, const Theme& theme) {
  Table table;
  table.indent(2).column("").column("", Table::Align::left, Table::Wrap::words);
  for (const std::string& library : file.needed) {
    HighestVersions highest;
    if (const VersionsOfLibrary* versions = versions_of(file, library)) {
      for (const std::string& name : versions->versions) {
        highest.add(name);
      }
    }
    table.row({library, StyledText(highest.text(), Role::dim)});
  }
  if (table.empty()) {
    table.row({StyledText("needs no library", Role::dim)});
  }
  return paint(printable(file.path), Role::strong, theme) + "\n" + table.render(theme);
}

/// A needed library over all files.
struct NeededLibrary {
  std::size_t files = 0;
  HighestVersions highest;
};

std::string sum_of_needs(const Audit& audit, const Theme& theme) {
  std::map<std::string, NeededLibrary> needed;
  std::set<std::string> brought;
  for (const AuditedFile& file : audit.files) {
    if (file.soname) {
      brought.insert(*file.soname);
    }
    for (const std::string& library : file.needed) {
      NeededLibrary& entry = needed[library];
      ++entry.files;
      if (const VersionsOfLibrary* versions = versions_of(file, library)) {
        for (const std::string& name : versions->versions) {
          entry.highest.add(name);
        }
      }
    }
  }
  Table table;
  table.column("library")
      .column("files", Table::Align::right)
      .column("from")
      .column("highest", Table::Align::left, Table::Wrap::words);
  for (const auto& [library, entry] : needed) {
    std::string_view from = "elsewhere";
    if (brought.contains(library)) {
      from = "these files";
    } else if (is_runtime_library(library)) {
      from = "system";
    } else if (comes_with_driver(library)) {
      from = "driver";
    }
    table.row({StyledText(library, Role::strong),
               std::to_string(entry.files),
               from,
               StyledText(entry.highest.text(), Role::dim)});
  }
  return table.render(theme);
}

}  // namespace

std::string audit_needs_text(const Audit& audit, const Theme& theme) {
  std::string text;
  std::size_t shown = 0;
  for (const AuditedFile& file : audit.files) {
    if (file.kind == BinaryKind::program || file.kind == BinaryKind::library) {
      text += (shown++ == 0 ? "" : "\n") + file_needs(file, theme);
    }
  }
  if (shown == 0) {
    return "no program or library\n";
  }
  return shown == 1 ? text : text + "\n" + sum_of_needs(audit, theme);
}

}  // namespace fitment
