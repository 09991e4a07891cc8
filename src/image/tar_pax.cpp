// SPDX-License-Identifier: Apache-2.0
#include "image/tar_pax.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

Error malformed(std::string_view what) {
  return fail(ErrorCode::parse_error, fmt::format("its extended header {}", what));
}

}  // namespace

Result<PaxRecords> parse_pax(std::string_view bytes) {
  PaxRecords records;
  while (!bytes.empty() && bytes.front() != '\0') {  // some writers pad with zeros
    const std::size_t blank = bytes.find(' ');
    const auto length = parse_unsigned(bytes.substr(0, std::min(blank, bytes.size())));
    if (blank == std::string_view::npos || !length || *length > bytes.size() || *length < blank + 3
        || bytes[*length - 1] != '\n') {
      return malformed("has a record whose length is wrong");
    }
    const std::string_view record = bytes.substr(blank + 1, *length - blank - 2);
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return malformed("has a record without a key");
    }
    records.emplace_back(record.substr(0, equals), record.substr(equals + 1));
    bytes.remove_prefix(*length);
  }
  return records;
}

std::string write_pax(const PaxRecords& records) {
  std::string text;
  for (const auto& [key, value] : records) {
    const std::size_t rest = key.size() + value.size() + 3;  // blank, equals sign, line end
    std::size_t length = rest;
    while (length != rest + std::to_string(length).size()) {
      length = rest + std::to_string(length).size();
    }
    text += fmt::format("{} {}={}\n", length, key, value);
  }
  return text;
}

const std::string* find_pax(const PaxRecords& records, std::string_view key) {
  const auto found = std::find_if(
      records.rbegin(), records.rend(), [&](const auto& record) { return record.first == key; });
  return found == records.rend() || found->second.empty() ? nullptr : &found->second;
}

}  // namespace fitment
