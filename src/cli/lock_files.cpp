// SPDX-License-Identifier: Apache-2.0
#include "cli/lock_files.h"

#include "base/byte_source.h"
#include "base/digest.h"
#include "base/files.h"
#include "cli/index_files.h"
#include "record/chosen_file.h"
#include "store/address.h"
#include "store/http_fault.h"
#include "variant/metadata_reader.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

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

/// The path of a file that a local index links; none: it is elsewhere. A page from the network
/// never makes us read our own disk.
std::optional<std::string> linked_path(const std::string& index, const std::string& url) {
  return local_path(index) && url.starts_with("file://") ? local_path(url) : std::nullopt;
}

Result<std::optional<VariantMetadata>> metadata_on(const IndexQuery& query,
                                                   const std::string& index,
                                                   const SimplePage& page,
                                                   const RecordedPackage& package) {
  const std::string name = variants_file_of(package);
  const auto file = std::find_if(
      page.files.begin(), page.files.end(), [&](const auto& one) { return one.filename == name; });
  const auto path = file == page.files.end() ? std::nullopt : linked_path(index, file->url);
  if (file == page.files.end() || (!path && query.network->client.is_offline())) {
    return std::optional<VariantMetadata>();
  }
  std::string text;
  if (path) {
    FITMENT_TRY_ASSIGN(text, read_file(*path, kLargestMetadata));
  } else {
    FITMENT_TRY_ASSIGN(FetchAnswer answer,
                       query.network->client.get({.url = file->url}, kLargestMetadata));
    FITMENT_TRY(check_status(answer.head.status, answer.head.url));
    text = std::move(answer.body);
  }
  FITMENT_TRY_ASSIGN(VariantMetadata metadata, parse_variant_metadata(text, file->url));
  return std::optional(std::move(metadata));
}

/// Of a file on the disk: nobody states its digest, so it is read.
Result<std::optional<std::string>> digest_of(const std::string& index, const std::string& url) {
  const auto path = linked_path(index, url);
  if (!path) {
    return std::optional<std::string>();
  }
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(*path));
  FITMENT_TRY_ASSIGN(std::string digest, sha256_hex(*source));
  return std::optional(std::move(digest));
}

/// What an index states, or of a file of a folder what its bytes say.
Status complete_digest(const std::string& index, SimpleFile& file) {
  if (file.hashes.count("sha256") == 0) {
    FITMENT_TRY_ASSIGN(const std::optional<std::string> digest, digest_of(index, file.url));
    if (digest) {
      file.hashes["sha256"] = *digest;
    }
  }
  return {};
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
                     metadata_on(query, index, *page, package));
  ChosenFileQuery chosen{&page->files, metadata ? &*metadata : nullptr, {}};
  if (metadata) {
    FITMENT_TRY_ASSIGN(chosen.answers, answer_namespaces(*metadata, machine, query.trust));
  }
  if (!record_file(chosen, tags, package)) {
    return false;
  }
  package.index = without_credentials(index);
  if (!package.file->sha256) {
    FITMENT_TRY_ASSIGN(package.file->sha256, digest_of(index, package.file->url));
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

namespace {

/// The files of that name on the indexes; nullopt: none of several has the package.
Result<std::optional<std::vector<SimpleFile>>> files_named(const IndexQuery& query,
                                                           const std::string& package,
                                                           const std::string& filename) {
  std::optional<std::vector<SimpleFile>> files;
  for (const std::string& index : query.indexes) {
    FITMENT_TRY_ASSIGN(std::optional<SimplePage> page, page_of(query, index, package));
    if (!page) {
      continue;
    }
    files = files ? std::move(files) : std::vector<SimpleFile>();
    for (SimpleFile& file : page->files) {
      if (file.filename == filename) {
        FITMENT_TRY(complete_digest(index, file));
        files->push_back(std::move(file));
      }
    }
  }
  return files;
}

bool is_same_index(const std::string& one, const std::string& other) {
  const auto bare = [](const std::string& index) {
    return without_credentials(index.ends_with('/') ? index.substr(0, index.size() - 1) : index);
  };
  return bare(one) == bare(other);
}

Status check_package(const IndexQuery& query,
                     const RecordedPackage& package,
                     std::vector<HoldFinding>& findings) {
  if (!package.file) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const auto files, files_named(query, package.name, package.file->name));
  if (auto finding = compare_with_index(
          package.name, *package.file, files.value_or(std::vector<SimpleFile>()))) {
    findings.push_back(std::move(*finding));
  }
  return {};
}

/// A dependency may come from another index than those that were named.
Status check_dependency(const IndexQuery& query,
                        const RecordedDependency& dependency,
                        std::vector<HoldFinding>& findings) {
  if (!dependency.file) {
    return {};
  }
  auto files = files_named(query, dependency.name, dependency.file->name);
  if (!files && files.error().code() != ErrorCode::not_found) {
    return tl::unexpected(files.error());
  }
  const bool is_listed = files && *files;
  const bool is_asked =
      std::any_of(query.indexes.begin(), query.indexes.end(), [&](const std::string& index) {
        return is_same_index(index, dependency.index);
      });
  if (!is_listed && !is_asked) {
    findings.push_back({HoldFinding::Weight::differs,
                        "file-unchecked",
                        dependency.name,
                        "index",
                        dependency.index,
                        "",
                        "no index that was given has this package"});
    return {};
  }
  if (auto finding = compare_with_index(
          dependency.name, *dependency.file, is_listed ? **files : std::vector<SimpleFile>())) {
    findings.push_back(std::move(*finding));
  }
  return {};
}

}  // namespace

Result<std::vector<HoldFinding>> check_files(const IndexQuery& query,
                                             const RecordedTarget& target) {
  std::vector<HoldFinding> findings;
  if (query.indexes.empty()) {
    return findings;
  }
  for (const RecordedPackage& package : target.packages) {
    FITMENT_TRY(check_package(query, package, findings));
  }
  if (target.dependencies) {
    for (const RecordedDependency& dependency : *target.dependencies) {
      FITMENT_TRY(check_dependency(query, dependency, findings));
    }
  }
  return findings;
}

}  // namespace fitment
