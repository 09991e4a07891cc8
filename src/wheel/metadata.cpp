// SPDX-License-Identifier: Apache-2.0
#include "wheel/metadata.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace fitment {

namespace {

struct Header {
  std::string name;   ///< lower case
  std::string value;  ///< folded lines joined by blanks
  Origin origin;      ///< of the value
  std::size_t begin;  ///< of its lines in the bytes
  std::size_t end;
};

bool is_header_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t") == std::string_view::npos;
}

std::vector<Header> read_headers(std::string_view bytes, const std::string& source) {
  std::vector<Header> headers;
  std::uint64_t number = 0;
  for (const std::string_view line : split_lines(bytes)) {
    ++number;
    const auto begin = static_cast<std::size_t>(line.data() - bytes.data());
    const std::size_t end = std::min(bytes.find('\n', begin + line.size()), bytes.size() - 1) + 1;
    const bool is_folded = line.starts_with(' ') || line.starts_with('\t');
    if (is_folded && !headers.empty()) {
      headers.back().value.append(" ").append(trim(line));
      headers.back().end = end;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_header_name(line.substr(0, colon))) {
      break;
    }
    const std::string_view value = trim(line.substr(colon + 1));
    const std::size_t column = value.empty() ? line.size() : line.find(value, colon + 1);
    headers.push_back({to_lower(line.substr(0, colon)),
                       std::string(value),
                       {source, number, column + 1, {}},
                       begin,
                       end});
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

/// The header with the marker settled; empty where nothing requires it any more.
std::string settled_header(std::string_view header,
                           Requirement requirement,
                           const MarkerEnvironment& chosen) {
  std::variant<bool, Marker> rest = requirement.marker->settle_variant(chosen);
  if (const bool* answer = std::get_if<bool>(&rest)) {
    if (!*answer) {
      return "";
    }
    requirement.marker.reset();
  } else {
    requirement.marker = std::move(std::get<Marker>(rest));
  }
  const std::string_view line_end = header.ends_with("\r\n") ? "\r\n" : "\n";
  return fmt::format(
      "{}: {}{}", header.substr(0, header.find(':')), to_string(requirement), line_end);
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

Result<std::optional<std::string>> settle_variant_markers(std::string_view bytes,
                                                          const std::string& source,
                                                          const MarkerEnvironment& chosen) {
  std::string text;
  std::size_t done = 0;
  for (const Header& header : read_headers(bytes, source)) {
    if (header.name != "requires-dist" || header.value.find("variant_") == std::string::npos) {
      continue;
    }
    FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(header.value, header.origin));
    if (!requirement.marker || !requirement.marker->mentions_variant()) {
      continue;
    }
    text += bytes.substr(done, header.begin - done);
    text += settled_header(
        bytes.substr(header.begin, header.end - header.begin), std::move(requirement), chosen);
    done = header.end;
  }
  if (done == 0) {
    return std::optional<std::string>();
  }
  return std::optional(text.append(bytes.substr(done)));
}

}  // namespace fitment
