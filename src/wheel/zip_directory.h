// SPDX-License-Identifier: Apache-2.0
// The directory of a zip archive (PKWARE APPNOTE 6.3.10), read strictly.
//
//   local header, name, extra, data [, data descriptor]   4.3.7 to 4.3.9, once a member
//   ...
//   central directory: a record a member                  4.3.12
//   [zip64 end record, zip64 locator]                      4.3.14, 4.3.15
//   end record, comment                                    4.3.16, at the end of the file
//
// Readers of zip archives disagree about archives that can be read in two ways, and attackers use
// that: one program checks what another does not install. So the central directory alone counts,
// and refused are bytes after the archive or before it, two members of one name, members that share
// bytes (which is also how small archives unpack to petabytes), names that lead out of a folder,
// and records that disagree about a member.
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Compression methods that are read (4.4.5); the field may hold any other number.
enum class ZipMethod : std::uint16_t {
  stored = 0,
  deflated = 8,
};

/// A member as the central directory describes it: everything that a faithful copy needs.
struct ZipEntry {
  std::string name;  ///< bytes as they are stored; a folder ends with `/`
  ZipMethod method = ZipMethod::stored;
  std::uint16_t flags = 0;
  std::uint32_t crc32 = 0;            ///< of the inflated bytes
  std::uint64_t compressed_size = 0;  ///< bytes in the archive
  std::uint64_t size = 0;             ///< bytes when inflated
  std::uint16_t dos_time = 0;
  std::uint16_t dos_date = 0;
  std::uint16_t version_made_by = 0;  ///< upper byte: 3 is Unix
  std::uint16_t version_needed = 0;
  std::uint16_t internal_attributes = 0;
  std::uint32_t external_attributes = 0;
  std::string extra;  ///< extra fields of the central record without zip64's
  std::string comment;
  std::uint64_t local_offset = 0;   ///< of the local header
  std::uint64_t region_end = 0;     ///< where the next member or the central directory begins
  std::uint64_t record_offset = 0;  ///< of the central record, for messages

  [[nodiscard]] bool is_folder() const { return name.ends_with('/'); }
  [[nodiscard]] bool is_encrypted() const;
  /// Sizes and CRC stand behind the data as well (bit 3): a writer that could not seek.
  [[nodiscard]] bool has_descriptor() const;
  /// Type and permission bits of a member that was made on Unix; 0 otherwise.
  [[nodiscard]] std::uint32_t unix_mode() const;
  [[nodiscard]] bool is_link() const;
};

struct ZipDirectory {
  std::vector<ZipEntry> entries;  ///< in the order of the central directory
  std::string comment;
  std::uint64_t offset = 0;  ///< of the central directory
  std::uint64_t size = 0;
  bool is_zip64 = false;

  /// Null when there is none of this name.
  [[nodiscard]] const ZipEntry* find(std::string_view name) const;
};

/// Whether the bytes start as a zip archive does.
bool looks_like_zip(std::string_view bytes);

/// Reads the central directory and nothing else. Errors: parse_error with the offset (cut short,
/// damaged, two readings), unsupported (several disks, an encrypted directory).
Result<ZipDirectory> read_zip_directory(const ByteSource& source);

}  // namespace fitment
