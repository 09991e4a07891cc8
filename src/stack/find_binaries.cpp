// SPDX-License-Identifier: Apache-2.0
#include "stack/find_binaries.h"

#include "base/byte_source.h"
#include "elf/archive.h"
#include "elf/elf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace fitment {

namespace {

/// Files of GPU code that stand alone go by their names: PTX is plain text.
bool has_gpu_name(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> kExtensions{
      ".cubin", ".fatbin", ".ptx", ".hsaco", ".co", ".hipfb"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension().string())
         != kExtensions.end();
}

bool is_binary(const std::filesystem::path& path) {
  constexpr std::uint64_t kStart = 16;
  const auto source = open_file_source(path);
  if (!source) {
    return false;
  }
  const auto start = (*source)->read(
      0, std::min<std::uint64_t>(kStart, (*source)->size()), "the start of the file");
  return start && (looks_like_elf(*start) || looks_like_archive(*start) || has_gpu_name(path));
}

}  // namespace

Result<std::vector<std::filesystem::path>> find_binaries(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) {
    return fail(ErrorCode::not_found, fmt::format("there is no `{}`", path.string()));
  }
  if (!std::filesystem::is_directory(status)) {
    return std::vector<std::filesystem::path>{path};
  }
  std::vector<std::filesystem::path> found;
  std::filesystem::recursive_directory_iterator entry(
      path, std::filesystem::directory_options::skip_permission_denied, code);
  if (code) {
    return fail(ErrorCode::io_error,
                fmt::format("cannot list `{}`: {}", path.string(), code.message()));
  }
  while (entry != std::filesystem::recursive_directory_iterator()) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored)
        && is_binary(entry->path())) {
      found.push_back(entry->path());
    }
    entry.increment(code);
    if (code) {
      return fail(ErrorCode::io_error,
                  fmt::format("cannot list `{}`: {}", path.string(), code.message()));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace fitment
