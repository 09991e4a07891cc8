// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_rewrite.h"

#include "wheel/zip_deflate.h"
#include "wheel/zip_format.h"
#include "wheel/zip_member.h"
#include "wheel/zip_records.h"

#include <algorithm>

namespace fitment {

namespace {

using namespace zip_format;  // NOLINT(google-build-using-namespace): its numbers

constexpr std::uint64_t kChangedLimit = 256U << 20U;  // of a member that is replaced

/// Members in the order of the file.
std::vector<const ZipEntry*> by_offset(const ZipDirectory& zip) {
  std::vector<const ZipEntry*> order;
  order.reserve(zip.entries.size());
  for (const ZipEntry& entry : zip.entries) {
    order.push_back(&entry);
  }
  std::sort(order.begin(), order.end(), [](const ZipEntry* a, const ZipEntry* b) {
    return a->local_offset < b->local_offset;
  });
  return order;
}

/// Extra fields of a local header but for zip64's, which holds the old sizes.
std::string without_zip64(std::string_view extra) {
  std::string kept;
  while (extra.size() >= 4) {
    const auto u16 = [&extra](std::size_t at) {
      return static_cast<std::size_t>(static_cast<unsigned char>(extra[at]))
             | (static_cast<std::size_t>(static_cast<unsigned char>(extra[at + 1])) << 8U);
    };
    const std::size_t size = std::min(4 + u16(2), extra.size());
    if (u16(0) != kZip64Extra) {
      kept += extra.substr(0, size);
    }
    extra.remove_prefix(size);
  }
  return kept;
}

/// The data of a member, with the sizes and CRC set in `own`.
Result<std::string> pack(std::string_view bytes, int level, ZipEntry& own) {
  own.flags = static_cast<std::uint16_t>(own.flags & ~kDescriptor);
  own.crc32 = crc_of(bytes);
  own.size = bytes.size();
  std::string data(bytes);
  if (own.method == ZipMethod::deflated) {
    FITMENT_TRY_ASSIGN(data, deflate_text(bytes, level));
  }
  own.compressed_size = data.size();
  return data;
}

}  // namespace

/// What the new archive consists of so far.
struct ZipRewrite::Built {
  Splice splice;
  /// The records of the new directory that belong to one of the old: a member before it, and its
  /// own.
  std::map<const ZipEntry*, std::string> records;
  std::uint64_t count = 0;

  void place(const ZipEntry* old, ZipEntry own, std::uint64_t offset) {
    own.local_offset = offset;
    records[old] += zip_central_record(own);
    ++count;
  }
};

/// Header and data of a member that keeps everything but its bytes.
Result<std::string> ZipRewrite::replacement(const ZipEntry& entry,
                                            std::string_view bytes,
                                            ZipEntry& own) const {
  FITMENT_TRY_ASSIGN(const ZipDataPlace place, find_zip_data(archive_, entry));
  int level = kUsualDeflateLevel;
  if (entry.method == ZipMethod::deflated) {
    FITMENT_TRY_ASSIGN(const std::string old, read_zip_member(archive_, entry, kChangedLimit));
    FITMENT_TRY_ASSIGN(const std::string old_data,
                       archive_.read(place.offset, entry.compressed_size, "a member"));
    FITMENT_TRY_ASSIGN(level, find_deflate_level(old, old_data));
  }
  own = entry;
  FITMENT_TRY_ASSIGN(const std::string data, pack(bytes, level, own));
  return zip_local_header(own, without_zip64(place.extra)) + data;
}

Status ZipRewrite::build(const ZipEntry& entry, Built& built) const {
  if (const auto added = added_.find(&entry); added != added_.end()) {
    ZipEntry own = entry;
    own.name = added->second.name;
    own.extra.clear();
    own.comment.clear();
    FITMENT_TRY_ASSIGN(const std::string data, pack(added->second.bytes, kUsualDeflateLevel, own));
    built.place(&entry, own, built.splice.size());
    built.splice.bytes(zip_local_header(own) + data);
  }
  if (removed_.contains(&entry)) {
    return {};
  }
  if (const auto replaced = replaced_.find(&entry); replaced != replaced_.end()) {
    ZipEntry own;
    FITMENT_TRY_ASSIGN(const std::string bytes, replacement(entry, replaced->second, own));
    built.place(&entry, own, built.splice.size());
    built.splice.bytes(bytes);
    return {};
  }
  built.place(&entry, entry, built.splice.size());
  built.splice.copy(entry.local_offset, entry.region_end - entry.local_offset);
  return {};
}

Result<Splice> ZipRewrite::plan() const {
  const std::vector<const ZipEntry*> order = by_offset(zip_);
  Built built;
  built.splice.copy(0, order.empty() ? zip_.offset : order.front()->local_offset);
  for (const ZipEntry* entry : order) {
    FITMENT_TRY(build(*entry, built));
  }
  const std::uint64_t start = built.splice.size();
  for (const ZipEntry& entry : zip_.entries) {
    built.splice.bytes(built.records[&entry]);
  }
  built.splice.bytes(
      zip_end_records(built.count, start, built.splice.size() - start, zip_.comment));
  return std::move(built.splice);
}

}  // namespace fitment
