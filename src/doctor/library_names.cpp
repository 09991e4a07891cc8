// SPDX-License-Identifier: Apache-2.0
#include "doctor/library_names.h"

#include "base/text.h"
#include "elf/elf_file.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kWindow = 1U << 20U;
constexpr std::size_t kLongestName = 128;
constexpr std::string_view kInfix = ".so.";

bool is_name_character(char c) {
  return is_alnum(c) || c == '_' || c == '-' || c == '+' || c == '.';
}

/// The whole string around `.so.` at `at`; empty when it is none or the window cuts it.
std::string_view name_around(std::string_view bytes, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongestName && is_name_character(bytes[begin - 1])) {
    --begin;
  }
  std::size_t end = at + kInfix.size();
  while (end < bytes.size() && end - at < kLongestName
         && (is_digit(bytes[end]) || bytes[end] == '.')) {
    ++end;
  }
  const std::string_view name = bytes.substr(begin, end - begin);
  const bool is_whole = begin > 0 && (bytes[begin - 1] == '\0' || bytes[begin - 1] == '/')
                        && end < bytes.size() && bytes[end] == '\0';
  return is_whole && name.starts_with("lib") && is_digit(name.back()) ? name : std::string_view();
}

void find_in(const ByteSource& source, const ElfSection& section, std::set<std::string>& names) {
  if (!source.contains(section.offset, section.size)) {
    return;
  }
  // A window begins with the end of the one before, so that no name is cut.
  std::string bytes(1, '\0');
  for (std::uint64_t at = 0; at < section.size;) {
    const std::uint64_t count = std::min(kWindow, section.size - at);
    const std::size_t kept = bytes.size();
    bytes.resize(kept + count);
    if (!source.read_exact(section.offset + at, count, bytes.data() + kept, "constant data")) {
      return;
    }
    at += count;
    for (std::size_t found = bytes.find(kInfix); found != std::string::npos;
         found = bytes.find(kInfix, found + 1)) {
      const std::string_view name = name_around(bytes, found);
      if (!name.empty()) {
        names.emplace(name);
      }
    }
    bytes.erase(0, bytes.size() - std::min(bytes.size(), 2 * kLongestName));
  }
}

}  // namespace

std::set<std::string> find_library_names(const ByteSource& source) {
  std::set<std::string> names;
  const auto elf = ElfFile::read(source);
  if (!elf) {
    return names;
  }
  const auto sections = elf->read_sections();
  if (!sections) {
    return names;
  }
  for (const ElfSection& section : sections->all) {
    if (section.has_bytes() && section.name.starts_with(".rodata")) {
      find_in(source, section, names);
    }
  }
  return names;
}

}  // namespace fitment
