// SPDX-License-Identifier: Apache-2.0
#include "probe/cpuinfo.h"

#include "base/text.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace fitment {

namespace {

std::optional<std::uint32_t> small_number(std::string_view text) {
  const auto value = text.starts_with("0x") ? parse_hex(text) : parse_unsigned(text);
  if (!value || *value > std::numeric_limits<std::uint32_t>::max()) {
    return {};
  }
  return static_cast<std::uint32_t>(*value);
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  for (const std::string_view word : split_words(text)) {
    words.emplace(word);
  }
  return words;
}

void set_first(std::string& field, std::string_view value) {
  if (field.empty()) {
    field = value;
  }
}

void set_first(std::optional<std::uint32_t>& field, std::string_view value) {
  if (!field) {
    field = small_number(value);
  }
}

void add_flags(Cpuinfo& info, std::string_view value) {
  std::set<std::string> flags = words_of(value);
  if (info.has_flags) {
    std::set<std::string> common;
    std::set_intersection(info.flags.begin(),
                          info.flags.end(),
                          flags.begin(),
                          flags.end(),
                          std::inserter(common, common.end()));
    flags = std::move(common);
  }
  info.flags = std::move(flags);
  info.has_flags = true;
}

void read_line(Cpuinfo& info, std::string_view key, std::string_view value) {
  if (key == "vendor_id") {
    set_first(info.vendor, value);
    info.shape = Cpuinfo::Shape::x86;
  } else if (key == "CPU implementer") {
    set_first(info.vendor, value);
    info.shape = Cpuinfo::Shape::arm;
  } else if (key == "model name") {
    set_first(info.name, value);
  } else if (key == "cpu family") {
    set_first(info.family, value);
  } else if (key == "model" || key == "CPU part") {
    set_first(info.model, value);
  } else if (key == "stepping") {
    set_first(info.stepping, value);
  } else if (key == "flags" || key == "Features") {
    add_flags(info, value);
  } else if (key == "processor" && info.shape == Cpuinfo::Shape::none) {
    info.shape = Cpuinfo::Shape::other;
  }
}

}  // namespace

Cpuinfo parse_cpuinfo(std::string_view text) {
  Cpuinfo info;
  std::string_view last_flags;  // most CPUs repeat the line of the first
  for (const std::string_view line : split_lines(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view key = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "flags" || key == "Features") {
      if (info.has_flags && value == last_flags) {
        continue;
      }
      last_flags = value;
    }
    read_line(info, key, value);
  }
  return info;
}

}  // namespace fitment
