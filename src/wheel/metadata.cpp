// SPDX-License-Identifier: Apache-2.0
#include "wheel/metadata.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <utility>

namespace fitment {

namespace {

struct Header {
  std::string name;   ///< lower case
  std::string value;  ///< folded lines joined by blanks
  Origin origin;      ///< of the value
};

bool is_header_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t") == std::string_view::npos;
}

std::vector<Header> read_headers(std::string_view bytes, const std::string& source) {
  std::vector<Header> headers;
  std::uint64_t number = 0;
  for (const std::string_view line : split_lines(bytes)) {
    ++number;
    const bool is_folded = line.starts_with(' ') || line.starts_with('\t');
    if (is_folded && !headers.empty()) {
      headers.back().value.append(" ").append(trim(line));
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_header_name(line.substr(0, colon))) {
      break;
    }
    const std::string_view value = trim(line.substr(colon + 1));
    const std::size_t column = value.empty() ? line.size() : line.find(value, colon + 1);
    headers.push_back(
        {to_lower(line.substr(0, colon)), std::string(value), {source, number, column + 1, {}}});
  }
  return headers;
}

Status apply_header(const Header& header, Metadata& metadata, bool& has_version) {
  if (header.name == "metadata-version") {
    metadata.metadata_version = header.value;
  } else if (header.name == "name") {
    if (!is_valid_name(header.value)) {
      return fail(ErrorCode::parse_error,
                  fmt::format("{} is not a package name", quote(header.value)))
          .at(header.origin);
    }
    metadata.name = header.value;
  } else if (header.name == "version") {
    auto version = Version::parse(header.value);
    if (!version) {
      return std::move(version).error().at(header.origin);
    }
    metadata.version = std::move(*version);
    has_version = true;
  } else if (header.name == "requires-dist") {
    FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(header.value, header.origin));
    metadata.requires_dist.push_back(std::move(requirement));
  } else if (header.name == "requires-python" && !header.value.empty()) {
    metadata.requires_python = header.value;
  } else if (header.name == "provides-extra" && !header.value.empty()) {
    metadata.provides_extra.push_back(header.value);
  }
  return {};
}

}  // namespace

Result<Metadata> parse_metadata(std::string_view bytes, const std::string& source) {
  Metadata metadata;
  bool has_version = false;
  for (const Header& header : read_headers(bytes, source)) {
    FITMENT_TRY(apply_header(header, metadata, has_version));
  }
  if (metadata.name.empty() || !has_version) {
    return fail(ErrorCode::parse_error,
                fmt::format("the metadata has no `{}`", metadata.name.empty() ? "Name" : "Version"))
        .at({source, {}, {}, {}})
        .hint("is this the METADATA file of a wheel?");
  }
  return metadata;
}

}  // namespace fitment
