// SPDX-License-Identifier: Apache-2.0
#include "variant/wheel_folder.h"

#include "base/files.h"
#include "variant/metadata_reader.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kWheel = ".whl";
constexpr std::string_view kVariants = "-variants.json";

using PackageKey = std::pair<std::string, std::string>;

void add_wheel(std::map<PackageKey, FolderPackage>& packages, FolderWheel wheel) {
  const std::string name = normalize_name(wheel.name.distribution);
  const std::string version = to_string(wheel.name.version);
  FolderPackage& package = packages[{name, version}];
  package.name = name;
  package.version = version;
  package.variants_file = variants_file_name(wheel.name);
  package.wheels.push_back(std::move(wheel));
}

}  // namespace

std::vector<std::string> FolderPackage::labels() const {
  std::set<std::string> labels;
  for (const FolderWheel& wheel : wheels) {
    if (wheel.name.variant_label) {
      labels.insert(*wheel.name.variant_label);
    }
  }
  return {labels.begin(), labels.end()};
}

Result<WheelFolder> read_wheel_folder(const std::filesystem::path& folder) {
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, list_folder(folder));
  WheelFolder content;
  std::map<PackageKey, FolderPackage> packages;
  std::set<std::string> index_files;
  for (const std::string& name : names) {
    const std::filesystem::path path = folder / name;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      const std::string file = name.ends_with(kWheel) ? name : name + std::string(kWheel);
      if (auto parsed = read_wheel_filename(file)) {
        add_wheel(packages, {file, std::move(*parsed), path, true});
      }
    } else if (name.ends_with(kWheel)) {
      auto parsed = read_wheel_filename(name);
      if (parsed) {
        add_wheel(packages, {name, std::move(*parsed), path, false});
      } else {
        content.misnamed.push_back({name, std::move(parsed).error()});
      }
    } else if (name.ends_with(kVariants)) {
      index_files.insert(name);
    }
  }
  for (auto& [key, package] : packages) {
    if (index_files.erase(package.variants_file) == 1) {
      package.index_file = folder / package.variants_file;
    }
    content.packages.push_back(std::move(package));
  }
  content.index_files_without_wheels.assign(index_files.begin(), index_files.end());
  return content;
}

Result<WheelDocument> read_wheel_document(const FolderWheel& wheel) {
  if (!wheel.is_unpacked) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} is packed, and packed wheels are not read yet", quote(wheel.file)))
        .at({wheel.path.string(), {}, {}, {}})
        .hint("unpack it into a folder of the same name: `python3 -m zipfile -e WHEEL FOLDER`");
  }
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, list_folder(wheel.path));
  const auto info = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return name.ends_with(".dist-info");
  });
  if (info == names.end()) {
    return fail(ErrorCode::not_found,
                fmt::format("{} has no dist-info folder", quote(wheel.path.string())))
        .hint("is it an unpacked wheel?");
  }
  const std::filesystem::path path = wheel.path / *info / "variant.json";
  auto text = read_file(path, kLargestMetadata);
  if (!text) {
    return std::move(text).error().hint("a wheel with a label describes itself in variant.json");
  }
  return WheelDocument{std::move(*text), path.string()};
}

}  // namespace fitment
