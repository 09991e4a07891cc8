// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_records.h"

#include "wheel/zip_format.h"

#include <algorithm>

namespace fitment {

namespace {

using namespace zip_format;  // NOLINT(google-build-using-namespace): its numbers

/// Little-endian fields, one after another.
class Fields {
 public:
  Fields& u16(std::uint64_t value) { return put(value, 2); }
  Fields& u32(std::uint64_t value) { return put(value, 4); }
  Fields& u64(std::uint64_t value) { return put(value, 8); }
  Fields& bytes(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  [[nodiscard]] const std::string& all() const { return bytes_; }

 private:
  Fields& put(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      bytes_ += static_cast<char>((value >> (8 * i)) & 0xffU);
    }
    return *this;
  }
  std::string bytes_;
};

std::uint64_t clipped(std::uint64_t value) {
  return std::min<std::uint64_t>(value, kIn64Bits);
}

}  // namespace

bool has_large_sizes(const ZipEntry& entry) {
  return entry.size >= kIn64Bits || entry.compressed_size >= kIn64Bits;
}

std::string zip_local_header(const ZipEntry& entry, std::string_view extra) {
  const bool large = has_large_sizes(entry);
  Fields fields;
  if (large) {
    fields.u16(kZip64Extra).u16(16).u64(entry.size).u64(entry.compressed_size);
  }
  fields.bytes(extra);
  return Fields()
      .u32(kLocalHeader)
      .u16(entry.version_needed)
      .u16(entry.flags)
      .u16(static_cast<std::uint16_t>(entry.method))
      .u16(entry.dos_time)
      .u16(entry.dos_date)
      .u32(entry.crc32)
      .u32(large ? kIn64Bits : entry.compressed_size)
      .u32(large ? kIn64Bits : entry.size)
      .u16(entry.name.size())
      .u16(fields.all().size())
      .bytes(entry.name)
      .bytes(fields.all())
      .all();
}

std::string zip_central_record(const ZipEntry& entry) {
  Fields zip64;
  for (const std::uint64_t value : {entry.size, entry.compressed_size, entry.local_offset}) {
    if (value >= kIn64Bits) {
      zip64.u64(value);
    }
  }
  Fields extra;
  if (!zip64.all().empty()) {
    extra.u16(kZip64Extra).u16(zip64.all().size()).bytes(zip64.all());
  }
  extra.bytes(entry.extra);
  return Fields()
      .u32(kCentralRecord)
      .u16(entry.version_made_by)
      .u16(entry.version_needed)
      .u16(entry.flags)
      .u16(static_cast<std::uint16_t>(entry.method))
      .u16(entry.dos_time)
      .u16(entry.dos_date)
      .u32(entry.crc32)
      .u32(clipped(entry.compressed_size))
      .u32(clipped(entry.size))
      .u16(entry.name.size())
      .u16(extra.all().size())
      .u16(entry.comment.size())
      .u16(0)
      .u16(entry.internal_attributes)
      .u32(entry.external_attributes)
      .u32(clipped(entry.local_offset))
      .bytes(entry.name)
      .bytes(extra.all())
      .bytes(entry.comment)
      .all();
}

std::string zip_end_records(std::uint64_t count,
                            std::uint64_t start,
                            std::uint64_t size,
                            std::string_view comment) {
  Fields records;
  if (count >= kIn64Bits16 || start >= kIn64Bits || size >= kIn64Bits) {
    records.u32(kZip64EndRecord)
        .u64(kZip64EndRecordBytes - 12)
        .u16(kMadeOnUnix | kVersionZip64)
        .u16(kVersionZip64)
        .u32(0)
        .u32(0)
        .u64(count)
        .u64(count)
        .u64(size)
        .u64(start)
        .u32(kZip64Locator)
        .u32(0)
        .u64(start + size)
        .u32(1);
  }
  const std::uint64_t short_count = std::min<std::uint64_t>(count, kIn64Bits16);
  comment = comment.substr(0, kLongestComment);
  return records.u32(kEndRecord)
      .u16(0)
      .u16(0)
      .u16(short_count)
      .u16(short_count)
      .u32(clipped(size))
      .u32(clipped(start))
      .u16(comment.size())
      .bytes(comment)
      .all();
}

}  // namespace fitment
