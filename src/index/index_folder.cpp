// SPDX-License-Identifier: Apache-2.0
#include "index/index_folder.h"

#include "base/byte_source.h"
#include "base/digest.h"
#include "base/files.h"
#include "wheel/name.h"
#include "wheel/url.h"
#include "wheel/wheel_filename.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kFileScheme = "file://";
constexpr std::uint64_t kLargestPage = 50ULL << 20U;
constexpr std::string_view kVariants = "-variants.json";

/// Decoded, since addresses of pages are escaped and paths are not.
void make_path(SimpleFile& file) {
  if (file.url.starts_with(kFileScheme)) {
    file.url = percent_decode(std::string_view(file.url).substr(kFileScheme.size()));
  }
}

}  // namespace

Result<std::string> FileDigests::sha256(const std::filesystem::path& path) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  const auto time = std::filesystem::last_write_time(path, code);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = known_.find(path.string());
    if (found != known_.end() && found->second.size == size && found->second.time == time) {
      return found->second.digest;
    }
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open_file_source(path));
  FITMENT_TRY_ASSIGN(std::string digest, sha256_hex(*source));
  const std::lock_guard<std::mutex> lock(mutex_);
  make_room();
  known_[path.string()] = {size, time, digest};
  return digest;
}

/// Files that are gone go first; where so many are really there, they are read again.
void FileDigests::make_room() {
  if (known_.size() < most_) {
    return;
  }
  std::erase_if(known_, [](const auto& entry) {
    std::error_code ignored;
    return !std::filesystem::exists(entry.first, ignored);
  });
  if (known_.size() > most_ / 2) {
    known_.clear();
  }
}

std::size_t FileDigests::size() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return known_.size();
}

std::string project_of_file(std::string_view filename) {
  if (filename.ends_with(".whl")) {
    const auto wheel = read_wheel_filename(filename);
    return wheel ? normalize_name(wheel->distribution) : std::string();
  }
  if (filename.ends_with(kVariants)) {
    return normalize_name(filename.substr(0, std::min(filename.find('-'), filename.size())));
  }
  const auto sdist = parse_sdist_filename(filename);
  return sdist ? normalize_name(sdist->distribution) : std::string();
}

IndexFolder::IndexFolder(const std::filesystem::path& folder) {
  std::error_code error;
  folder_ = std::filesystem::absolute(folder, error);
  if (error) {  // the folder that it is relative to is gone, and so is this one
    folder_ = folder;
  }
}

bool IndexFolder::holds(const std::filesystem::path& path) const {
  std::error_code code;
  const auto root = std::filesystem::canonical(folder_, code);
  const auto file = code ? std::filesystem::path() : std::filesystem::canonical(path, code);
  if (code || !std::filesystem::is_regular_file(file, code)) {
    return false;
  }
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return end == root.end();
}

Result<std::optional<SimplePage>> IndexFolder::read_page(const std::string& name) const {
  for (const char* file : {"index.json", "index.html"}) {
    const std::filesystem::path path = folder_ / name / file;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string bytes, read_file(path, kLargestPage));
    const std::string base = std::string(kFileScheme) + path.string();
    FITMENT_TRY_ASSIGN(SimplePage page,
                       path.extension() == ".json" ? parse_simple_json(bytes, base)
                                                   : parse_simple_html(bytes, base));
    std::for_each(page.files.begin(), page.files.end(), make_path);
    const std::size_t absent = std::erase_if(page.files, [this](const SimpleFile& listed) {
      return listed.url.starts_with('/') && !holds(listed.url);
    });
    if (page.files.empty() && absent != 0) {
      return fail(ErrorCode::parse_error,
                  fmt::format("the page lists {} files, and none of them is in `{}`",
                              absent,
                              folder_.string()))
          .at({path.string(), {}, {}, {}})
          .hint("links lead to files in that folder, or are whole addresses: https://...");
    }
    return std::optional(std::move(page));
  }
  return std::optional<SimplePage>();
}

Result<std::optional<SimplePage>> IndexFolder::find(const std::string& name) const {
  FITMENT_TRY_ASSIGN(std::optional<SimplePage> written, read_page(name));
  if (written) {
    return written;
  }
  FITMENT_TRY_ASSIGN(const std::vector<std::string> entries, list_folder(folder_));
  SimplePage page;
  page.name = name;
  for (const std::string& entry : entries) {
    const std::filesystem::path path = folder_ / entry;
    if (project_of_file(entry) != name || !holds(path)) {
      continue;
    }
    SimpleFile file;
    file.filename = entry;
    file.url = path.string();
    std::error_code code;
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    file.size = code ? std::nullopt : std::optional<std::uint64_t>(size);
    page.files.push_back(std::move(file));
  }
  return page.files.empty() ? std::optional<SimplePage>() : std::optional(std::move(page));
}

Result<std::vector<std::string>> IndexFolder::names() const {
  FITMENT_TRY_ASSIGN(const std::vector<std::string> entries, list_folder(folder_));
  std::set<std::string> names;
  for (const std::string& entry : entries) {
    std::error_code ignored;
    const bool is_page = std::filesystem::exists(folder_ / entry / "index.html", ignored)
                         || std::filesystem::exists(folder_ / entry / "index.json", ignored);
    std::string name = is_page ? normalize_name(entry) : project_of_file(entry);
    if (!name.empty()) {
      names.insert(std::move(name));
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace fitment
