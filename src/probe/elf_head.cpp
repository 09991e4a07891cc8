// SPDX-License-Identifier: Apache-2.0
#include "probe/elf_head.h"

#include "elf/architecture.h"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace fitment {

namespace {

constexpr std::uint64_t kHeadSize = 16U << 10U;

/// A little-endian number; zero beyond the end.
template <typename T>
T number_at(std::string_view bytes, std::uint64_t offset) {
  T value = 0;
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) {
    for (std::size_t i = sizeof(T); i-- > 0;) {
      const auto byte = static_cast<unsigned char>(bytes[static_cast<std::size_t>(offset) + i]);
      value = static_cast<T>((std::uint64_t{value} << 8U) | byte);
    }
  }
  return value;
}

std::string text_at(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  constexpr std::uint64_t kLongestPath = 4096;
  if (offset >= bytes.size() || size > kLongestPath) {
    return {};
  }
  const std::string_view text =
      bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

std::optional<ElfHead> read_elf_head(const HostView& host, const std::string& path) {
  const auto bytes = host.read_part(path, 0, kHeadSize);
  constexpr std::string_view kMagic(
      "\x7f"
      "ELF\x02\x01",
      6);  // 64-bit, little-endian
  if (!bytes || !std::string_view(*bytes).starts_with(kMagic)) {
    return {};
  }
  ElfHead head;
  head.arch = architecture_name(
      static_cast<ElfMachine>(number_at<std::uint16_t>(*bytes, 18)));  // e_machine
  const auto table = number_at<std::uint64_t>(*bytes, 32);             // e_phoff
  const auto entry_size = number_at<std::uint16_t>(*bytes, 54);        // e_phentsize
  const auto count = number_at<std::uint16_t>(*bytes, 56);             // e_phnum
  constexpr std::uint32_t kInterpreter = 3;                            // PT_INTERP
  for (std::uint64_t i = 0; i < count && table < kHeadSize; ++i) {
    const std::uint64_t entry = table + i * entry_size;
    if (entry >= bytes->size()) {
      break;
    }
    if (number_at<std::uint32_t>(*bytes, entry) == kInterpreter) {
      head.interpreter = text_at(*bytes,
                                 number_at<std::uint64_t>(*bytes, entry + 8),
                                 number_at<std::uint64_t>(*bytes, entry + 32));
      break;
    }
  }
  return head;
}

}  // namespace fitment
