// SPDX-License-Identifier: Apache-2.0
// toml++ 3.3 made safe for files from anywhere. Include this instead of <toml++/toml.h>, in .cpp
// files only.
//
// Two things in it trust the input: assertions that fire on text which the code behind them reports
// as an error (`[#`), and tests of characters that call "unreachable" what a file can contain (`é`
// or an Arabic letter outside quotes).
#pragma once

#include "base/error.h"

#define TOML_ASSERT(expr) static_assert(true)  // NOLINT(readability-identifier-naming)

#include <toml++/impl/forward_declarations.h>

// The only uses in unicode.h are in functions that ask whether a character is of some kind.
#pragma push_macro("TOML_UNREACHABLE")
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE return false  // NOLINT(readability-identifier-naming)
#include <toml++/impl/unicode.h>
#pragma pop_macro("TOML_UNREACHABLE")

#include <toml++/toml.h>

#include <string>
#include <utility>

namespace fitment {

/// What a user is told of a text that is no TOML; `place` is that of the fault in the user's file.
inline Error not_toml(const toml::parse_error& fault, Origin place) {
  return fail(ErrorCode::parse_error, "not valid TOML: " + std::string(fault.description()))
      .at(std::move(place))
      .hint(R"(strings stand in quotes and lists in brackets: `key = ["one", "two"]`)");
}

}  // namespace fitment
