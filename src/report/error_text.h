// SPDX-License-Identifier: Apache-2.0
// Errors as people and programs read them. The only place that words the frame around an error's
// own text.
#pragma once

#include "base/error.h"
#include "report/terminal.h"

#include <string>
#include <string_view>

namespace fitment {

/// `error: ...`, `  while ...`, `  at file:line:column`, an empty line, `hint: ...` lines. One line
/// each, whatever the width, so that commands and paths can be copied and found.
std::string render_error(const Error& error, const Theme& theme);

/// One `fitment.error/1` document on one line (schemas/error.schema.json).
std::string render_error_json(const Error& error);

/// The name of an error code in JSON: `invalid_argument`.
std::string_view to_string(ErrorCode code);

}  // namespace fitment
