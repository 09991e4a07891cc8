// SPDX-License-Identifier: Apache-2.0
// Well-formed containers of GPU code without any GPU code in them, for tests and fuzz seeds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

/// An entry of an NVIDIA container; fields as in gpucode/container.h.
struct FatbinEntry {
  std::uint16_t kind = 2;
  std::uint32_t arch = 90;
  std::uint64_t flags = 0x11;
  std::uint64_t payload = 64;    ///< bytes, a multiple of 8
  std::uint32_t compressed = 0;  ///< exact size, 0 when not compressed
  std::uint64_t inflated = 0;
  std::uint16_t major = 1;
  std::uint16_t minor = 8;
  std::string text;    ///< after the header, padded to 8
  char fill = '\x5a';  ///< of the payload
};

namespace fatbin_detail {

inline void put(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) {
    bytes += i < 8 ? static_cast<char>((value >> (8 * i)) & 0xffU) : '\0';
  }
}

}  // namespace fatbin_detail

inline std::string build_fatbin_entry(const FatbinEntry& entry) {
  using fatbin_detail::put;
  std::string text = entry.text;
  text.resize((text.size() + 7) / 8 * 8);
  std::string bytes;
  put(bytes, entry.kind, 2);
  put(bytes, 0x0101, 2);
  put(bytes, 64 + text.size(), 4);
  put(bytes, entry.payload, 8);
  put(bytes, entry.compressed, 4);
  put(bytes, 0, 4);
  put(bytes, entry.minor, 2);
  put(bytes, entry.major, 2);
  put(bytes, entry.arch, 4);
  put(bytes, 0, 8);
  put(bytes, entry.flags, 8);
  put(bytes, 0, 8);
  put(bytes, entry.inflated, 8);
  return bytes + text + std::string(entry.payload, entry.fill);
}

/// Header and entries.
inline std::string build_fatbin(const std::vector<FatbinEntry>& entries) {
  std::string all;
  for (const FatbinEntry& entry : entries) {
    all += build_fatbin_entry(entry);
  }
  std::string bytes;
  fatbin_detail::put(bytes, 0xBA55ED50, 4);
  fatbin_detail::put(bytes, 1, 2);
  fatbin_detail::put(bytes, 16, 2);
  fatbin_detail::put(bytes, all.size(), 8);
  return bytes + all;
}

/// An AMD offload bundle: pairs of id and code object.
inline std::string build_bundle_of(
    const std::vector<std::pair<std::string, std::string>>& entries) {
  std::uint64_t at = 32;
  for (const auto& [id, code] : entries) {
    at += 24 + id.size();
  }
  std::string bytes = "__CLANG_OFFLOAD_BUNDLE__";
  std::string codes;
  fatbin_detail::put(bytes, entries.size(), 8);
  for (const auto& [id, code] : entries) {
    fatbin_detail::put(bytes, at + codes.size(), 8);
    fatbin_detail::put(bytes, code.size(), 8);
    fatbin_detail::put(bytes, id.size(), 8);
    bytes += id;
    codes += code;
  }
  return bytes + codes;
}

/// The same of ids and numbers of bytes.
inline std::string build_bundle(const std::vector<std::pair<std::string, std::uint64_t>>& entries) {
  std::vector<std::pair<std::string, std::string>> codes;
  for (const auto& [id, size] : entries) {
    codes.emplace_back(id, std::string(size, '\x7f'));
  }
  return build_bundle_of(codes);
}

/// A relocatable x86-64 object whose sections hold these bytes.
inline std::string build_object(const std::vector<std::pair<std::string, std::string>>& sections) {
  using fatbin_detail::put;
  std::string names(1, '\0');
  std::string data;
  std::string rows(64, '\0');
  const auto add = [&](const std::string& name, std::uint32_t type, const std::string& bytes) {
    data.resize((data.size() + 15) / 16 * 16);
    put(rows, names.size(), 4);
    put(rows, type, 4);
    put(rows, 2, 8);
    put(rows, 0, 8);
    put(rows, 64 + data.size(), 8);
    put(rows, bytes.size(), 8);
    put(rows, 0, 8);
    put(rows, 16, 8);
    put(rows, 0, 8);
    names += name + '\0';
    data += bytes;
  };
  for (const auto& [name, bytes] : sections) {
    add(name, 1, bytes);
  }
  const std::string last = ".shstrtab";
  add(last, 3, names + last + '\0');
  data.resize((data.size() + 7) / 8 * 8);
  std::string bytes(
      "\x7f"
      "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
      16);
  put(bytes, 1, 2);
  put(bytes, 62, 2);
  put(bytes, 1, 4);
  put(bytes, 0, 16);
  put(bytes, 64 + data.size(), 8);
  put(bytes, 0, 4);
  put(bytes, 64, 2);
  put(bytes, 0, 4);
  put(bytes, 64, 2);
  put(bytes, sections.size() + 2, 2);
  put(bytes, sections.size() + 1, 2);
  return bytes + data + rows;
}

}  // namespace fitment
