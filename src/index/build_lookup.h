// SPDX-License-Identifier: Apache-2.0
// Private to the view: which row of the catalogue speaks for a wheel, from the name of its project,
// its version and its backend.
#pragma once

#include "catalog/catalog.h"
#include "index/project.h"
#include "machine/known.h"

#include <deque>
#include <optional>
#include <string>

namespace fitment {

/// What the builds of a project differ in.
enum class BuildMark {
  none,      ///< one build a version, for every machine
  label,     ///< the local label: torch
  address,   ///< the address that lists the file: paddlepaddle-gpu
  name,      ///< the project itself: cupy-cuda12x
  version,   ///< the version: onnxruntime-gpu
  cpu_only,  ///< nothing, but the CPU must be able to run it: tensorflow
};

/// A build with where the knowledge comes from.
struct FoundBuild {
  const Release* release = nullptr;  ///< absent: the catalogue has none for it
  const Build* build = nullptr;      ///< never null
  bool knows_kernels = true;         ///< false: the package is not in the catalogue
  std::string note;                  ///< empty where the catalogue has this very build
};

class BuildLookup {
 public:
  /// `arch` is the machine's. Error: what reading the catalogue gives.
  static Result<BuildLookup> create(const Catalog& catalog,
                                    const std::string& project,
                                    const Known<std::string>& arch);

  [[nodiscard]] BuildMark mark() const { return mark_; }
  /// Whose GPUs count; never null.
  [[nodiscard]] const Framework& framework() const { return *framework_; }
  [[nodiscard]] bool is_companion() const { return is_companion_; }

  /// The backend of a wheel; nullopt: nothing says one.
  [[nodiscard]] std::optional<Backend> backend_of(const IndexedFile& file) const;
  /// The row for this backend; of a version that the catalogue does not know, that of the nearest
  /// older one.
  FoundBuild find(const Version& version, const Backend& backend);
  /// The release that has exactly this version of the project; nullptr: none.
  [[nodiscard]] const Release* find_release(const Version& version) const;

 private:
  [[nodiscard]] std::string version_in(const Release& release) const;
  FoundBuild assume(const Backend& backend);

  const Framework* framework_ = nullptr;
  std::string project_;
  Known<std::string> arch_;
  BuildMark mark_ = BuildMark::none;
  bool is_known_ = false;  ///< the catalogue has the project
  bool is_companion_ = false;
  std::deque<Build> assumed_;
};

/// `cu128` of `cu128`, `rocm6.4` of `rocm6.4`, `cpu` of `cpu.cxx11.abi`; nullopt for labels that
/// name no backend.
std::optional<Backend> backend_of_label(const std::string& label);

}  // namespace fitment
