// SPDX-License-Identifier: Apache-2.0
// What every check sees of one environment, and where it puts what it finds.
#pragma once

#include "catalog/catalog.h"
#include "doctor/finding.h"
#include "doctor/import_process.h"
#include "elf/symbol_bindings.h"
#include "machine/machine.h"
#include "stack/stack.h"
#include "stack/system_owners.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// One environment, read once. Pointers outlive it.
struct Examination {
  const FileView* view = nullptr;
  const Machine* machine = nullptr;
  const LibraryTable* libraries = nullptr;
  const CudaTables* cuda = nullptr;
  const Catalog* catalog = nullptr;
  bool is_whole_root = false;  ///< the system's libraries are the root's own, so they count
  /// The view is the machine's own disk, so libraries of its system count too.
  bool is_this_machine = false;
  bool verifies_digests = false;

  Stack stack;
  ImportProcess everything;
  std::vector<ImportProcess> alone;
  SymbolBindings bindings;  ///< of `everything`
  /// `everything` without LD_LIBRARY_PATH; none when it is not set.
  std::optional<ImportProcess> without_library_path;

  SystemOwners system_owners;

  std::vector<Finding> findings;
  std::vector<std::string> unknowns;  ///< what could not be judged, and why

  /// Libraries of the system that the view shows are those that the process will meet.
  [[nodiscard]] bool uses_system() const { return is_whole_root || is_this_machine; }
  /// A path for people: relative to the environment where it is inside.
  [[nodiscard]] std::string shown(std::string_view path) const;
  /// `nvidia-cudnn-cu12 9.10.2.21`, or the file name of a wheel.
  [[nodiscard]] std::string shown_distribution(std::size_t distribution) const;
  /// The distribution or system package that owns a path; empty: none.
  [[nodiscard]] std::string owner_text(std::string_view path) const;
  /// The same for people: `no package` where there is none.
  [[nodiscard]] std::string shown_owner(std::string_view path) const;

  /// Commands with the installer that was used: `uv pip install` or `pip install`; `pip download`
  /// for wheels.
  [[nodiscard]] std::string install_command(std::string_view requirements) const;
  [[nodiscard]] std::string uninstall_command(std::string_view names) const;
  [[nodiscard]] std::string reinstall_command(const InstalledDistribution& distribution) const;

 private:
  [[nodiscard]] std::string_view installer() const;
};

/// GPUs that count: discrete ones, or integrated ones where there is no other (design 5.3).
std::vector<const Gpu*> counted_gpus(const Machine& machine);

// Each check adds to `findings` and `unknowns`.
void check_libraries(
    Examination& examination);                 ///< missing-library, dlopen-missing, driver-library
void check_symbols(Examination& examination);  ///< symbol-missing
void check_copies(Examination& examination);   ///< foreign-library, duplicate-library
void check_records(Examination& examination);  ///< broken-record, duplicate-owner, shadowed-package
void check_requirements(Examination& examination);  ///< broken-requirement, pair-mismatch
void check_cudnn(Examination& examination);         ///< cudnn-mismatch
void check_cuda(Examination& examination);      ///< driver-too-old, mixed-cuda-majors, cpu-build
void check_gpu_code(Examination& examination);  ///< no-gpu-kernels, ptx-jit
void check_platform(Examination& examination);  ///< glibc-floor, cpu-level

}  // namespace fitment
