// SPDX-License-Identifier: Apache-2.0
#include "wheel/zip_directory.h"

#include "base/text.h"
#include "wheel/quote.h"
#include "wheel/zip_format.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>

namespace fitment {

namespace {

using namespace zip_format;  // NOLINT(google-build-using-namespace): its numbers

constexpr std::uint64_t kDirectoryLimit = 256ULL << 20U;  // a million members

/// What the end of the archive says about the central directory.
struct EndRecord {
  std::uint64_t offset = 0;     ///< where the record stands
  std::uint64_t directory = 0;  ///< offset of the central directory
  std::uint64_t size = 0;       ///< of the central directory
  std::uint64_t entries = 0;
  std::uint64_t end = 0;  ///< where the central directory must end: at the first end record
  std::string comment;
  bool is_zip64 = false;
};

Error damaged(const ByteSource& source, std::uint64_t offset, std::string message) {
  return fail(ErrorCode::parse_error, std::move(message)).at({source.name(), {}, {}, offset});
}

std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

std::uint32_t u16_at(std::string_view bytes, std::size_t at) {
  return u32_at(std::string(bytes.substr(at, 2)) + std::string(2, '\0'), 0);
}

Error no_end_record(const ByteSource& source, bool starts_as_zip) {
  if (!starts_as_zip) {
    return damaged(source, 0, fmt::format("`{}` is not a zip archive", source.name()))
        .hint("wheels are zip archives; they start with the bytes `PK`");
  }
  return damaged(source,
                 source.size(),
                 "the zip archive is cut short: it has no end of central directory")
      .hint(
          "the download or the copy is not complete; compare its size and SHA-256 with the "
          "index");
}

/// Finds the end record: the comment must reach to the last byte of the file.
Result<EndRecord> read_end_record(const ByteSource& source) {
  const std::uint64_t size = source.size();
  const std::uint64_t tail_size = std::min(size, kEndRecordBytes + kLongestComment);
  const std::uint64_t tail_offset = size - tail_size;
  FITMENT_TRY_ASSIGN(const std::string tail,
                     source.read(tail_offset, tail_size, "the end of the archive"));
  std::optional<std::uint64_t> short_of;  // an end record whose comment ends too early
  for (std::uint64_t back = kEndRecordBytes; back <= tail_size; ++back) {
    const std::size_t at = tail_size - back;
    if (u32_at(tail, at) != kEndRecord) {
      continue;
    }
    const std::uint64_t comment_size = u16_at(tail, at + 20);
    if (kEndRecordBytes + comment_size != back) {
      if (kEndRecordBytes + comment_size < back && !short_of) {
        short_of = tail_offset + at + kEndRecordBytes + comment_size;
      }
      continue;
    }
    ByteReader reader(std::string_view(tail).substr(at), tail_offset + at, source.name());
    EndRecord end;
    end.offset = tail_offset + at;
    end.end = end.offset;
    FITMENT_TRY(reader.skip(4));
    FITMENT_TRY_ASSIGN(const std::uint16_t disk, reader.u16());
    FITMENT_TRY_ASSIGN(const std::uint16_t directory_disk, reader.u16());
    FITMENT_TRY_ASSIGN(const std::uint16_t entries_here, reader.u16());
    FITMENT_TRY_ASSIGN(end.entries, reader.u16());
    FITMENT_TRY_ASSIGN(end.size, reader.u32());
    FITMENT_TRY_ASSIGN(end.directory, reader.u32());
    FITMENT_TRY(reader.skip(2));
    FITMENT_TRY_ASSIGN(end.comment, reader.bytes(comment_size));
    const bool is_split = (disk != 0 && disk != kIn64Bits16)
                          || (directory_disk != 0 && directory_disk != kIn64Bits16)
                          || entries_here != end.entries;
    if (is_split) {
      return fail(ErrorCode::unsupported, "the zip archive is split over several files")
          .at({source.name(), {}, {}, end.offset});
    }
    return end;
  }
  if (short_of) {
    return damaged(source,
                   *short_of,
                   fmt::format("{} bytes follow the end of the zip archive", size - *short_of))
        .hint("another program may read this archive in another way; repack it");
  }
  const std::string start =
      source.read(0, std::min<std::uint64_t>(size, 4), "the start").value_or("");
  return no_end_record(source, looks_like_zip(start));
}

/// Replaces what the end record says by the zip64 record, where there is one.
Status read_zip64_end(const ByteSource& source, EndRecord& end) {
  if (end.offset < kZip64LocatorBytes) {
    return {};
  }
  const std::uint64_t locator_offset = end.offset - kZip64LocatorBytes;
  FITMENT_TRY_ASSIGN(const std::string locator,
                     source.read(locator_offset, kZip64LocatorBytes, "the zip64 locator"));
  if (u32_at(locator, 0) != kZip64Locator) {
    return {};
  }
  ByteReader place(locator, locator_offset, source.name());
  FITMENT_TRY(place.skip(8));
  FITMENT_TRY_ASSIGN(const std::uint64_t offset, place.u64());
  if (offset > locator_offset || locator_offset - offset < kZip64EndRecordBytes) {
    return damaged(source, locator_offset + 8, "the zip64 locator points outside the archive");
  }
  FITMENT_TRY_ASSIGN(const std::string record,
                     source.read(offset, kZip64EndRecordBytes, "the zip64 end record"));
  ByteReader reader(record, offset, source.name());
  FITMENT_TRY_ASSIGN(const std::uint32_t signature, reader.u32());
  FITMENT_TRY_ASSIGN(const std::uint64_t record_size, reader.u64());
  if (signature != kZip64EndRecord || record_size != locator_offset - offset - 12) {
    return damaged(source, offset, "the zip64 end record is not where the locator says");
  }
  FITMENT_TRY(reader.skip(12));  // versions and disks
  FITMENT_TRY_ASSIGN(const std::uint64_t entries_here, reader.u64());
  FITMENT_TRY_ASSIGN(const std::uint64_t entries, reader.u64());
  FITMENT_TRY_ASSIGN(const std::uint64_t size, reader.u64());
  FITMENT_TRY_ASSIGN(const std::uint64_t directory, reader.u64());
  const bool agree = entries_here == entries
                     && (end.entries == kIn64Bits16 || end.entries == entries)
                     && (end.size == kIn64Bits || end.size == size)
                     && (end.directory == kIn64Bits || end.directory == directory);
  if (!agree) {
    return damaged(source, offset, "the two end records of the archive disagree");
  }
  end.entries = entries;
  end.size = size;
  end.directory = directory;
  end.end = offset;
  end.is_zip64 = true;
  return {};
}

/// The zip64 field holds, in this order, those of the numbers that do not fit 32 bits (4.5.3). It
/// is taken out of `extra`.
Status read_extra(std::string_view bytes,
                  std::uint64_t origin,
                  const ByteSource& source,
                  ZipEntry& entry) {
  ByteReader reader(bytes, origin, source.name());
  bool has_zip64 = false;
  while (reader.remaining() >= 4) {
    const std::uint64_t start = reader.position();
    FITMENT_TRY_ASSIGN(const std::uint16_t id, reader.u16());
    FITMENT_TRY_ASSIGN(const std::uint16_t size, reader.u16());
    if (size > reader.remaining()) {
      return damaged(
          source,
          origin + start,
          fmt::format("an extra field of member {} leaves its record", quote(entry.name)));
    }
    FITMENT_TRY_ASSIGN(const std::string_view data, reader.bytes(size));
    if (id != kZip64Extra) {
      entry.extra += bytes.substr(start, 4 + data.size());
      continue;
    }
    if (has_zip64) {
      return damaged(
          source, origin + start, fmt::format("member {} has two zip64 fields", quote(entry.name)));
    }
    has_zip64 = true;
    ByteReader values(data, origin + start + 4, source.name());
    for (std::uint64_t* value : {&entry.size, &entry.compressed_size, &entry.local_offset}) {
      if (*value == kIn64Bits) {
        FITMENT_TRY_ASSIGN(*value, values.u64());
      }
    }
  }
  return {};
}

Status check_name(const ByteSource& source, const ZipEntry& entry) {
  const std::string& name = entry.name;
  const auto refuse = [&](std::string_view why) {
    return damaged(source, entry.record_offset, fmt::format("member {} {}", quote(name), why))
        .hint("do not install this archive; its maker must name the member otherwise");
  };
  if (name.empty()) {
    return refuse("has no name");
  }
  if (name.find('\0') != std::string::npos) {
    return refuse("has a NUL in its name");
  }
  if (name.find('\\') != std::string::npos) {
    return refuse("has a backslash in its name, which some programs take for a folder");
  }
  if (name.front() == '/') {
    return refuse("has an absolute name");
  }
  for (const std::string_view part : split(name, '/')) {
    if (part == "..") {
      return refuse("would leave the folder that it is unpacked into");
    }
  }
  return {};
}

Result<ZipEntry> read_record(ByteReader& reader, std::uint64_t origin, const ByteSource& source) {
  ZipEntry entry;
  entry.record_offset = origin + reader.position();
  FITMENT_TRY_ASSIGN(const std::uint32_t signature, reader.u32());
  if (signature != kCentralRecord) {
    return damaged(source, entry.record_offset, "the central directory is damaged here");
  }
  FITMENT_TRY_ASSIGN(entry.version_made_by, reader.u16());
  FITMENT_TRY_ASSIGN(entry.version_needed, reader.u16());
  FITMENT_TRY_ASSIGN(entry.flags, reader.u16());
  FITMENT_TRY_ASSIGN(const std::uint16_t method, reader.u16());
  entry.method = static_cast<ZipMethod>(method);
  FITMENT_TRY_ASSIGN(entry.dos_time, reader.u16());
  FITMENT_TRY_ASSIGN(entry.dos_date, reader.u16());
  FITMENT_TRY_ASSIGN(entry.crc32, reader.u32());
  FITMENT_TRY_ASSIGN(entry.compressed_size, reader.u32());
  FITMENT_TRY_ASSIGN(entry.size, reader.u32());
  FITMENT_TRY_ASSIGN(const std::uint16_t name_size, reader.u16());
  FITMENT_TRY_ASSIGN(const std::uint16_t extra_size, reader.u16());
  FITMENT_TRY_ASSIGN(const std::uint16_t comment_size, reader.u16());
  FITMENT_TRY(reader.skip(2));  // the disk on which it starts
  FITMENT_TRY_ASSIGN(entry.internal_attributes, reader.u16());
  FITMENT_TRY_ASSIGN(entry.external_attributes, reader.u32());
  FITMENT_TRY_ASSIGN(entry.local_offset, reader.u32());
  FITMENT_TRY_ASSIGN(entry.name, reader.bytes(name_size));
  const std::uint64_t extra_offset = origin + reader.position();
  FITMENT_TRY_ASSIGN(const std::string_view extra, reader.bytes(extra_size));
  FITMENT_TRY_ASSIGN(entry.comment, reader.bytes(comment_size));
  if ((entry.flags & kMaskedDirectory) != 0) {
    return fail(ErrorCode::unsupported, "the directory of the zip archive is encrypted")
        .at({source.name(), {}, {}, entry.record_offset});
  }
  FITMENT_TRY(check_name(source, entry));
  FITMENT_TRY(read_extra(extra, extra_offset, source, entry));
  return entry;
}

/// Members in the order of the file must not share bytes. The local header's extra field is not
/// known yet: opening a member compares again.
Status set_regions(const ByteSource& source, ZipDirectory& directory) {
  std::vector<std::size_t> order(directory.entries.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return directory.entries[a].local_offset < directory.entries[b].local_offset;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    ZipEntry& entry = directory.entries[order[i]];
    const bool is_last = i + 1 == order.size();
    entry.region_end = is_last ? directory.offset : directory.entries[order[i + 1]].local_offset;
    const std::uint64_t head = kLocalHeaderBytes + entry.name.size();
    const bool fits = entry.local_offset <= entry.region_end
                      && entry.region_end - entry.local_offset >= head
                      && entry.region_end - entry.local_offset - head >= entry.compressed_size;
    if (!fits) {
      return is_last ? damaged(source,
                               entry.record_offset,
                               fmt::format("member {} leaves the archive", quote(entry.name)))
                     : damaged(source,
                               entry.record_offset,
                               fmt::format("members overlap: {} and {}",
                                           quote(entry.name),
                                           quote(directory.entries[order[i + 1]].name)))
                           .hint(
                               "archives like this unpack to more than they hold; do not install "
                               "it");
    }
  }
  return {};
}

Status check_unique(const ByteSource& source, const ZipDirectory& directory) {
  std::unordered_set<std::string_view> names;
  for (const ZipEntry& entry : directory.entries) {
    if (!names.insert(entry.name).second) {
      return damaged(source,
                     entry.record_offset,
                     fmt::format("two members have the name {}", quote(entry.name)))
          .hint("another program may take the other one; do not install this archive");
    }
  }
  return {};
}

}  // namespace

bool ZipEntry::is_encrypted() const {
  return (flags & (kEncrypted | kStrongEncryption)) != 0;
}

bool ZipEntry::has_descriptor() const {
  return (flags & kDescriptor) != 0;
}

std::uint32_t ZipEntry::unix_mode() const {
  constexpr std::uint32_t kModeShift = 16;
  return (version_made_by & 0xff00U) == kMadeOnUnix ? external_attributes >> kModeShift : 0;
}

bool ZipEntry::is_link() const {
  return S_ISLNK(unix_mode());
}

const ZipEntry* ZipDirectory::find(std::string_view name) const {
  const auto found = std::find_if(
      entries.begin(), entries.end(), [&](const ZipEntry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

bool looks_like_zip(std::string_view bytes) {
  return bytes.size() >= 4 && (u32_at(bytes, 0) == kLocalHeader || u32_at(bytes, 0) == kEndRecord);
}

Result<ZipDirectory> read_zip_directory(const ByteSource& source) {
  FITMENT_TRY_ASSIGN(EndRecord end, read_end_record(source));
  FITMENT_TRY(read_zip64_end(source, end));
  const std::uint64_t stated_end = end.directory + end.size;
  if (end.directory > end.end || stated_end > end.end || stated_end < end.directory) {
    return damaged(source, end.offset, "the central directory leaves the archive");
  }
  if (stated_end < end.end) {
    return damaged(source,
                   stated_end,
                   fmt::format("{} bytes stand between the central directory and the end record",
                               end.end - stated_end))
        .hint("another program may read this archive in another way; repack it");
  }
  ZipDirectory directory;
  directory.offset = end.directory;
  directory.size = end.size;
  directory.comment = std::move(end.comment);
  directory.is_zip64 = end.is_zip64;
  FITMENT_TRY_ASSIGN(
      const std::string bytes,
      source.read(end.directory, end.size, "the central directory", kDirectoryLimit));
  if (end.entries > bytes.size() / kCentralRecordBytes) {
    return damaged(
        source,
        end.directory,
        fmt::format("the central directory has room for fewer than {} members", end.entries));
  }
  directory.entries.reserve(end.entries);
  ByteReader reader(bytes, end.directory, source.name());
  while (directory.entries.size() < end.entries) {
    FITMENT_TRY_ASSIGN(ZipEntry entry, read_record(reader, end.directory, source));
    directory.entries.push_back(std::move(entry));
  }
  if (reader.remaining() > 0) {
    return damaged(source,
                   end.directory + reader.position(),
                   "the central directory has more records than the end record counts");
  }
  FITMENT_TRY(check_unique(source, directory));
  FITMENT_TRY(set_regions(source, directory));
  return directory;
}

}  // namespace fitment
