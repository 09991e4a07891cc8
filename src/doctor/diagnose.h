// SPDX-License-Identifier: Apache-2.0
// Will what is installed work on this machine? Stack + machine -> findings, from the files alone:
// nothing is loaded or run.
#pragma once

#include "catalog/catalog.h"
#include "doctor/finding.h"
#include "doctor/import_process.h"
#include "elf/file_view.h"
#include "machine/machine.h"
#include "stack/python_environment.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fitment {

enum class Health {
  works,
  unsure,  ///< nothing wrong was found, but a fact that decides is unknown
  broken,
};
std::string_view to_string(Health health);

/// A library of NVIDIA's that the process loads, and every other copy that it could reach.
struct ReachableLibrary {
  std::string soname;
  std::string path;
  std::string found_by;  ///< `rpath`, `LD_LIBRARY_PATH`, ...
  std::string how;       ///< ``RPATH `$ORIGIN/...` of `libtorch_cuda.so` ``
  std::string owner;     ///< `nvidia-cublas-cu12 12.8.4.1`; empty: no package
  struct Copy {
    std::string path;
    std::string found_by;  ///< `ld.so.cache`; `place`: only known by where it stands
    std::string owner;
  };
  std::vector<Copy> copies;
};

struct EnvironmentDiagnosis {
  PythonEnvironment environment;
  std::string shown;  ///< the prefix for people, as they gave it
  Health health = Health::works;
  std::vector<Finding> findings;  ///< ranked
  std::vector<std::string> unknowns;
  std::vector<ReachableLibrary> libraries;  ///< sorted by soname
  std::size_t distributions = 0;
  std::size_t binaries = 0;
  /// What was judged: everything in one process, then each distribution alone.
  std::vector<ImportProcess> processes;
};

struct DiagnosisInput {
  const FileView* view = nullptr;
  const Machine* machine = nullptr;
  const Catalog* catalog = nullptr;
  Environment variables;          ///< of the process that is judged
  bool is_whole_root = false;     ///< the view is the root of an image or system of its own
  bool is_this_machine = false;   ///< the machine is the one whose disk the view shows
  bool verifies_digests = false;  ///< contents are compared with RECORD, not only sizes
};

/// Errors: those of reading the catalogue.
Result<EnvironmentDiagnosis> diagnose(const DiagnosisInput& input, PythonEnvironment environment);

/// The worst of several.
Health worst_health(const std::vector<EnvironmentDiagnosis>& diagnoses);

}  // namespace fitment
