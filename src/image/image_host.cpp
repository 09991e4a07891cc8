// SPDX-License-Identifier: Apache-2.0
#include "image/image_host.h"

#include <algorithm>
#include <array>

namespace fitment {

Result<std::string> ImageHost::read(const std::string& path, std::uint64_t limit) const {
  return view_.read(path, limit);
}

Result<std::string> ImageHost::read_part(const std::string& path,
                                         std::uint64_t offset,
                                         std::uint64_t size) const {
  FITMENT_TRY_ASSIGN(const auto source, view_.open(path));
  const std::uint64_t start = std::min(offset, source->size());
  const std::uint64_t count = std::min(size, source->size() - start);
  return source->read(start, count, path, count);
}

Result<std::vector<std::string>> ImageHost::list(const std::string& folder) const {
  return view_.list(folder);
}

std::optional<std::string> ImageHost::read_link(const std::string& path) const {
  const auto folder = view_.resolve(parent_folder(path));
  const std::string real = folder ? join_path(*folder, file_name(path)) : std::string();
  if (!folder || view_.entry_kind(real) != FileKind::link) {
    return {};
  }
  return survey_.tree.link_of(real);
}

std::optional<std::string> ImageHost::real_path(const std::string& path) const {
  auto real = view_.resolve(path);
  return real ? std::optional(std::move(*real)) : std::nullopt;
}

bool tells_of_base(std::string_view path) {
  constexpr std::array<std::string_view, 8> kNames{"os-release",
                                                   "version.json",
                                                   "version.txt",
                                                   "version",
                                                   "version-dev",
                                                   "cuda.h",
                                                   "cudnn.h",
                                                   "cudnn_version.h"};
  return std::find(kNames.begin(), kNames.end(), file_name(path)) != kNames.end();
}

}  // namespace fitment
