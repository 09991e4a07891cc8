// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_writer.h"

#include "wheel/quote.h"
#include "wheel/zip_format.h"
#include "wheel/zip_member.h"

#include <fmt/format.h>

#include <zlib.h>

#include <algorithm>
#include <chrono>

namespace fitment {

namespace {

using namespace zip_format;  // NOLINT(google-build-using-namespace): its numbers

constexpr std::size_t kBlock = 256U << 10U;

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

bool has_large_sizes(const ZipEntry& entry) {
  return entry.size >= kIn64Bits || entry.compressed_size >= kIn64Bits;
}

/// Raw deflate of a source, with its CRC.
struct Deflated {
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
};

Result<Deflated> deflate_source(const ByteSource& source, ScratchBytes& out) {
  z_stream stream{};
  constexpr int kMemory = 8;
  // Level 6 of zlib: the level that other archivers use, so the sizes of wheels stay comparable.
  if (deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return fail(ErrorCode::internal, "zlib could not be started");
  }
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> ended(&stream, &deflateEnd);
  std::string in;
  std::vector<char> block(kBlock);
  uLong crc = ::crc32(0, nullptr, 0);
  std::uint64_t done = 0;
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    if (stream.avail_in == 0 && done < source.size()) {
      in.resize(std::min<std::uint64_t>(kBlock, source.size() - done));
      FITMENT_TRY(source.read_exact(done, in.size(), in.data(), "a new member"));
      done += in.size();
      crc = ::crc32(crc, reinterpret_cast<const Bytef*>(in.data()), static_cast<uInt>(in.size()));
      stream.next_in = reinterpret_cast<Bytef*>(in.data());
      stream.avail_in = static_cast<uInt>(in.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    code = deflate(&stream, done == source.size() ? Z_FINISH : Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return fail(ErrorCode::internal, "zlib could not deflate");
    }
    FITMENT_TRY(out.append({block.data(), block.size() - stream.avail_out}));
  }
  return Deflated{static_cast<std::uint32_t>(crc), out.size()};
}

Result<std::uint32_t> crc_of(const ByteSource& source) {
  std::vector<char> block(std::min<std::uint64_t>(kBlock, source.size()));
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::uint64_t done = 0; done < source.size();) {
    const std::uint64_t part = std::min<std::uint64_t>(block.size(), source.size() - done);
    FITMENT_TRY(source.read_exact(done, part, block.data(), "a new member"));
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(part));
    done += part;
  }
  return static_cast<std::uint32_t>(crc);
}

std::string local_header(const ZipEntry& entry) {
  const bool large = has_large_sizes(entry);
  Fields extra;
  if (large) {
    extra.u16(kZip64Extra).u16(16).u64(entry.size).u64(entry.compressed_size);
  }
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
      .u16(extra.all().size())
      .bytes(entry.name)
      .bytes(extra.all())
      .all();
}

std::string central_record(const ZipEntry& entry) {
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
  FITMENT_TRY(sink_(bytes));
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
  return put(local_header(own));
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
    FITMENT_TRY(put(central_record(entry)));
  }
  const std::uint64_t size = at_ - start;
  const std::uint64_t count = written_.size();
  if (count >= kIn64Bits16 || start >= kIn64Bits || size >= kIn64Bits) {
    const std::uint64_t record = at_;
    FITMENT_TRY(put(Fields()
                        .u32(kZip64EndRecord)
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
                        .u64(record)
                        .u32(1)
                        .all()));
  }
  const std::uint64_t short_count = std::min<std::uint64_t>(count, kIn64Bits16);
  comment = comment.substr(0, kLongestComment);
  return put(Fields()
                 .u32(kEndRecord)
                 .u16(0)
                 .u16(0)
                 .u16(short_count)
                 .u16(short_count)
                 .u32(clipped(size))
                 .u32(clipped(start))
                 .u16(comment.size())
                 .bytes(comment)
                 .all());
}

}  // namespace fitment
