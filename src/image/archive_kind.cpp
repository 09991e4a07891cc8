// SPDX-License-Identifier: Apache-2.0
#include "image/archive_kind.h"

#include "image/layer_compression.h"
#include "image/tar_header.h"

#include <algorithm>

namespace fitment {

Result<ArchiveKind> archive_kind_of(const ByteSource& file) {
  constexpr std::string_view kXz = "\xfd\x37\x7a\x58\x5a";
  FITMENT_TRY_ASSIGN(
      const std::string start,
      file.read(0, std::min<std::uint64_t>(kTarBlock, file.size()), "the beginning"));
  if (start.starts_with(kXz)) {
    return ArchiveKind::xz;
  }
  if (start.starts_with("BZh")) {
    return ArchiveKind::bzip2;
  }
  switch (detect_compression(start)) {
    case LayerCompression::gzip:
      return ArchiveKind::gzip;
    case LayerCompression::zstd:
      return ArchiveKind::zstd;
    case LayerCompression::none:
      break;
  }
  const bool is_tar = start.empty()
                      || (start.size() == kTarBlock
                          && (is_zero_block(start) || parse_tar_header(start).has_value()));
  return is_tar ? ArchiveKind::tar : ArchiveKind::none;
}

}  // namespace fitment
