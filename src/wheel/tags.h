// SPDX-License-Identifier: Apache-2.0
// Compatibility tags (PEP 425, 600, 656, 703, 803): which wheels an interpreter on a Linux machine
// can load, best first.
#pragma once

#include "base/dotted_version.h"
#include "base/error.h"
#include "wheel/wheel_filename.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// `cp312-cp312-manylinux_2_28_x86_64`
struct Tag {
  std::string python;
  std::string abi;
  std::string platform;

  friend bool operator==(const Tag&, const Tag&) = default;
};
std::string to_string(const Tag& tag);

/// The part of an interpreter that decides about tags.
struct PythonVersion {
  std::string implementation = "cpython";  ///< `cpython` or `pypy`
  std::uint32_t major = 3;
  std::uint32_t minor = 0;
  bool free_threaded = false;  ///< built without the global interpreter lock

  friend bool operator==(const PythonVersion&, const PythonVersion&) = default;
};

/// Reads `3.12`, `3.12.3`, `3.13.0rc1`, `3.14t`, `3.13.1t`, `pypy3.10`, `cpython3.12`. Error:
/// parse_error.
Result<PythonVersion> parse_python_version(std::string_view text);

/// `3.14t`, `pypy3.10`
std::string to_string(const PythonVersion& python);

/// The tags that the interpreter accepts, in the order in which installers prefer them.
/// `arch` is the machine name (`x86_64`, `aarch64`); `libc_family` is `glibc` or `musl`, anything
/// else leaves only `linux_ARCH`.
std::vector<Tag> supported_tags(const PythonVersion& python,
                                std::string_view arch,
                                std::string_view libc_family,
                                const DottedVersion& libc_version);

/// The same for platforms that are named, best first.
std::vector<Tag> supported_tags(const PythonVersion& python, std::vector<std::string> platforms);

/// The platform tags of Windows on this machine: `win_amd64`. Empty for an unknown one.
std::vector<std::string> windows_platforms(std::string_view arch);

/// Position of the best supported tag that the wheel carries (0 is best); nullopt: it cannot be
/// installed there.
std::optional<std::size_t> best_rank(const WheelFilename& wheel, const std::vector<Tag>& supported);

/// A platform tag taken apart.
struct PlatformTag {
  enum class Family {
    manylinux,  ///< needs at least this glibc
    musllinux,  ///< needs at least this musl
    linux,      ///< built for one machine
    any,        ///< no machine code
    other,      ///< Windows, macOS and others: `arch` holds the whole tag
  };
  Family family = Family::any;
  std::uint32_t libc_major = 0;  ///< `manylinux2014` is glibc 2.17
  std::uint32_t libc_minor = 0;
  std::string arch;

  friend bool operator==(const PlatformTag&, const PlatformTag&) = default;
};

/// Error: parse_error for an empty tag or a manylinux or musllinux tag without its numbers.
Result<PlatformTag> parse_platform_tag(std::string_view text);

}  // namespace fitment
