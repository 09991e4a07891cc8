// SPDX-License-Identifier: Apache-2.0
// The optional extension for wheels that need the binary interface of another package, such as a
// certain torch: namespace `abi_dependency`, feature = dependency, value = the start of its release
// number, meaning `==2.8.*`. What is supported follows from what is installed; nothing is run.
#pragma once

#include "variant/properties.h"
#include "wheel/version.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

struct AbiPackage {
  std::string name;
  Version version;
};

/// `torch 2.8.1` supports `2`, `2.8` and `2.8.1`. Versions with an epoch cannot be expressed.
SupportedNamespace abi_dependencies(const std::vector<AbiPackage>& installed);

/// Reads VARIANT_ABI_DEPENDENCY, `torch==2.8.0,numpy==2.1`, which stands for what is installed.
/// Items that cannot be read are left out and named in `ignored`.
std::vector<AbiPackage> parse_abi_dependencies(std::string_view text,
                                               std::vector<std::string>& ignored);

}  // namespace fitment
