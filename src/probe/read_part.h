// SPDX-License-Identifier: Apache-2.0
// Private: reading plain files only. A named pipe or a device in somebody's tree must not block or
// answer.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace fitment {

/// `name` is the path for messages. Errors: not_found, io_error, parse_error when larger.
Result<std::string> read_plain_file(const std::filesystem::path& path,
                                    const std::string& name,
                                    std::uint64_t limit);

Result<std::string> read_file_part(const std::filesystem::path& path,
                                   const std::string& name,
                                   std::uint64_t offset,
                                   std::uint64_t size);

}  // namespace fitment
