// SPDX-License-Identifier: Apache-2.0
#include "stack/system_owners.h"

#include "base/text.h"
#include "elf/library_path.h"
#include "stack/debian_status.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

constexpr std::uint64_t kListLimit = 64U << 20U;
constexpr std::string_view kDpkg = "/var/lib/dpkg/";

}  // namespace

void SystemOwners::read_dpkg(const FileView& view) {
  std::map<std::string, std::string, std::less<>> versions;
  const std::string folder = std::string(kDpkg) + "info";
  if (const auto status = view.read(std::string(kDpkg) + "status", kListLimit)) {
    for (const DebianPackage& package : parse_debian_status(*status)) {
      versions[package.name] = package.version;
    }
  }
  const auto names = view.list(folder);
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    constexpr std::string_view kList = ".list";
    if (!name.ends_with(kList)) {
      continue;
    }
    // `libc6:amd64.list`
    std::string package = name.substr(0, name.size() - kList.size());
    package = package.substr(0, package.find(':'));
    const auto version = versions.find(package);
    const std::string owner = version == versions.end() ? package : package + " " + version->second;
    const auto list = view.read(join_path(folder, name), kListLimit);
    for (const std::string_view path : split_lines(list ? std::string_view(*list) : "")) {
      if (is_library_path(path)) {
        owners_.emplace(path, owner);
      }
    }
  }
}

/// A status file a package, with `PACKAGE.md5sums` beside it: `digest  usr/lib/x`.
void SystemOwners::read_distroless(const FileView& view) {
  const std::string folder = std::string(kDpkg) + "status.d";
  const auto names = view.list(folder);
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    constexpr std::string_view kSums = ".md5sums";
    if (!name.ends_with(kSums)) {
      continue;
    }
    const std::string package = name.substr(0, name.size() - kSums.size());
    std::string owner = package;
    if (const auto status = view.read(join_path(folder, package), kListLimit)) {
      for (const DebianPackage& said : parse_debian_status(*status)) {
        owner = said.name + " " + said.version;
      }
    }
    const auto list = view.read(join_path(folder, name), kListLimit);
    for (const std::string_view line : split_lines(list ? std::string_view(*list) : "")) {
      const std::size_t blank = line.rfind("  ");
      if (blank != std::string_view::npos && is_library_path(line)) {
        owners_.emplace("/" + std::string(line.substr(blank + 2)), owner);
      }
    }
  }
}

void SystemOwners::read_conda(const FileView& view, const std::string& prefix) {
  const std::string folder = join_path(prefix, "conda-meta");
  const auto names = view.list(folder);
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    if (!name.ends_with(".json")) {
      continue;
    }
    const auto bytes = view.read(join_path(folder, name), kListLimit);
    const auto document =
        nlohmann::json::parse(bytes.value_or(""), nullptr, /*allow_exceptions=*/false);
    if (!document.is_object() || !document.contains("files") || !document["files"].is_array()) {
      continue;
    }
    const auto text = [&](const char* key) {
      const auto found = document.find(key);
      return found != document.end() && found->is_string() ? found->get<std::string>()
                                                           : std::string();
    };
    const std::string owner = text("name") + " " + text("version") + " (conda)";
    for (const auto& file : document["files"]) {
      if (file.is_string() && is_library_path(file.get_ref<const std::string&>())) {
        owners_.emplace(join_path(prefix, file.get_ref<const std::string&>()), owner);
      }
    }
  }
}

SystemOwners SystemOwners::read(const FileView& view,
                                bool with_system,
                                const std::vector<std::string>& conda_prefixes) {
  SystemOwners owners;
  if (with_system) {
    owners.read_dpkg(view);
    owners.read_distroless(view);
  }
  for (const std::string& prefix : conda_prefixes) {
    owners.read_conda(view, prefix);
  }
  return owners;
}

std::optional<std::string> SystemOwners::find(std::string_view path) const {
  auto found = owners_.find(path);
  constexpr std::string_view kUsr = "/usr";
  if (found == owners_.end() && path.starts_with("/usr/")) {
    found = owners_.find(path.substr(kUsr.size()));
  }
  return found == owners_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fitment
