// SPDX-License-Identifier: Apache-2.0
// The fitment program that steps mount: for which processors it is, and the oldest C library that
// it starts with. A step that could not run it would fail after minutes, so it is looked at before.
#pragma once

#include "base/dotted_version.h"
#include "base/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

struct ImageProgram {
  std::string path;
  std::string arch;                          ///< `x86_64`, `aarch64`
  std::optional<DottedVersion> glibc_floor;  ///< none: it needs nothing of glibc by version
};

/// Reads its headers. Errors: not_found, parse_error and unsupported (not such a program).
Result<ImageProgram> read_image_program(const std::string& path);

/// `linux/arm64`, as OCI and builders say it, of `aarch64`.
std::string platform_of_arch(std::string_view arch);
/// `linux/arm64`, `arm64` or `aarch64` gives `aarch64`. Error: invalid_argument with the names.
Result<std::string> parse_image_arch(std::string_view text);

bool is_own_platform(std::string_view platform);

/// Whether programs of this platform run here: it is the kernel's own, or binfmt_misc has an
/// interpreter for it that containers see as well (flag F). Error: unsupported with the way out.
Status check_runs_here(std::string_view platform);

}  // namespace fitment
