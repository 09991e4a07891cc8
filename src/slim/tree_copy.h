// SPDX-License-Identifier: Apache-2.0
// A whole copy of a folder, as cheap as the file system lets it be.
#pragma once

#include "base/error.h"

#include <filesystem>

namespace fitment {

/// Folders and files keep their modes, owners and times; blocks are shared where the file system
/// can; symbolic links stay as they are; several names of one file are several names again. A
/// journal of changes in place is left behind. Errors: invalid_argument (`to` holds something or is
/// inside `from`), unsupported (a device, socket or pipe), io_error.
Status copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace fitment
