// SPDX-License-Identifier: Apache-2.0
// A small shared library or program in memory: one PT_LOAD over the whole file and a dynamic table.
// For tests of search rules and of damaged files; what needs real code is compiled with gcc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

struct ElfImage {
  std::vector<std::string> needed;
  std::optional<std::string> soname;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  std::optional<std::string> interpreter;
  std::uint64_t flags_1 = 0;
  std::uint16_t machine = 62;  ///< x86-64
  std::uint8_t elf_class = 2;  ///< 64-bit
  std::string extra;           ///< bytes after everything else
};

namespace elf_image_detail {

template <typename T>
void put(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xffU);
  }
}

inline void put_segment(std::string& bytes,
                        std::uint32_t type,
                        std::uint64_t at,
                        std::uint64_t size) {
  put<std::uint32_t>(bytes, type);
  put<std::uint32_t>(bytes, 6);
  for (const std::uint64_t field : {at, at, at, size, size, std::uint64_t{8}}) {
    put<std::uint64_t>(bytes, field);
  }
}

}  // namespace elf_image_detail

/// Addresses equal offsets. The layout is header, program headers, dynamic table, strings.
inline std::string build_elf_image(const ElfImage& image) {
  using elf_image_detail::put;
  using elf_image_detail::put_segment;
  std::string strings(1, '\0');
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
  const auto add = [&](std::uint64_t tag, const std::string& text) {
    entries.emplace_back(tag, strings.size());
    strings += text;
    strings += '\0';
  };
  for (const std::string& name : image.needed) {
    add(1, name);
  }
  for (const auto& [tag, text] :
       {std::pair{14U, image.soname}, {15U, image.rpath}, {29U, image.runpath}}) {
    if (text) {
      add(tag, *text);
    }
  }
  const std::uint64_t interpreter_at = strings.size();
  if (image.interpreter) {
    strings += *image.interpreter + '\0';
  }
  const std::uint16_t segment_count = image.interpreter ? 3 : 2;
  const std::uint64_t table_at = 64 + 56ULL * segment_count;
  const std::uint64_t strings_at = table_at + 16 * (entries.size() + 4);
  entries.insert(entries.end(),
                 {{5, strings_at}, {10, strings.size()}, {0x6ffffffb, image.flags_1}, {0, 0}});
  const std::uint64_t size = strings_at + strings.size() + image.extra.size();

  std::string bytes(
      "\x7f"
      "ELF",
      4);
  bytes += static_cast<char>(image.elf_class);
  bytes += std::string("\1\1\0\0\0\0\0\0\0\0\0", 11);
  put<std::uint16_t>(bytes, 3);
  put<std::uint16_t>(bytes, image.machine);
  put<std::uint32_t>(bytes, 1);
  for (const std::uint64_t field : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{0}}) {
    put<std::uint64_t>(bytes, field);
  }
  put<std::uint32_t>(bytes, 0);
  for (const std::uint16_t field : {std::uint16_t{64},
                                    std::uint16_t{56},
                                    segment_count,
                                    std::uint16_t{64},
                                    std::uint16_t{0},
                                    std::uint16_t{0}}) {
    put<std::uint16_t>(bytes, field);
  }
  put_segment(bytes, 1, 0, size);
  put_segment(bytes, 2, table_at, 16 * entries.size());
  if (image.interpreter) {
    put_segment(bytes, 3, strings_at + interpreter_at, image.interpreter->size() + 1);
  }
  for (const auto& [tag, value] : entries) {
    put<std::uint64_t>(bytes, tag);
    put<std::uint64_t>(bytes, value);
  }
  return bytes + strings + image.extra;
}

}  // namespace fitment
