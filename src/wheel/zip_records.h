// SPDX-License-Identifier: Apache-2.0
// The records of a zip archive as bytes (zip_directory.h shows where they stand). Used by the zip
// files of this module alone.
#pragma once

#include "wheel/zip_directory.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// The sizes of the member need the 64-bit fields.
bool has_large_sizes(const ZipEntry& entry);

/// With sizes in the header, so without a data descriptor; `extra` has no zip64 field.
std::string zip_local_header(const ZipEntry& entry, std::string_view extra = {});
std::string zip_central_record(const ZipEntry& entry);
/// What follows a central directory of `count` members that begins at `start`.
std::string zip_end_records(std::uint64_t count,
                            std::uint64_t start,
                            std::uint64_t size,
                            std::string_view comment);

}  // namespace fitment
