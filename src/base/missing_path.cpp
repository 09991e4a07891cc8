// SPDX-License-Identifier: Apache-2.0
#include "base/missing_path.h"

#include "base/closest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fitment {

namespace {

constexpr std::size_t kMostNames = 10'000;  // in a larger folder no name is looked for

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    names.push_back(entry->path().filename().string());
    if (names.size() > kMostNames) {
      return {};
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The path up to the first name that does not exist.
std::filesystem::path first_missing(const std::filesystem::path& path) {
  std::filesystem::path part;
  std::error_code ignored;
  for (const std::filesystem::path& name : path) {
    part /= name;
    if (!std::filesystem::exists(part, ignored)) {
      break;
    }
  }
  return part;
}

}  // namespace

std::string explain_missing_path(const std::filesystem::path& path) {
  if (path.empty()) {
    return "the path is empty";
  }
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    return {};  // it came into being since
  }
  const std::filesystem::path missing = first_missing(path);
  const std::filesystem::path folder = missing.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    return fmt::format("`{}` is a file", folder.string());
  }
  if (std::filesystem::is_symlink(missing, ignored)) {
    return fmt::format("`{}` is a link to `{}`, which does not exist",
                       missing.string(),
                       std::filesystem::read_symlink(missing, ignored).string());
  }
  if (const auto closest =
          find_closest(missing.filename().string(), names_in(folder.empty() ? "." : folder))) {
    return fmt::format("did you mean `{}`?", (folder / *closest).string());
  }
  if (missing != path) {
    return fmt::format("`{}` does not exist either", missing.string());
  }
  return path.is_absolute() ? std::string()
                            : fmt::format("relative paths start at `{}`",
                                          std::filesystem::current_path(ignored).string());
}

}  // namespace fitment
