// SPDX-License-Identifier: Apache-2.0
// Names of distributions and extras (PEP 503, PEP 685, core metadata).
#pragma once

#include <string>
#include <string_view>

namespace fitment {

/// Lower case, with each run of `-`, `_` and `.` as one `-`: the form in which names are compared.
std::string normalize_name(std::string_view name);

/// ASCII letters, digits, `-`, `_` and `.`; starts and ends with a letter or digit.
bool is_valid_name(std::string_view name);

}  // namespace fitment
