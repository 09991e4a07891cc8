// SPDX-License-Identifier: Apache-2.0
// Large files that a build context needs are links where the disk allows it.
#pragma once

#include "base/error.h"

#include <filesystem>

namespace fitment {

/// The file under another name, which is replaced; a copy where links cannot be made. Errors:
/// not_found, io_error.
Status place_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace fitment
