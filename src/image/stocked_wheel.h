// SPDX-License-Identifier: Apache-2.0
// The wheels of a folder that an image is made from, as far as a plan needs to know them: nothing
// is unpacked, the directory of each archive tells its sizes.
#pragma once

#include "wheel/metadata.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fitment {

struct StockedWheel {
  std::string filename;
  std::uint64_t bytes = 0;           ///< of the archive
  std::uint64_t unpacked_bytes = 0;  ///< of its files
  Metadata metadata;
};

/// Sorted by name; other files are passed over. Errors: those of listing the folder and of reading
/// a wheel: what is damaged would end the build in its last stage.
Result<std::vector<StockedWheel>> read_stocked_wheels(const std::filesystem::path& folder);

}  // namespace fitment
