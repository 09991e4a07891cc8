// SPDX-License-Identifier: Apache-2.0
#include "wheel/wheel_archive.h"

#include "wheel/quote.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace fitment {

namespace {

constexpr std::string_view kWheelFile = ".dist-info/WHEEL";

/// The one `NAME.dist-info` at the top that holds a WHEEL file.
std::optional<std::string> find_dist_info(const ZipDirectory& zip) {
  for (const ZipEntry& entry : zip.entries) {
    const std::string_view name = entry.name;
    if (name.ends_with(kWheelFile) && name.find('/') == name.rfind('/')) {
      return std::string(name.substr(0, name.find('/')));
    }
  }
  return std::nullopt;
}

}  // namespace

Result<WheelArchive> read_wheel_archive(const ByteSource& source) {
  WheelArchive wheel;
  FITMENT_TRY_ASSIGN(wheel.zip, read_zip_directory(source));
  std::optional<std::string> dist_info = find_dist_info(wheel.zip);
  if (!dist_info) {
    return fail(ErrorCode::unsupported,
                fmt::format("`{}` is a zip archive and no wheel: it has no `*.dist-info/WHEEL`",
                            source.name()))
        .hint("unpack it into a folder and name that");
  }
  wheel.dist_info = std::move(*dist_info);
  const std::string filename = std::filesystem::path(source.name()).filename().string();
  auto name = parse_wheel_filename(filename);
  if (!name) {
    return std::move(name).error().hint(
        "give the wheel back the name that it was published under: its tags stand there alone");
  }
  wheel.name = std::move(*name);
  return wheel;
}

std::string_view installed_place(std::string_view member) {
  const std::size_t top = member.find('/');
  if (top != std::string_view::npos && member.substr(0, top).ends_with(".data")) {
    for (const std::string_view scheme : {"/platlib/", "/purelib/"}) {
      if (member.substr(top).starts_with(scheme)) {
        return member.substr(top + scheme.size());
      }
    }
  }
  return member;
}

}  // namespace fitment
