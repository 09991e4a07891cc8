// SPDX-License-Identifier: Apache-2.0
// What is installed, with what `pip freeze` leaves out: variants, backends, where packages came
// from, the CUDA that the system has and the driver that all of it needs.
#pragma once

#include "base/error.h"
#include "catalog/catalog.h"
#include "elf/file_view.h"
#include "machine/machine.h"
#include "stack/python_environment.h"
#include "variant/properties.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct FrozenPackage {
  std::string name;                    ///< normalised
  std::string version;                 ///< normal form, with its local label
  std::string backend;                 ///< of the local label: `cu128`; empty where it has none
  std::optional<std::string> variant;  ///< label
  std::vector<VariantProperty> properties;  ///< of the variant
  std::optional<std::string> url;    ///< direct_url.json: installed from there, not by an index
  std::optional<std::string> index;  ///< that has such builds, as the catalogue knows it
  std::optional<std::string> installer;
  std::optional<DottedVersion> driver_floor;  ///< for its CUDA toolkit
  bool is_editable = false;
};

struct FrozenEnvironment {
  std::string path;
  std::optional<std::string> python;
  std::vector<FrozenPackage> packages;  ///< sorted by name
  std::vector<std::string> problems;    ///< what could not be read
  /// The highest of all packages; none: nothing needs an NVIDIA driver, as far as labels tell.
  std::optional<DottedVersion> driver_floor;
  std::string floor_of;  ///< the package that sets it

  [[nodiscard]] const FrozenPackage* find(const std::string& name) const;
};

/// Reads dist-info folders alone; nothing is imported. Damage is a problem in words.
FrozenEnvironment freeze_environment(const FileView& view,
                                     const PythonEnvironment& environment,
                                     const Catalog& catalog);

}  // namespace fitment
