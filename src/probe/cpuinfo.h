// SPDX-License-Identifier: Apache-2.0
// /proc/cpuinfo: blocks of `key : value` lines, one block a CPU, with other keys on each
// architecture. It shows the kernel's view, and under emulation the view of another machine's
// kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace fitment {

struct Cpuinfo {
  enum class Shape {
    none,  ///< no CPU in it
    x86,
    arm,
    other,
  };
  Shape shape = Shape::none;
  std::string vendor;  ///< x86 vendor_id; arm64 `CPU implementer`, `0x41`
  std::string name;    ///< `model name`
  std::optional<std::uint32_t> family;
  std::optional<std::uint32_t> model;  ///< arm64: `CPU part`
  std::optional<std::uint32_t> stepping;
  /// Flags that every CPU has: where cores differ, a program may be moved to the weaker one.
  std::set<std::string> flags;
  bool has_flags = false;  ///< a flags line was there, perhaps empty
};

/// Never fails: what does not look like a line of the file is passed over. The identity is that of
/// the first CPU.
Cpuinfo parse_cpuinfo(std::string_view text);

}  // namespace fitment
