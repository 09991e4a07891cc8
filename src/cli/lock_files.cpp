// SPDX-License-Identifier: Apache-2.0
#include "cli/lock_files.h"

#include "base/byte_source.h"
#include "base/digest.h"
#include "base/files.h"
#include "cli/index_files.h"
#include "record/chosen_file.h"
#include "store/http_fault.h"
#include "variant/metadata_reader.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

constexpr std::string_view kFile = "file://";

/// Nothing when this index lists nothing of the name, so that the next is asked.
Result<std::optional<SimplePage>> page_of(const IndexQuery& query,
                                          const std::string& index,
                                          const std::string& name) {
  auto page = read_index_page(query.network->pages, index, normalize_name(name));
  if (!page && page.error().code() == ErrorCode::not_found && query.indexes.size() > 1) {
    return std::optional<SimplePage>();
  }
  if (!page) {
    return tl::unexpected(page.error());
  }
  return std::optional(std::move(*page));
}

Result<std::optional<VariantMetadata>> metadata_on(HttpClient& client,
                                                   const SimplePage& page,
                                                   const RecordedPackage& package) {
  const std::string name = variants_file_of(package);
  const auto file = std::find_if(
      page.files.begin(), page.files.end(), [&](const auto& one) { return one.filename == name; });
  if (file == page.files.end()) {
    return std::optional<VariantMetadata>();
  }
  std::string text;
  if (file->url.starts_with(kFile)) {
    FITMENT_TRY_ASSIGN(text, read_file(file->url.substr(kFile.size()), kLargestMetadata));
  } else {
    FITMENT_TRY_ASSIGN(FetchAnswer answer, client.get({.url = file->url}, kLargestMetadata));
    FITMENT_TRY(check_status(answer.head.status, answer.head.url));
    text = std::move(answer.body);
  }
  FITMENT_TRY_ASSIGN(VariantMetadata metadata, parse_variant_metadata(text, file->url));
  return std::optional(std::move(metadata));
}

/// Of a file on the disk: nobody states its digest, so it is read.
Result<std::optional<std::string>> digest_of(const std::string& url) {
  if (!url.starts_with(kFile)) {
    return std::optional<std::string>();
  }
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(url.substr(kFile.size())));
  FITMENT_TRY_ASSIGN(std::string digest, sha256_hex(*source));
  return std::optional(std::move(digest));
}

Result<bool> record_from(const IndexQuery& query,
                         const std::string& index,
                         const TagIndex& tags,
                         const Machine& machine,
                         RecordedPackage& package) {
  FITMENT_TRY_ASSIGN(const std::optional<SimplePage> page, page_of(query, index, package.name));
  if (!page) {
    return false;
  }
  FITMENT_TRY_ASSIGN(const std::optional<VariantMetadata> metadata,
                     metadata_on(query.network->client, *page, package));
  ChosenFileQuery chosen{&page->files, metadata ? &*metadata : nullptr, {}};
  if (metadata) {
    FITMENT_TRY_ASSIGN(chosen.answers, answer_namespaces(*metadata, machine, query.trust));
  }
  if (!record_file(chosen, tags, package)) {
    return false;
  }
  package.index = index;
  if (!package.file->sha256) {
    FITMENT_TRY_ASSIGN(package.file->sha256, digest_of(package.file->url));
  }
  return true;
}

}  // namespace

Result<std::vector<std::string>> record_files(const IndexQuery& query, RecordedTarget& target) {
  std::vector<std::string> missing;
  if (query.indexes.empty()) {
    return missing;
  }
  FITMENT_TRY_ASSIGN(const TagIndex tags, TagIndex::of_machine(target.machine));
  for (RecordedPackage& package : target.packages) {
    bool is_found = false;
    for (const std::string& index : query.indexes) {
      if (!is_found) {
        FITMENT_TRY_ASSIGN(is_found, record_from(query, index, tags, target.machine, package));
      }
    }
    if (!is_found) {
      missing.push_back(package.requirement);
    }
  }
  return missing;
}

Result<std::vector<HoldFinding>> check_files(const IndexQuery& query,
                                             const RecordedTarget& target) {
  std::vector<HoldFinding> findings;
  for (const RecordedPackage& package : target.packages) {
    if (!package.file || query.indexes.empty()) {
      continue;
    }
    std::vector<SimpleFile> files;
    for (const std::string& index : query.indexes) {
      FITMENT_TRY_ASSIGN(const std::optional<SimplePage> page, page_of(query, index, package.name));
      if (page) {
        files.insert(files.end(), page->files.begin(), page->files.end());
      }
    }
    std::optional<std::string> digest;
    const auto own = std::find_if(files.begin(), files.end(), [&](const auto& one) {
      return one.filename == package.file->name && one.hashes.count("sha256") == 0;
    });
    if (own != files.end()) {
      FITMENT_TRY_ASSIGN(digest, digest_of(own->url));
    }
    if (auto finding = compare_with_index(package, files, digest)) {
      findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

}  // namespace fitment
