// SPDX-License-Identifier: Apache-2.0
#include "index/project_variants.h"

#include "base/files.h"
#include "variant/index_file.h"
#include "variant/metadata_reader.h"

#include <fmt/format.h>

#include <set>

namespace fitment {

namespace {

std::vector<std::string> labels_of(const Project& project, const std::string& version) {
  std::set<std::string> labels;
  for (const IndexedFile& file : project.files) {
    if (file.wheel && file.wheel->variant_label && to_string(file.version) == version) {
      labels.insert(*file.wheel->variant_label);
    }
  }
  return {labels.begin(), labels.end()};
}

}  // namespace

VersionVariants VariantDocuments::from_index(const std::string& version,
                                             const IndexedFile& file) const {
  VersionVariants variants;
  const auto text = read_(file.file);
  if (!text) {
    variants.unusable = text.error().message();
    return variants;
  }
  MetadataPlace place;
  place.labels = labels_of(project_, version);
  MetadataReading reading = examine_metadata(*text, place);
  if (reading.fault) {
    variants.unusable = fmt::format("{}: {}", file.file.filename, reading.fault->message);
  }
  variants.metadata = std::move(reading.metadata);
  return variants;
}

VersionVariants VariantDocuments::from_wheels(const std::string& version) const {
  FolderPackage package{project_.name, version, {}, {}, {}};
  for (const IndexedFile& file : project_.files) {
    if (file.wheel && to_string(file.version) == version && !local_place(file).empty()) {
      package.wheels.push_back({file.file.filename, *file.wheel, local_place(file), false});
    }
  }
  VersionVariants variants;
  auto metadata = plan_index_file(package);
  if (metadata) {
    variants.metadata = std::move(*metadata);
  } else {
    variants.unusable = metadata.error().message();
  }
  return variants;
}

void VariantDocuments::read_into(std::map<std::string, VersionVariants>& variants) const {
  std::set<std::string> described;
  for (const IndexedFile& file : project_.files) {
    if (file.kind != IndexedFile::Kind::variants) {
      continue;
    }
    const std::string version = to_string(file.version);
    VersionVariants read = from_index(version, file);
    const auto [known, is_new] = variants.try_emplace(version, read);
    if (!is_new && known->second.metadata != read.metadata) {
      known->second.metadata.reset();
      known->second.unusable = "several files describe this version, and they do not agree";
    }
    described.insert(version);
  }
  for (const IndexedFile& file : project_.files) {
    const bool is_local_variant =
        file.wheel && file.wheel->variant_label && !local_place(file).empty();
    if (is_local_variant && described.insert(to_string(file.version)).second) {
      variants[to_string(file.version)] = from_wheels(to_string(file.version));
    }
  }
}

Result<std::string> read_variant_document(const SimpleFile& file, Upstream& network) {
  if (file.url.starts_with('/')) {
    return read_file(file.url, kLargestMetadata);
  }
  return network.get_file(file.url, kLargestMetadata);
}

}  // namespace fitment
