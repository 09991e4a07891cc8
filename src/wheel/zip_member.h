// SPDX-License-Identifier: Apache-2.0
// The bytes of one member of a zip archive. A stored member is a window into the archive; a
// deflated one is inflated into memory or into a file without a name, never under its own name.
#pragma once

#include "base/scratch_bytes.h"
#include "wheel/zip_directory.h"

#include <memory>
#include <string>

namespace fitment {

/// Limits for members of archives that nobody vouches for.
struct ZipLimits {
  std::uint64_t member_bytes = 16ULL << 30U;  ///< the largest member that is inflated
  /// Members above `free_bytes` that claim to inflate to more than this many times their size are
  /// refused: code and weights compress by far less.
  std::uint64_t ratio = 250;
  std::uint64_t free_bytes = 64ULL << 20U;
};

/// Where the data of a member are, after its local header was compared with its central record.
struct ZipDataPlace {
  std::uint64_t offset = 0;  ///< of the first byte of data
  std::string extra;         ///< extra fields of the local header, zip64's included
};

/// Errors: parse_error with the offset (the two records disagree about name, method or sizes; the
/// data reach into the next member), unsupported (encrypted, another method than stored and
/// deflated).
Result<ZipDataPlace> find_zip_data(const ByteSource& archive, const ZipEntry& entry);

/// The member as a source named `name`; its CRC has been checked. A stored member reads from
/// `archive`, which must outlive it. Errors: as find_zip_data; parse_error with the offset for
/// damaged data, a wrong CRC or a limit; io_error.
Result<std::unique_ptr<ByteSource>> open_zip_member(const ByteSource& archive,
                                                    const ZipEntry& entry,
                                                    std::string name,
                                                    const ScratchOptions& scratch = {},
                                                    const ZipLimits& limits = {});

/// Up to `count` bytes from its beginning, without the rest: the CRC is not checked. Errors: as
/// find_zip_data; parse_error for damaged data.
Result<std::string> read_zip_start(const ByteSource& archive,
                                   const ZipEntry& entry,
                                   std::size_t count);

/// A small member as text. Error: also parse_error when it is larger than `limit` bytes.
Result<std::string> read_zip_member(const ByteSource& archive,
                                    const ZipEntry& entry,
                                    std::uint64_t limit = 16ULL << 20U);

/// `x.whl: torch/lib/libfoo.so`: how a member is named in messages and reports.
std::string member_name(std::string_view archive, std::string_view member);

}  // namespace fitment
