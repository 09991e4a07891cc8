// SPDX-License-Identifier: Apache-2.0
// Private to the native providers: the published override variables that were in force when the
// facts of a machine were taken.
#pragma once

#include "base/error.h"
#include "machine/machine.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// The value of a variable, unless it is empty or a later `--set` changed a fact whose key begins
/// with `fact`.
std::optional<std::string> forced_by(const Machine& machine,
                                     std::string_view variable,
                                     std::string_view fact);

/// An override that its provider could not read either.
Error bad_override(std::string_view variable, std::string_view value, std::string_view wanted);

}  // namespace fitment
