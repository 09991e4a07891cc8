// SPDX-License-Identifier: Apache-2.0
#include "gpucode/entry.h"

#include <fmt/format.h>

namespace fitment {

namespace {

constexpr std::uint64_t kDebugFlag = 0x2;
constexpr std::uint16_t kFirstCubinMinor = 7;  // of CUDA 12; 8 is CUDA 13
constexpr std::uint16_t kCubinMinorToCuda = 5;

}  // namespace

std::string_view to_string(CodeKind kind) {
  switch (kind) {
    case CodeKind::ptx:
      return "ptx";
    case CodeKind::cubin:
      return "cubin";
    case CodeKind::lto_ir:
      return "lto-ir";
    case CodeKind::code_object:
      return "code-object";
    case CodeKind::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(Compression compression) {
  switch (compression) {
    case Compression::none:
      return "none";
    case Compression::lz4:
      return "lz4";
    case Compression::zstd:
      return "zstd";
    case Compression::zlib:
      return "zlib";
    case Compression::unknown:
      break;
  }
  return "unknown";
}

bool GpuEntry::is_debug() const {
  return (flags & kDebugFlag) != 0;
}

std::string target_text(const GpuEntry& entry) {
  if (!entry.target) {
    return entry.target_text;
  }
  std::string text = to_string(*entry.target);
  if (entry.kind == CodeKind::lto_ir) {
    return "lto_" + text.substr(text.find('_') + 1);
  }
  return text;
}

std::string version_text(const GpuEntry& entry) {
  if (entry.kind == CodeKind::ptx && entry.version_major > 0) {
    return fmt::format("PTX {}.{}", entry.version_major, entry.version_minor);
  }
  if (entry.kind == CodeKind::cubin && entry.version_major == 1
      && entry.version_minor >= kFirstCubinMinor) {
    return fmt::format("CUDA {}", entry.version_minor + kCubinMinorToCuda);
  }
  return {};
}

}  // namespace fitment
