// SPDX-License-Identifier: Apache-2.0
// Writes a framework as a file of the catalogue, so that refreshed builds can be laid over the
// embedded ones.
#pragma once

#include "catalog/framework.h"

#include <string>

namespace fitment {

/// TOML that parse_framework reads back to the same value. Sources become ids in the order of their
/// first use.
std::string write_framework_toml(const Framework& framework);

}  // namespace fitment
