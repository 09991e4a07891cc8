// SPDX-License-Identifier: Apache-2.0
#include "index/project.h"

#include "wheel/name.h"

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kVariants = "-variants.json";

/// Names become parts of paths and of pages.
bool is_plain(std::string_view filename) {
  return !filename.empty() && filename.front() != '.'
         && std::all_of(filename.begin(), filename.end(), [](char c) {
              return c > ' ' && c < '\x7f' && c != '/' && c != '\\' && c != '"' && c != '<'
                     && c != '>' && c != '%' && c != '?' && c != '#';
            });
}

/// Read as the name of a wheel, so that name and version mean the same in both.
std::optional<WheelFilename> read_variants_name(std::string_view filename) {
  filename.remove_suffix(kVariants.size());
  auto name = read_wheel_filename(std::string(filename) + "-py3-none-any.whl");
  return name ? std::optional(std::move(*name)) : std::nullopt;
}

}  // namespace

IndexedFile classify_file(SimpleFile file, std::string backend, std::string_view name) {
  IndexedFile classified;
  const std::string_view filename = file.filename;
  if (!is_plain(filename)) {
    // Stays `other`.
  } else if (filename.ends_with(".whl")) {
    auto wheel = read_wheel_filename(filename);
    if (wheel && normalize_name(wheel->distribution) == name) {
      classified.kind = IndexedFile::Kind::wheel;
      classified.version = wheel->version;
      classified.wheel = std::move(*wheel);
    }
  } else if (filename.ends_with(kVariants)) {
    const auto described = read_variants_name(filename);
    if (described && normalize_name(described->distribution) == name) {
      classified.kind = IndexedFile::Kind::variants;
      classified.version = described->version;
    }
  } else if (auto sdist = parse_sdist_filename(filename);
             sdist && normalize_name(sdist->distribution) == name) {
    classified.kind = IndexedFile::Kind::sdist;
    classified.version = std::move(sdist->version);
  }
  classified.backend = std::move(backend);
  classified.file = std::move(file);
  return classified;
}

const std::string& local_place(const IndexedFile& file) {
  static const std::string kNowhere;
  return !file.kept.empty() ? file.kept : file.file.url.starts_with('/') ? file.file.url : kNowhere;
}

}  // namespace fitment
