// SPDX-License-Identifier: Apache-2.0
// The program that installs: the pip of an interpreter, or uv.
#pragma once

#include "base/environment.h"
#include "base/error.h"
#include "wheel/version.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct Installer {
  enum class Kind {
    pip,
    uv,
  };
  Kind kind = Kind::pip;
  std::vector<std::string> command;  ///< `/venv/bin/python -m pip`, `/usr/bin/uv`
  Version version;
};
std::string_view to_string(Installer::Kind kind);

/// What `--version` printed: `pip 23.2.1 from ...`, `uv 0.9.2 (...)`. Error: external_tool.
Result<Version> parse_installer_version(Installer::Kind kind, std::string_view text);

/// `wanted` is `pip`, `uv`, a path of either, or empty: the interpreter's pip, else uv on PATH.
/// Runs it with --version. Errors: not_found (there is none), external_tool (it does not run),
/// unsupported (a pip that is too old).
Result<Installer> find_installer(const std::string& wanted,
                                 const std::string& python,
                                 const Environment& variables);

}  // namespace fitment
