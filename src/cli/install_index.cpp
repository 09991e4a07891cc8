// SPDX-License-Identifier: Apache-2.0
#include "cli/install_index.h"

#include "cli/index_files.h"
#include "cli/index_job.h"
#include "cli/machine_options.h"
#include "index/file_origin.h"
#include "wheel/url.h"

#include <utility>

namespace fitment {

namespace {

/// Of a file as its index has it. What was made here can be had nowhere else, so it has no address.
RecordedFile recorded(const FileOrigin& origin, const std::string& listed, std::string sha256) {
  RecordedFile file;
  const auto hash = origin.file.hashes.find("sha256");
  if (origin.is_derived) {
    file.name = listed;
    file.sha256 = std::move(sha256);
    if (hash != origin.file.hashes.end()) {
      file.derived_from = hash->second;
    }
    return file;
  }
  file.name = origin.file.filename;
  file.url = origin.file.url.starts_with('/') ? file_url(origin.file.url)
                                              : without_credentials(origin.file.url);
  file.size = origin.file.size;
  file.sha256 = std::move(sha256);
  if (hash != origin.file.hashes.end()) {
    file.sha256 = hash->second;
  }
  return file;
}

}  // namespace

Result<InstallIndex> InstallIndex::open(const Invocation& invocation,
                                        const Streams& streams,
                                        const PlanJob& job) {
  InstallIndex index;
  if (const auto given = invocation.find("index")) {
    index.url_ = *given;
    FITMENT_TRY_ASSIGN(index.network_, open_network(invocation, streams));
    return index;
  }
  FITMENT_TRY_ASSIGN(Catalog loaded, load_catalog(invocation));
  const auto catalog = std::make_shared<const Catalog>(std::move(loaded));
  FITMENT_TRY_ASSIGN(IndexConfig config, read_index_config(invocation, *catalog));
  FITMENT_TRY_ASSIGN(
      IndexJob made,
      make_index_job(invocation, streams, catalog, std::move(config.routes), job.policy));
  made.input.machines = {job.machines.front()};
  index.network_ = std::move(made.network);
  FITMENT_TRY_ASSIGN(index.server_, IndexServer::start(std::move(made.input)));
  index.url_ = index.server_->url() + "/simple/";
  return index;
}

Result<std::vector<std::string>> InstallIndex::files_of(const std::string& project) const {
  if (server_) {
    return list_shown_files(server_->site(), project);
  }
  auto page = read_index_page(network_->pages, url_, project);
  if (!page && page.error().code() == ErrorCode::not_found) {
    return std::vector<std::string>();
  }
  if (!page) {
    return tl::unexpected(std::move(page).error());
  }
  std::vector<std::string> names;
  for (const SimpleFile& file : page->files) {
    names.push_back(file.filename);
  }
  return names;
}

Result<StoredFile> InstallIndex::fetch(const WheelhouseFile& file) const {
  WantedFile wanted{file.url, file.filename, file.sha256, {}};
  const bool is_own = server_ && file.url.starts_with(server_->url() + "/");
  if (!is_own) {
    return network_->store.fetch(network_->client, wanted);
  }
  FITMENT_TRY_ASSIGN(const std::optional<FileOrigin> origin,
                     find_file_origin(server_->site(), file.name, file.filename));
  if (origin && origin->is_derived) {
    FITMENT_TRY_ASSIGN(const auto bytes,
                       open_derived_file(server_->site(), file.name, file.filename));
    return network_->store.add(*bytes, file.filename);
  }
  if (origin) {
    wanted.url = origin->place.empty() ? origin->file.url : origin->place;
  }
  return network_->store.fetch(network_->client, wanted);
}

Result<InstalledSource> InstallIndex::source_of(const std::string& project,
                                                const std::string& url,
                                                const std::string& sha256) const {
  InstalledSource source;
  const std::string name = url_filename(url);
  const std::optional<std::string> digest =
      sha256.empty() ? std::nullopt : std::optional<std::string>(sha256);
  if (!server_) {
    source.file = RecordedFile{name, without_credentials(url), {}, digest, {}};
    source.index = without_credentials(url_);
    return source;
  }
  FITMENT_TRY_ASSIGN(const std::optional<FileOrigin> origin,
                     find_file_origin(server_->site(), project, name));
  if (!origin) {  // asked for by its address
    source.file = RecordedFile{name, without_credentials(url), {}, digest, {}};
    return source;
  }
  source.file = recorded(*origin, name, sha256);
  source.index = origin->index;
  source.variants = origin->variants;
  return source;
}

}  // namespace fitment
