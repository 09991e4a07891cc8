// SPDX-License-Identifier: Apache-2.0
#include "slim/file_content.h"

#include "base/byte_source.h"
#include "base/digest.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace fitment {

Result<std::optional<FileContent>> read_content(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return std::nullopt;
  }
  if (std::filesystem::is_symlink(status)) {
    const std::string target = std::filesystem::read_symlink(path, error).string();
    if (!error) {
      return FileContent{target.size(), sha256_hex("symbolic link to " + target)};
    }
  }
  if (!std::filesystem::is_regular_file(status)) {
    return fail(ErrorCode::io_error, fmt::format("`{}` is not a regular file", path.string()));
  }
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(path));
  FITMENT_TRY_ASSIGN(std::string sha256, sha256_hex(*source));
  return FileContent{source->size(), std::move(sha256)};
}

Result<FileContent> content_of(const std::filesystem::path& path) {
  FITMENT_TRY_ASSIGN(auto content, read_content(path));
  if (!content) {
    return fail(ErrorCode::not_found, fmt::format("there is no `{}`", path.string()))
        .missing(path.string());
  }
  return std::move(*content);
}

}  // namespace fitment
