// SPDX-License-Identifier: Apache-2.0
// What `fitment variant select` and `fitment variant providers` answer, as values.
#pragma once

#include "machine/machine.h"
#include "variant/metadata_rules.h"
#include "variant/select.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// One package version on one machine.
struct PackageSelection {
  std::string name;           ///< normalised
  std::string version;        ///< normal form
  std::string metadata_file;  ///< empty: there is none
  std::string schema;         ///< `0.1.1`; empty when the metadata are missing or unusable
  std::string unusable;       ///< why the metadata cannot be used
  std::vector<MetadataFinding> notes;
  std::vector<NamespaceAnswer> answers;
  WheelSelection selection;
};

struct MachineSelection {
  const Machine* machine = nullptr;
  std::string tags;  ///< `CPython 3.12 on linux x86_64 with glibc 2.35`; empty without wheels
  std::vector<PackageSelection> packages;
};

}  // namespace fitment
