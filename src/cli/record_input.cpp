// SPDX-License-Identifier: Apache-2.0
#include "cli/record_input.h"

#include "base/files.h"
#include "record/record_file.h"

#include <filesystem>

namespace fitment {

Result<LockRecord> read_record_at(const std::string& path) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  const std::string file = is_folder ? (std::filesystem::path(path) / kRecordName).string() : path;
  const auto text = read_file(file);
  if (!text) {
    return Error(text.error()).hint("`fitment lock` writes a record");
  }
  return parse_record_file(*text, file);
}

}  // namespace fitment
