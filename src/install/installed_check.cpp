// SPDX-License-Identifier: Apache-2.0
#include "install/installed_check.h"

#include "base/byte_source.h"
#include "base/digest.h"
#include "wheel/record_file.h"

#include <fmt/format.h>

#include <optional>

namespace fitment {

namespace {

using Kind = InstalledFault::Kind;

std::optional<Kind> check_file(const InstalledFile& file) {
  const auto source = open_file_source(file.path);
  if (!source) {
    return source.error().code() == ErrorCode::not_found ? Kind::missing : Kind::unreadable;
  }
  if (file.entry.size && (*source)->size() != *file.entry.size) {
    return Kind::size;
  }
  const auto sha256 = sha256_hex(**source);
  if (!sha256) {
    return Kind::unreadable;
  }
  return record_digest(*sha256) == file.entry.digest ? std::nullopt : std::optional(Kind::digest);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::missing:
      return "is missing";
    case Kind::size:
      return "has another size";
    case Kind::digest:
      return "has other bytes";
    case Kind::unreadable:
      return "cannot be read";
  }
  return "";
}

InstalledCheck check_installed(const InstalledDistribution& distribution) {
  InstalledCheck check;
  for (const InstalledFile& file : distribution.files) {
    if (file.entry.algorithm != "sha256") {
      continue;
    }
    ++check.files;
    if (const auto kind = check_file(file)) {
      check.faults.push_back(
          {*kind,
           fmt::format("{} {}", distribution.name, to_string(distribution.metadata.version)),
           file.path});
    }
  }
  return check;
}

}  // namespace fitment
