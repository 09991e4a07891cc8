// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_writer.h"

#include "wheel/quote.h"
#include "wheel/zip_deflate.h"
#include "wheel/zip_format.h"
#include "wheel/zip_member.h"
#include "wheel/zip_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace fitment {

namespace {

using namespace zip_format;  // NOLINT(google-build-using-namespace): its numbers

constexpr std::size_t kBlock = 256U << 10U;

}  // namespace

ZipTime ZipTime::of_epoch(std::int64_t seconds) {
  using namespace std::chrono;                // NOLINT(google-build-using-namespace)
  constexpr std::int64_t kFirst = 315532800;  // 1980-01-01
  constexpr std::int64_t kLast = 4354819198;  // 2107-12-31 23:59:58
  const sys_seconds at{std::chrono::seconds(std::clamp(seconds, kFirst, kLast))};
  const sys_days day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss clock(at - day);
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()) - 1980);
  return {static_cast<std::uint16_t>((static_cast<unsigned>(clock.hours().count()) << 11U)
                                     | (static_cast<unsigned>(clock.minutes().count()) << 5U)
                                     | (static_cast<unsigned>(clock.seconds().count()) / 2)),
          static_cast<std::uint16_t>((year << 9U) | (static_cast<unsigned>(date.month()) << 5U)
                                     | static_cast<unsigned>(date.day()))};
}

Status ZipWriter::put(std::string_view bytes) {
  FITMENT_TRY(output_(bytes));
  at_ += bytes.size();
  return {};
}

Status ZipWriter::put_data(const ByteSource& source, std::uint64_t offset, std::uint64_t count) {
  std::vector<char> block(std::min<std::uint64_t>(kBlock, count));
  while (count > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(block.size(), count);
    FITMENT_TRY(source.read_exact(offset, part, block.data(), "a member"));
    FITMENT_TRY(put({block.data(), part}));
    offset += part;
    count -= part;
  }
  return {};
}

Status ZipWriter::put_header(const ZipEntry& entry) {
  written_.push_back(entry);
  ZipEntry& own = written_.back();
  own.local_offset = at_;
  if (has_large_sizes(own)) {
    own.version_needed = std::max(own.version_needed, kVersionZip64);
  }
  return put(zip_local_header(own));
}

Status ZipWriter::copy(const ByteSource& archive, const ZipEntry& entry) {
  FITMENT_TRY_ASSIGN(const ZipDataPlace place, find_zip_data(archive, entry));
  ZipEntry own = entry;
  own.flags = static_cast<std::uint16_t>(own.flags & ~kDescriptor);
  FITMENT_TRY(put_header(own));
  return put_data(archive, place.offset, entry.compressed_size);
}

Status ZipWriter::add(const NewZipMember& member, const ByteSource& bytes) {
  constexpr std::size_t kLongestName = 0xffff;
  if (member.name.empty() || member.name.size() > kLongestName) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} cannot name a member of a zip archive", quote(member.name)));
  }
  ScratchBytes deflated(scratch_);
  Deflated result;
  if (member.method == ZipMethod::stored) {
    FITMENT_TRY_ASSIGN(result.crc, crc_of(bytes));
  } else {
    FITMENT_TRY_ASSIGN(result, deflate_source(bytes, deflated));
  }
  const bool is_stored = member.method == ZipMethod::stored || result.size >= bytes.size();
  const bool is_ascii = std::all_of(member.name.begin(), member.name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80;
  });
  constexpr unsigned kModeShift = 16;
  ZipEntry entry;
  entry.name = member.name;
  entry.method = is_stored ? ZipMethod::stored : ZipMethod::deflated;
  entry.flags = is_ascii ? std::uint16_t{0} : kUtf8;
  entry.crc32 = result.crc;
  entry.size = bytes.size();
  entry.compressed_size = is_stored ? bytes.size() : result.size;
  entry.dos_time = time_.time;
  entry.dos_date = time_.date;
  entry.version_made_by = kMadeOnUnix | kVersionDeflate;
  entry.version_needed = kVersionDeflate;
  entry.external_attributes = member.unix_mode << kModeShift;
  FITMENT_TRY(put_header(entry));
  if (is_stored) {
    return put_data(bytes, 0, bytes.size());
  }
  const std::unique_ptr<ByteSource> source = deflated.finish(member.name);
  return put_data(*source, 0, source->size());
}

Status ZipWriter::add(const NewZipMember& member, std::string_view bytes) {
  return add(member, *memory_source(std::string(bytes), member.name));
}

Status ZipWriter::finish(std::string_view comment) {
  const std::uint64_t start = at_;
  for (const ZipEntry& entry : written_) {
    FITMENT_TRY(put(zip_central_record(entry)));
  }
  return put(zip_end_records(written_.size(), start, at_ - start, comment));
}

}  // namespace fitment
