// SPDX-License-Identifier: Apache-2.0
#include "image/stocked_wheel.h"

#include "base/files.h"
#include "base/parallel.h"
#include "wheel/wheel_archive.h"
#include "wheel/zip_member.h"

#include <fmt/format.h>

#include <optional>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestMetadata = 16U << 20U;

Result<StockedWheel> read_stocked_wheel(const std::filesystem::path& path) {
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(path));
  FITMENT_TRY_ASSIGN(const WheelArchive archive, read_wheel_archive(*source));
  StockedWheel wheel{.filename = path.filename().string(), .bytes = source->size(), .metadata = {}};
  for (const ZipEntry& entry : archive.zip.entries) {
    wheel.unpacked_bytes += entry.size;
  }
  const std::string name = archive.dist_info + "/METADATA";
  const ZipEntry* entry = archive.zip.find(name);
  if (entry == nullptr) {
    return fail(ErrorCode::parse_error, fmt::format("the wheel has no `{}`", name))
        .at({path.string(), {}, {}, {}});
  }
  FITMENT_TRY_ASSIGN(const std::string text, read_zip_member(*source, *entry, kLargestMetadata));
  FITMENT_TRY_ASSIGN(wheel.metadata, parse_metadata(text, member_name(path.string(), name)));
  return wheel;
}

}  // namespace

Result<std::vector<StockedWheel>> read_stocked_wheels(const std::filesystem::path& folder) {
  FITMENT_TRY_ASSIGN(std::vector<std::string> names, list_folder(folder));
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".whl"); });
  std::vector<std::optional<Result<StockedWheel>>> read(names.size());
  for_each_index(
      names.size(), 0, [&](std::size_t i) { read[i] = read_stocked_wheel(folder / names[i]); });
  std::vector<StockedWheel> wheels;
  for (auto& one : read) {
    FITMENT_TRY_ASSIGN(StockedWheel wheel, std::move(*one));
    wheels.push_back(std::move(wheel));
  }
  return wheels;
}

}  // namespace fitment
