// SPDX-License-Identifier: Apache-2.0
// Writes a zip archive member by member, the same bytes for the same input: every member gets one
// time, and nothing of the host comes in. Members of another archive can be copied as they lie,
// without inflating them.
#pragma once

#include "base/scratch_bytes.h"
#include "wheel/zip_directory.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// A time as zip archives hold it: local, two seconds exact, from 1980 to 2107.
struct ZipTime {
  std::uint16_t time = 0;
  std::uint16_t date = (1U << 5U) | 1U;  ///< 1980-01-01

  /// Seconds since 1970, as in SOURCE_DATE_EPOCH, read as UTC; times before 1980 become 1980-01-01,
  /// those after 2107 the end of it.
  static ZipTime of_epoch(std::int64_t seconds);

  friend bool operator==(const ZipTime&, const ZipTime&) = default;
};

/// Takes the bytes of the archive in their order.
using ZipOutput = std::function<Status(std::string_view)>;

/// What a new member is called and how it is kept.
struct NewZipMember {
  std::string name;
  ZipMethod method = ZipMethod::deflated;
  std::uint32_t unix_mode = 0100644;  ///< type and permissions
};

class ZipWriter {
 public:
  ZipWriter(ZipOutput output, ZipTime time, ScratchOptions scratch = {})
      : output_(std::move(output)), time_(time), scratch_(std::move(scratch)) {}

  /// Copies a member of `archive` as it lies: name, compressed bytes, CRC, attributes, comment and
  /// time stay; a data descriptor becomes sizes in the header. Errors: as find_zip_data.
  Status copy(const ByteSource& archive, const ZipEntry& entry);
  /// Adds a member. What deflate does not make smaller is stored. Errors: io_error,
  /// invalid_argument (a name that no reader takes).
  Status add(const NewZipMember& member, const ByteSource& bytes);
  Status add(const NewZipMember& member, std::string_view bytes);
  /// Writes the central directory; nothing can be added after it.
  Status finish(std::string_view comment = {});

  /// Bytes written so far.
  [[nodiscard]] std::uint64_t size() const { return at_; }

 private:
  Status put(std::string_view bytes);
  Status put_data(const ByteSource& source, std::uint64_t offset, std::uint64_t count);
  Status put_header(const ZipEntry& entry);

  ZipOutput output_;
  ZipTime time_;
  ScratchOptions scratch_;
  std::uint64_t at_ = 0;
  std::vector<ZipEntry> written_;
};

}  // namespace fitment
