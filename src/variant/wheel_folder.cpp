// SPDX-License-Identifier: Apache-2.0
#include "variant/wheel_folder.h"

#include "base/byte_source.h"
#include "base/files.h"
#include "variant/metadata_reader.h"
#include "wheel/name.h"
#include "wheel/quote.h"
#include "wheel/wheel_archive.h"
#include "wheel/zip_member.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
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

namespace {

constexpr std::string_view kDocument = "variant.json";

Result<WheelDocument> read_unpacked(const FolderWheel& wheel) {
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, list_folder(wheel.path));
  const auto info = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return name.ends_with(".dist-info");
  });
  if (info == names.end()) {
    return fail(ErrorCode::not_found,
                fmt::format("{} has no dist-info folder", quote(wheel.path.string())))
        .hint("is it an unpacked wheel?");
  }
  const std::filesystem::path path = wheel.path / *info / kDocument;
  auto text = read_file(path, kLargestMetadata);
  if (!text) {
    return std::move(text).error().hint("a wheel with a label describes itself in variant.json");
  }
  return WheelDocument{std::move(*text), path.string()};
}

}  // namespace

Result<WheelDocument> read_wheel_document(const ByteSource& wheel) {
  FITMENT_TRY_ASSIGN(const WheelArchive archive, read_wheel_archive(wheel));
  const std::string name = fmt::format("{}/{}", archive.dist_info, kDocument);
  const ZipEntry* entry = archive.zip.find(name);
  if (entry == nullptr) {
    return fail(ErrorCode::not_found, fmt::format("the wheel has no {}", quote(name)))
        .at({wheel.name(), {}, {}, {}})
        .hint("a wheel with a label describes itself in variant.json");
  }
  FITMENT_TRY_ASSIGN(std::string text, read_zip_member(wheel, *entry, kLargestMetadata));
  return WheelDocument{std::move(text), member_name(wheel.name(), name)};
}

Result<WheelDocument> read_wheel_document(const FolderWheel& wheel) {
  if (wheel.is_unpacked) {
    return read_unpacked(wheel);
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open_file_source(wheel.path));
  return read_wheel_document(*source);
}

}  // namespace fitment
