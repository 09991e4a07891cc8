// SPDX-License-Identifier: Apache-2.0
#include "index/metadata_source.h"

#include "wheel/wheel_archive.h"
#include "wheel/zip_member.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestMetadataFile = 16ULL << 20U;
constexpr std::size_t kMostBytes = 64U << 20U;  ///< of texts that are kept

/// What names these bytes and no others; nullopt: nothing does.
std::optional<std::string> key_of(const SimpleFile& file) {
  if (const auto hash = file.hashes.find("sha256"); hash != file.hashes.end()) {
    return hash->second;
  }
  if (file.url.starts_with('/')) {
    std::error_code code;
    const auto time = std::filesystem::last_write_time(file.url, code);
    return fmt::format("{} {}", file.url, time.time_since_epoch().count());
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> MetadataSource::open(const IndexedFile& wheel) {
  const std::string& place = local_place(wheel);
  return place.empty() ? network_->open_file(wheel.file.url) : open_file_source(place);
}

Result<std::string> MetadataSource::read(const IndexedFile& wheel) {
  if (wheel.file.core_metadata && local_place(wheel).empty()) {
    return network_->get_file(wheel.file.url + ".metadata", kLargestMetadataFile);
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open(wheel));
  FITMENT_TRY_ASSIGN(const WheelArchive archive, read_wheel_archive(*source));
  const std::string name = archive.dist_info + "/METADATA";
  const ZipEntry* entry = archive.zip.find(name);
  if (entry == nullptr) {
    return fail(ErrorCode::parse_error, fmt::format("the wheel has no `{}`", name))
        .at({wheel.file.filename, {}, {}, {}});
  }
  return read_zip_member(*source, *entry, kLargestMetadataFile);
}

Result<std::string> MetadataSource::metadata_of(const IndexedFile& wheel) {
  const std::optional<std::string> key = key_of(wheel.file);
  if (key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto found = known_.find(*key); found != known_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->second;
    }
  }
  FITMENT_TRY_ASSIGN(std::string text, read(wheel));
  if (key && text.size() < kMostBytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known_.find(*key) == known_.end()) {
      recent_.emplace_front(*key, text);
      known_.emplace(*key, recent_.begin());
      bytes_ += text.size();
    }
    while (bytes_ > kMostBytes) {
      bytes_ -= recent_.back().second.size();
      known_.erase(recent_.back().first);
      recent_.pop_back();
    }
  }
  return text;
}

}  // namespace fitment
