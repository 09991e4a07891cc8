// SPDX-License-Identifier: Apache-2.0
// What every use of a file descriptor needs: whole writes, folders on the disk, errors in words.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace fitment {

/// ``cannot open `x`: No such file or directory``. `code` is an errno: not_found for a path that
/// leads nowhere, invalid_argument for a folder where a file belongs or a file where a folder
/// does, else io_error.
Error system_error(int code, std::string_view what, const std::filesystem::path& path);

/// Writes all bytes, also in several calls. False when the descriptor refuses; errno says why.
bool write_all(int fd, std::string_view bytes);

/// Names in the folder are on the disk when this returns. A folder that cannot be opened or synced
/// is passed over: not every file system can.
void sync_folder(const std::filesystem::path& folder);

}  // namespace fitment
