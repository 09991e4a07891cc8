// SPDX-License-Identifier: Apache-2.0
// One page of a package index: which files of a package exist.
//
// Read are the Simple API in HTML (PEP 503, with 592 yanked, 629 version, 658 and 714 metadata) and
// in JSON (PEP 691, with 700 sizes and times), and the flat pages that `--find-links` takes. Real
// pages differ in where links lead: to another host, to a path from the root
// (download.pytorch.org), or relative to the page; each is resolved against the address that
// answered.
#pragma once

#include "base/error.h"
#include "wheel/url.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// What to ask an index for: JSON where it has it, for the sizes, and HTML that says it is a page.
inline constexpr std::string_view kSimplePageAccept =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, "
    "text/html;q=0.1";

/// Algorithm (`sha256`) to lower-case hexadecimal digits.
using FileHashes = std::map<std::string, std::string>;

/// One file that an index offers.
struct SimpleFile {
  std::string filename;  ///< without URL escapes
  std::string url;       ///< absolute, without fragment
  FileHashes hashes;
  std::optional<std::string> requires_python;  ///< as published; not checked
  std::optional<std::string> yanked;           ///< the reason, which may be empty
  /// Set where the METADATA can be had at `url + ".metadata"`, with its hashes if the index states
  /// them.
  std::optional<FileHashes> core_metadata;
  std::optional<std::uint64_t> size;       ///< bytes
  std::optional<std::string> upload_time;  ///< as published (RFC 3339)
};

/// The files of one package, in the order of the page.
struct SimplePage {
  std::string name;  ///< from JSON, else the last folder of the page's address, else empty
  std::vector<SimpleFile> files;
  std::vector<std::string> versions;  ///< as the index lists them (PEP 700); empty in HTML
};

/// Links to anything but wheels, source distributions and variant files are left out. Error:
/// unsupported for a newer major version of the API.
Result<SimplePage> parse_simple_html(std::string_view bytes, std::string_view base_url);

/// Error: parse_error with line and column; unsupported for a newer major version of the API.
Result<SimplePage> parse_simple_json(std::string_view bytes, std::string_view base_url);

}  // namespace fitment
