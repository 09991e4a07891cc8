// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/byte_source.h"

namespace fitment {

/// What a file that is given as an archive begins as.
enum class ArchiveKind {
  none,  ///< it is no archive
  tar,   ///< plain; also a file without a byte, which holds nothing
  gzip,
  zstd,
  xz,     ///< builders unpack it, this program does not
  bzip2,  ///< the same
};

Result<ArchiveKind> archive_kind_of(const ByteSource& file);

}  // namespace fitment
