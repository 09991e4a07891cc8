// SPDX-License-Identifier: Apache-2.0
// Needed libraries that no search path yields, and names that a library opens at run time in vain.
#include "base/text.h"
#include "doctor/examination.h"
#include "elf/system_libraries.h"
#include "wheel/name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

class LibraryCheck {
 public:
  explicit LibraryCheck(Examination& examination) : x_(examination) {}

  void check(const ImportProcess& process) {
    for (const MissingLibrary& missing : process.closure.missing) {
      check_missing(process, missing);
    }
    for (const ImportProcess::Unopened& unopened : process.unopened) {
      check_unopened(process, unopened);
    }
    for (const FailedEntry& failed : process.closure.failed) {
      check_failed(process, failed);
    }
  }

  /// One finding a missing name, however many libraries need it.
  void report() {
    for (auto& [key, finding] : missing_) {
      x_.findings.push_back(std::move(finding));
    }
    for (auto& [key, finding] : unopened_) {
      x_.findings.push_back(std::move(finding));
    }
    if (!driver_users_.empty()) {
      report_driver_libraries();
    }
  }

 private:
  void check_missing(const ImportProcess& process, const MissingLibrary& missing);
  void check_unopened(const ImportProcess& process, const ImportProcess::Unopened& unopened);
  void check_failed(const ImportProcess& process, const FailedEntry& failed);
  void report_driver_libraries();
  [[nodiscard]] Severity severity_of(const ImportProcess& process,
                                     const MissingLibrary& missing) const;
  [[nodiscard]] std::string searched_text(const MissingLibrary& missing,
                                          const ClosureObject& user) const;
  [[nodiscard]] FindingFix fix_for(const std::string& soname, const std::string& user) const;
  [[nodiscard]] std::string wheel_for(const std::string& soname, const std::string& user) const;

  Examination& x_;
  std::map<std::string, Finding> missing_;
  std::map<std::string, Finding> unopened_;
  std::map<std::string, std::set<std::string>> driver_users_;
};

/// A requirement that brings the library: the most exact one that an installed package has, else
/// the wheel of the table.
std::string LibraryCheck::wheel_for(const std::string& soname, const std::string& user) const {
  const auto rows = x_.libraries->find_soname(soname);
  std::string found;
  const auto ask = [&](const InstalledDistribution& distribution) {
    for (const Requirement& requirement : distribution.metadata.requires_dist) {
      for (const NvidiaLibrary* row : rows) {
        const std::string text = row->wheel + to_string(requirement.specifiers);
        if (normalize_name(requirement.name) == row->wheel && text.size() > found.size()) {
          found = text;
        }
      }
    }
  };
  if (const auto owner = x_.stack.owner_of(user)) {
    ask(x_.stack.distributions[*owner]);
  }
  for (const InstalledDistribution& distribution : x_.stack.distributions) {
    ask(distribution);
  }
  if (!found.empty() || rows.empty()) {
    return found;
  }
  // Of several majors, the one whose other wheels are installed.
  for (const NvidiaLibrary* row : rows) {
    const std::string suffix = fmt::format("-cu{}", row->cuda_major);
    for (const InstalledDistribution& installed : x_.stack.distributions) {
      if (installed.name.starts_with("nvidia-") && installed.name.ends_with(suffix)) {
        return row->wheel;
      }
    }
  }
  return rows.back()->wheel;
}

FindingFix LibraryCheck::fix_for(const std::string& soname, const std::string& user) const {
  const std::string wheel = wheel_for(soname, user);
  if (!wheel.empty()) {
    const std::string name = wheel.substr(0, wheel.find_first_of("=<>!~ "));
    const InstalledDistribution* installed = x_.stack.find(name);
    if (installed != nullptr) {
      return {
          fmt::format(
              "`{}` is installed, but the library is not where it is looked for; install it again",
              name),
          {x_.reinstall_command(*installed)}};
    }
    return {fmt::format("install `{}`, which brings the library", wheel),
            {x_.install_command(fmt::format("'{}'", wheel))}};
  }
  const auto owner = x_.stack.owner_of(user);
  if (owner) {
    return {fmt::format(
                "install the system package that brings `{}`, or a build of `{}` that carries it",
                soname,
                x_.stack.distributions[*owner].name),
            {fmt::format("apt-file search {}", soname)}};
  }
  return {fmt::format("install the package that brings `{}`", soname),
          {fmt::format("apt-file search {}", soname)}};
}

/// How bad it is that this object misses a library.
Severity LibraryCheck::severity_of(const ImportProcess& process,
                                   const MissingLibrary& missing) const {
  const EntryRole role = process.role_of(missing.needed_by);
  if (!x_.uses_system()) {
    const bool may_be_there = x_.libraries->find_soname(missing.name).empty()
                              || !x_.machine->toolkits || !x_.machine->toolkits->empty();
    if (may_be_there) {
      return Severity::note;  // that machine's own libraries are not known
    }
  }
  return role == EntryRole::unreferred ? Severity::warning : Severity::error;
}

void LibraryCheck::check_missing(const ImportProcess& process, const MissingLibrary& missing) {
  const ClosureObject& user = process.closure.objects[missing.needed_by];
  const EntryRole role = process.role_of(missing.needed_by);
  if (role == EntryRole::may_open || role == EntryRole::interpreter
      || (!x_.uses_system() && is_runtime_library(missing.name))) {
    return;
  }
  if (comes_with_driver(missing.name)) {
    driver_users_[missing.name].insert(x_.shown(user.real_path));
    return;
  }
  Finding& finding = missing_[missing.name];
  const Severity severity = severity_of(process, missing);
  if (finding.rule.empty() || severity < finding.severity) {
    finding.severity = severity;
    finding.subject = fmt::format("{} needed by {}", missing.name, x_.shown(user.real_path));
  }
  if (finding.rule.empty()) {
    finding.rule = "missing-library";
    finding.cause =
        severity == Severity::note
            ? fmt::format("`{}` must come from the system of that machine", missing.name)
            : fmt::format("no search path yields `{}`", missing.name);
    finding.fix = fix_for(missing.name, user.real_path);
    for (const RejectedFile& rejected : missing.rejected) {
      finding.evidence.push_back(fmt::format("{} is not taken: {}", rejected.path, rejected.why));
    }
    finding.evidence.push_back("searched: " + searched_text(missing, user));
  }
  std::string line = fmt::format("{} ({}) needs it{}",
                                 x_.shown(user.real_path),
                                 x_.shown_owner(user.real_path),
                                 role == EntryRole::unreferred ? ", when it is loaded" : "");
  if (std::find(finding.evidence.begin(), finding.evidence.end(), line) == finding.evidence.end()) {
    finding.evidence.push_back(std::move(line));
  }
}

/// `nvidia/cusolver/lib, nvidia/cublas/lib (runpath); ld.so.cache`
std::string LibraryCheck::searched_text(const MissingLibrary& missing,
                                        const ClosureObject& user) const {
  std::vector<std::pair<FoundBy, std::vector<std::string>>> groups;
  for (const SearchedPlace& place : missing.searched) {
    if (groups.empty() || groups.back().first != place.by) {
      groups.push_back({place.by, {}});
    }
    const std::size_t colon = place.text.rfind(": /");
    if (colon != std::string::npos) {
      groups.back().second.push_back(
          x_.shown(record_path("/", std::string_view(place.text).substr(colon + 2))));
    }
  }
  if (groups.empty()) {
    return fmt::format("nowhere, since `{}` has no search path", user.name());
  }
  std::string text;
  for (const auto& [by, folders] : groups) {
    text += text.empty() ? "" : "; ";
    text += folders.empty() ? std::string(to_string(by))
                            : fmt::format("{} ({})", fmt::join(folders, ", "), to_string(by));
  }
  return text;
}

void LibraryCheck::check_unopened(const ImportProcess& process,
                                  const ImportProcess::Unopened& unopened) {
  const ClosureObject& user = process.closure.objects[unopened.object];
  // A library that is opened by a name of its own finds the file beside it.
  if (!unopened.names.is_required
      || (unopened.in_site && parent_folder(*unopened.in_site) == parent_folder(user.real_path))) {
    return;
  }
  const std::string names = fmt::format("{}", fmt::join(unopened.names.names, " or "));
  Finding& finding = unopened_[user.real_path + names];
  if (!finding.rule.empty()) {
    return;
  }
  // Who has no GPU never comes to open GPU libraries.
  const auto gpus = counted_gpus(*x_.machine);
  const bool wants_gpu =
      !x_.machine->gpus || std::any_of(gpus.begin(), gpus.end(), [](const Gpu* gpu) {
        return !gpu->vendor || *gpu->vendor == GpuVendor::nvidia;
      });
  finding.rule = "dlopen-missing";
  finding.subject = fmt::format("{} opened by {}", names, x_.shown(user.real_path));
  finding.evidence.push_back(
      fmt::format("{} belongs to {}", x_.shown(user.real_path), x_.shown_owner(user.real_path)));
  finding.evidence.push_back("the name is known from: " + unopened.names.known_from);
  if (unopened.in_site) {
    // An extension module has Python code beside it, which knows where wheels put libraries.
    const auto role = process.role_of(unopened.object);
    finding.severity = role == EntryRole::module || !wants_gpu ? Severity::note : Severity::warning;
    finding.cause = fmt::format(
        "the loader does not find `{}` by name; it is in {}", names, x_.shown(*unopened.in_site));
    finding.fix = {
        "nothing, where the package looks into site-packages itself; otherwise put the "
        "folder into LD_LIBRARY_PATH",
        {fmt::format("export LD_LIBRARY_PATH={}", parent_folder(*unopened.in_site))}};
    return;
  }
  finding.severity = !wants_gpu                                                  ? Severity::note
                     : process.role_of(unopened.object) == EntryRole::unreferred ? Severity::warning
                                                                                 : Severity::error;
  finding.cause = fmt::format("`{}` opens `{}` at run time, and no search path yields it",
                              file_name(user.real_path),
                              names);
  finding.fix = fix_for(unopened.names.names.back(), user.real_path);
}

void LibraryCheck::check_failed(const ImportProcess& process, const FailedEntry& failed) {
  const EntryRole role = process.roles[failed.entry];
  if ((role != EntryRole::module && role != EntryRole::preload)
      || failed.rejection == Rejection::foreign) {
    return;
  }
  Finding& finding = missing_[failed.name];
  finding.rule = "missing-library";
  finding.severity = Severity::error;
  finding.subject = x_.shown(failed.name);
  finding.cause = "the loader does not take the file";
  finding.evidence = {failed.why, "belongs to " + x_.shown_owner(failed.name)};
  const auto owner = x_.stack.owner_of(failed.name);
  if (owner) {
    finding.fix = {"install the package again",
                   {x_.reinstall_command(x_.stack.distributions[*owner])}};
  } else {
    finding.fix = {"replace the file", {}};
  }
}

void LibraryCheck::report_driver_libraries() {
  Finding finding{.rule = "driver-library",
                  .severity = Severity::note,
                  .subject = {},
                  .cause = {},
                  .evidence = {},
                  .fix = {}};
  std::vector<std::string> names;
  for (const auto& [name, users] : driver_users_) {
    names.push_back(name);
    finding.evidence.push_back(fmt::format(
        "{} is needed by {}{}",
        name,
        *users.begin(),
        users.size() > 1 ? fmt::format(" and {} more", users.size() - 1) : std::string()));
  }
  finding.subject = fmt::format("{}", fmt::join(names, ", "));
  finding.cause =
      "these come with the host's driver, or a container toolkit mounts them; they are not in this "
      "tree";
  finding.fix = {"run containers with the NVIDIA container toolkit (--gpus all)", {}};
  x_.findings.push_back(std::move(finding));
}

}  // namespace

void check_libraries(Examination& examination) {
  LibraryCheck check(examination);
  for (const ImportProcess& process : examination.alone) {
    check.check(process);
  }
  check.report();
}

}  // namespace fitment
