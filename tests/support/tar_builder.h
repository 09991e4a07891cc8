// SPDX-License-Identifier: Apache-2.0
// Tar archives made byte by byte, honest and hostile ones.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

struct TarMember {
  std::string name;
  char type = '0';
  std::string data = {};
  std::string link = {};
  std::uint64_t mode = 0644;
  std::uint64_t uid = 0;
  std::uint64_t gid = 0;
  std::uint64_t mtime = 0;
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::string_view magic = std::string_view("ustar\00000", 8);
  /// A size that is not that of the data.
  std::string size_field = {};
};

namespace tar_detail {

inline std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 511) / 512 * 512);
  return bytes;
}

inline void put(std::string& block, std::size_t offset, std::string_view text) {
  block.replace(offset, text.size(), text);
}

inline void seal(std::string& block) {
  put(block, 148, "        ");
  unsigned sum = 0;
  for (const char c : block.substr(0, 512)) {
    sum += static_cast<unsigned char>(c);
  }
  put(block, 148, fmt::format("{:06o}", sum));
  block[154] = '\0';
}

}  // namespace tar_detail

/// One header block.
inline std::string tar_header(const TarMember& member) {
  using tar_detail::put;
  std::string block(512, '\0');
  put(block, 0, std::string_view(member.name).substr(0, 100));
  put(block, 100, fmt::format("{:07o}", member.mode));
  put(block, 108, fmt::format("{:07o}", member.uid));
  put(block, 116, fmt::format("{:07o}", member.gid));
  put(block,
      124,
      member.size_field.empty() ? fmt::format("{:011o}", member.data.size()) : member.size_field);
  put(block, 136, fmt::format("{:011o}", member.mtime));
  block[156] = member.type;
  put(block, 157, std::string_view(member.link).substr(0, 100));
  put(block, 257, member.magic);
  put(block, 329, fmt::format("{:07o}", member.major));
  put(block, 337, fmt::format("{:07o}", member.minor));
  tar_detail::seal(block);
  return block;
}

inline std::string tar_member(const TarMember& member) {
  return tar_header(member) + tar_detail::padded(member.data);
}

/// `key=value` records as an extended header in front of an entry (or of all: type g).
inline std::string tar_pax(const std::vector<std::pair<std::string, std::string>>& records,
                           char type = 'x') {
  std::string text;
  for (const auto& [key, value] : records) {
    const std::size_t rest = key.size() + value.size() + 3;
    std::size_t length = rest;
    while (length != rest + std::to_string(length).size()) {
      length = rest + std::to_string(length).size();
    }
    text += fmt::format("{} {}={}\n", length, key, value);
  }
  return tar_member({.name = "PaxHeaders/x", .type = type, .data = text});
}

inline std::string tar_end() {
  return std::string(1024, '\0');
}

/// A whole archive.
inline std::string tar_archive(const std::vector<TarMember>& members) {
  std::string bytes;
  for (const TarMember& member : members) {
    bytes += tar_member(member);
  }
  return bytes + tar_end();
}

}  // namespace fitment
