// SPDX-License-Identifier: Apache-2.0
#include "doctor/diagnose.h"

#include "doctor/examination.h"
#include "elf/architecture.h"
#include "elf/library_search.h"
#include "isa/features.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH";

SearchOptions search_options(const DiagnosisInput& input) {
  SearchOptions options;
  options.uses_system = input.is_whole_root || input.is_this_machine;
  if (!options.uses_system) {
    // Every system has these; which versions is for glibc-floor to say.
    options.preloaded = {"libc.so.6",
                         "libm.so.6",
                         "libdl.so.2",
                         "libpthread.so.0",
                         "librt.so.1",
                         "libutil.so.1",
                         "libresolv.so.2",
                         "ld-linux-x86-64.so.2",
                         "ld-linux-aarch64.so.1",
                         "libgcc_s.so.1",
                         "libstdc++.so.6",
                         "libz.so.1"};
  }
  if (const auto path = input.variables.find(kLibraryPath); path != input.variables.end()) {
    options.ld_library_path = path->second;
  }
  if (input.machine->cpu.level) {
    if (const auto level = parse_x86_level(*input.machine->cpu.level)) {
      options.cpu_level = static_cast<int>(*level) + 1;
    }
  }
  if (input.machine->system.arch) {
    options.machine = find_architecture(*input.machine->system.arch);
  }
  return options;
}

/// Folders where CUDA libraries stand by custom, whether the loader looks there or not.
std::vector<std::string> customary_folders(const Examination& x) {
  std::vector<std::string> folders;
  const auto names = x.uses_system() ? x.view->list("/usr/local") : std::vector<std::string>{};
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    if (name.starts_with("cuda")) {
      folders.push_back("/usr/local/" + name + "/lib64");
    }
  }
  for (const std::string& site : x.stack.environment.sites) {
    for (const NvidiaLibrary& library : x.libraries->libraries) {
      for (const std::string& folder : library.folders) {
        folders.push_back(join_path(site, folder));
      }
    }
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return folders;
}

std::vector<ReachableLibrary> list_libraries(const Examination& x) {
  const Closure& closure = x.everything.closure;
  LibrarySearch search(*x.view, closure.config);
  const std::vector<std::string> customary = customary_folders(x);
  std::vector<ReachableLibrary> libraries;
  for (const ClosureObject& object : closure.objects) {
    const std::string soname = object.name();
    if (x.libraries->find_soname(soname).empty()) {
      continue;
    }
    ReachableLibrary library{soname,
                             object.real_path,
                             std::string(to_string(object.found_by)),
                             object.how,
                             x.owner_text(object.real_path),
                             {}};
    std::set<std::string> seen{x.view->identity(object.real_path)};
    const LibrarySearchResult other = search.find(soname, {}, std::nullopt, std::nullopt);
    if (other.found && seen.insert(x.view->identity(other.found->real_path)).second) {
      library.copies.push_back({other.found->real_path,
                                std::string(to_string(other.found->by)),
                                x.owner_text(other.found->real_path)});
    }
    for (const std::string& folder : customary) {
      const auto real = x.view->resolve(join_path(folder, soname));
      if (real && seen.insert(x.view->identity(*real)).second) {
        library.copies.push_back({*real, "place", x.owner_text(*real)});
      }
    }
    libraries.push_back(std::move(library));
  }
  std::sort(libraries.begin(), libraries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.soname, a.path) < std::tie(b.soname, b.path);
  });
  return libraries;
}

/// Owners of the system's files are asked for only where there may be two copies of something.
bool loads_nvidia_library(const Examination& x) {
  const std::vector<ClosureObject>& objects = x.everything.closure.objects;
  return std::any_of(objects.begin(), objects.end(), [&](const ClosureObject& object) {
    return !x.libraries->find_soname(object.name()).empty();
  });
}

Health health_of(const Examination& x) {
  const bool is_broken = std::any_of(x.findings.begin(), x.findings.end(), [](const Finding& one) {
    return one.severity == Severity::error;
  });
  if (is_broken) {
    return Health::broken;
  }
  return x.unknowns.empty() ? Health::works : Health::unsure;
}

}  // namespace

std::string_view to_string(Health health) {
  switch (health) {
    case Health::works:
      return "works";
    case Health::unsure:
      return "unsure";
    case Health::broken:
      return "broken";
  }
  return "unknown";
}

Result<EnvironmentDiagnosis> diagnose(const DiagnosisInput& input, PythonEnvironment environment) {
  Examination x;
  x.view = input.view;
  x.machine = input.machine;
  x.catalog = input.catalog;
  FITMENT_TRY_ASSIGN(x.libraries, input.catalog->libraries());
  FITMENT_TRY_ASSIGN(x.cuda, input.catalog->cuda());
  x.is_whole_root = input.is_whole_root;
  x.is_this_machine = input.is_this_machine;
  x.verifies_digests = input.verifies_digests;
  x.stack = read_stack(*input.view, std::move(environment));

  const SearchOptions options = search_options(input);
  ImportModel model(*x.view, x.stack, *x.libraries, options);
  x.everything = model.everything();
  x.alone = model.each_alone();
  x.system_owners = SystemOwners::read(*x.view,
                                       x.uses_system() && loads_nvidia_library(x),
                                       x.stack.environment.kind == PythonEnvironmentKind::conda
                                           ? std::vector<std::string>{x.stack.environment.prefix}
                                           : std::vector<std::string>{});
  x.bindings = symbol_bindings(*x.view, x.everything.closure);
  if (!options.ld_library_path.empty()) {
    SearchOptions without = options;
    without.ld_library_path.clear();
    x.without_library_path = ImportModel(*x.view, x.stack, *x.libraries, without).everything();
  }

  for (const auto& check : {check_platform,
                            check_records,
                            check_requirements,
                            check_libraries,
                            check_symbols,
                            check_copies,
                            check_cudnn,
                            check_cuda,
                            check_gpu_code}) {
    check(x);
  }
  rank_findings(x.findings);

  EnvironmentDiagnosis diagnosis;
  diagnosis.health = health_of(x);
  diagnosis.libraries = list_libraries(x);
  diagnosis.distributions = x.stack.distributions.size();
  diagnosis.binaries = x.stack.binaries.size();
  diagnosis.findings = std::move(x.findings);
  diagnosis.unknowns = std::move(x.unknowns);
  diagnosis.processes.push_back(std::move(x.everything));
  std::move(x.alone.begin(), x.alone.end(), std::back_inserter(diagnosis.processes));
  diagnosis.environment = std::move(x.stack.environment);
  diagnosis.shown = diagnosis.environment.prefix;
  return diagnosis;
}

Health worst_health(const std::vector<EnvironmentDiagnosis>& diagnoses) {
  Health worst = Health::works;
  for (const EnvironmentDiagnosis& diagnosis : diagnoses) {
    worst = std::max(worst, diagnosis.health);
  }
  return worst;
}

}  // namespace fitment
