// SPDX-License-Identifier: Apache-2.0
#include "index/project_source.h"

#include "base/digest.h"
#include "base/parallel.h"
#include "base/text.h"
#include "index/project_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fitment {

namespace {

using Clock = std::chrono::steady_clock;

/// Who asks again this soon after a failure gets the same answer: a crowd that waits for a slow
/// index must not make it wait one after the other.
constexpr std::chrono::milliseconds kFailureCounts{2'000};

/// A page takes several times its size while it is read.
constexpr std::uint64_t kLargestPage = 64ULL << 20U;

/// Addresses of one index that are asked at once.
constexpr std::size_t kAtOnce = 8;

Result<SimplePage> parse_page(const UpstreamPage& page) {
  const bool is_json =
      page.content_type.find("json") != std::string::npos || trim(page.body).starts_with('{');
  return is_json ? parse_simple_json(page.body, page.url) : parse_simple_html(page.body, page.url);
}

std::string digest_of(const Project& project) {
  std::string all = project.name + "\n" + project.index + "\n";
  const auto add_hashes = [&all](const FileHashes& hashes) {
    for (const auto& [algorithm, digits] : hashes) {
      all += fmt::format("{}={} ", algorithm, digits);
    }
  };
  for (const IndexedFile& file : project.files) {
    const SimpleFile& simple = file.file;
    all += fmt::format("{} {} {} {} {} {} ",
                       simple.filename,
                       simple.url,
                       file.backend,
                       simple.size.value_or(0),
                       simple.requires_python.value_or("-"),
                       simple.yanked ? "yanked " + *simple.yanked : "-");
    all += file.kept + " ";
    add_hashes(simple.hashes);
    all += simple.core_metadata ? "metadata " : "- ";
    add_hashes(simple.core_metadata.value_or(FileHashes()));
    all += "\n";
  }
  for (const auto& [version, variants] : project.variants) {
    all += version + variants.unusable
           + (variants.metadata ? write_variant_metadata(*variants.metadata) : "");
  }
  return sha256_hex(all);
}

}  // namespace

/// The page of one address.
struct ProjectSource::Part {
  std::string backend;
  std::string url;
  std::string sha256;              ///< of the page
  std::optional<SimplePage> page;  ///< absent: the index has no such project
};

struct ProjectSource::Entry {
  std::mutex fetching;  ///< held by who asks the indexes
  std::vector<Part> parts;
  std::map<std::string, std::string> documents;  ///< variant metadata by address and hash

  std::mutex state;  ///< guards what follows
  std::optional<ProjectPointer> project;
  Clock::time_point checked;
  std::chrono::milliseconds fresh_for{0};
  std::optional<Error> failure;  ///< of the last attempt, which counts for a moment
};

ProjectSource::ProjectSource(Routes routes,
                             std::shared_ptr<const Catalog> catalog,
                             std::shared_ptr<Upstream> network,
                             SourceOptions options)
    : routes_(std::move(routes)),
      catalog_(std::move(catalog)),
      network_(std::move(network)),
      options_(options) {}

ProjectSource::~ProjectSource() = default;

std::shared_ptr<ProjectSource::Entry> ProjectSource::entry_of(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = entries_.find(name); found != entries_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second.place);
    return found->second.entry;
  }
  if (entries_.size() >= options_.most_projects) {
    entries_.erase(recent_.back());
    recent_.pop_back();
  }
  recent_.push_front(name);
  auto entry = std::make_shared<Entry>();
  entries_.emplace(name, Slot{entry, recent_.begin()});
  return entry;
}

bool ProjectSource::is_fresh(const Entry& entry) const {
  return entry.project && Clock::now() - entry.checked < entry.fresh_for;
}

std::optional<ProjectSource::ProjectPointer> ProjectSource::peek(const std::string& name) {
  if (routes_.find(name) == nullptr) {
    return ProjectPointer();
  }
  const std::shared_ptr<Entry> entry = entry_of(name);
  const std::lock_guard<std::mutex> lock(entry->state);
  return is_fresh(*entry) ? entry->project : std::nullopt;
}

Result<ProjectSource::ProjectPointer> ProjectSource::load(const std::string& name) {
  const IndexRoute* route = routes_.find(name);
  if (route == nullptr) {
    return ProjectPointer();
  }
  const std::shared_ptr<Entry> entry = entry_of(name);
  const Clock::time_point asked = Clock::now();
  const std::lock_guard<std::mutex> fetching(entry->fetching);
  {
    const std::lock_guard<std::mutex> lock(entry->state);
    // Whoever waited for another's question takes the answer.
    if (entry->project && (is_fresh(*entry) || entry->checked > asked)) {
      return *entry->project;
    }
    if (entry->failure && Clock::now() - entry->checked < kFailureCounts) {
      return tl::unexpected(*entry->failure);
    }
  }
  auto project = fetch(name, *route, *entry);
  const std::lock_guard<std::mutex> lock(entry->state);
  entry->checked = Clock::now();
  entry->failure.reset();
  if (!project) {
    entry->project.reset();
    entry->failure = project.error();
    return project;
  }
  const bool is_same = entry->project && *entry->project && *project
                       && (*entry->project)->digest == (*project)->digest;
  if (!is_same) {
    entry->project = std::move(*project);
  }
  entry->fresh_for =
      route->layout == IndexRoute::Layout::folder ? options_.folder_refresh : options_.refresh;
  return *entry->project;
}

std::vector<std::string> ProjectSource::backends_of(const IndexRoute& route,
                                                    const std::string& name) const {
  if (!route.has_backends()) {
    return {""};
  }
  if (!route.backends.empty()) {
    return route.backends;
  }
  std::vector<std::string> wanted{name};
  const auto own = catalog_->find_framework(name);
  if (!own || *own == nullptr) {
    // A name that the catalogue does not know is looked for wherever the route's other names are.
    wanted.clear();
    for (const NamePattern& pattern : route.names) {
      wanted.push_back(pattern.text());
    }
  }
  std::vector<std::string> backends;
  for (const std::string& known : wanted) {
    const auto framework = catalog_->find_framework(known);
    if (!framework || *framework == nullptr) {
      continue;
    }
    for (const Release& release : (*framework)->releases) {
      for (const Build& build : release.builds) {
        backends.push_back(build.backend.text);
      }
    }
  }
  std::sort(backends.begin(), backends.end());
  backends.erase(std::unique(backends.begin(), backends.end()), backends.end());
  return backends;
}

Status ProjectSource::refresh_part(const std::string& name, const IndexRoute& route, Part& part) {
  if (route.layout == IndexRoute::Layout::folder) {
    FITMENT_TRY_ASSIGN(part.page, IndexFolder(part.url).find(name));
    return {};
  }
  const std::string url = route.layout == IndexRoute::Layout::flat
                              ? part.url + "/"
                              : fmt::format("{}/{}/", part.url, name);
  FITMENT_TRY_ASSIGN(UpstreamPage page, network_->get_page(url, part.sha256));
  if (page.body.size() > kLargestPage) {
    return fail(ErrorCode::network_error,
                fmt::format("a page of more than {} MB", kLargestPage >> 20U));
  }
  switch (page.state) {
    case UpstreamPage::State::not_modified:
      return {};
    case UpstreamPage::State::absent:
      part.page.reset();
      part.sha256.clear();
      return {};
    case UpstreamPage::State::found:
      FITMENT_TRY_ASSIGN(part.page, parse_page(page));
      part.sha256 = std::move(page.sha256);
      return {};
  }
  return {};
}

Status ProjectSource::refresh(const std::string& name, const IndexRoute& route, Entry& entry) {
  if (entry.parts.empty()) {
    for (const std::string& backend : backends_of(route, name)) {
      entry.parts.push_back({backend, route.url_for(backend), {}, {}});
    }
  }
  std::vector<std::optional<Error>> errors(entry.parts.size());
  for_each_index(entry.parts.size(), kAtOnce, [&](std::size_t i) {
    if (auto status = refresh_part(name, route, entry.parts[i]); !status) {
      errors[i] = std::move(status).error();
    }
  });
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors[i]) {
      // A backend whose folder is not there has nothing of the project.
      const bool is_absent = errors[i]->code() == ErrorCode::not_found || network_->is_offline();
      if (is_absent && route.has_backends()) {
        entry.parts[i].page.reset();
        continue;
      }
      return tl::unexpected(
          std::move(*errors[i]).while_doing(fmt::format("asking the index `{}`", route.name)));
    }
  }
  return {};
}

void ProjectSource::hash_local_files(Project& project) {
  for_each_index(project.files.size(), 0, [&](std::size_t i) {
    SimpleFile& file = project.files[i].file;
    if (file.url.starts_with('/') && file.hashes.empty()) {
      if (auto digest = digests_.sha256(file.url)) {
        file.hashes.emplace("sha256", std::move(*digest));
      }
    }
  });
}

Result<ProjectSource::ProjectPointer> ProjectSource::fetch(const std::string& name,
                                                           const IndexRoute& route,
                                                           Entry& entry) {
  FITMENT_TRY(refresh(name, route, entry));
  return assemble(name, route, entry);
}

/// Offline only what lies on this machine can be had. False: the file cannot.
bool ProjectSource::bring_into_reach(IndexedFile& file) const {
  if (!network_->is_offline() || !local_place(file).empty()) {
    return true;
  }
  const auto hash = file.file.hashes.find("sha256");
  file.kept = hash == file.file.hashes.end() ? std::string() : network_->find_kept(hash->second);
  return !file.kept.empty();
}

Result<ProjectSource::ProjectPointer> ProjectSource::assemble(const std::string& name,
                                                              const IndexRoute& route,
                                                              Entry& entry) {
  auto project = std::make_shared<Project>();
  project->name = name;
  project->index = route.name;
  bool is_there = false;
  std::unordered_map<std::string, std::size_t> by_address;  // one file that several pages list
  for (const Part& part : entry.parts) {
    for (const SimpleFile& file : part.page ? part.page->files : std::vector<SimpleFile>()) {
      if (route.layout == IndexRoute::Layout::flat && project_of_file(file.filename) != name) {
        continue;
      }
      const auto [known, is_new] = by_address.emplace(file.url, project->files.size());
      if (is_new) {
        IndexedFile indexed = classify_file(file, part.backend, name);
        if (!bring_into_reach(indexed)) {
          by_address.erase(known);
          ++project->out_of_reach;
          is_there = true;
          continue;
        }
        project->files.push_back(std::move(indexed));
      } else if (project->files[known->second].backend != part.backend) {
        project->files[known->second].backend.clear();
      }
      is_there = true;
    }
    is_there = is_there || (part.page && route.layout != IndexRoute::Layout::flat);
  }
  if (!is_there) {
    return ProjectPointer();
  }
  hash_local_files(*project);
  read_variants(*project, entry);
  project->digest = digest_of(*project);
  return ProjectPointer(std::move(project));
}

void ProjectSource::read_variants(Project& project, Entry& entry) {
  std::map<std::string, std::string> documents;
  VariantDocuments reader(project, [&](const SimpleFile& file) -> Result<std::string> {
    const auto hash = file.hashes.find("sha256");
    const std::string key =
        hash == file.hashes.end() ? std::string() : file.url + " " + hash->second;
    if (const auto known = entry.documents.find(key); known != entry.documents.end()) {
      documents.insert(*known);
      return known->second;
    }
    FITMENT_TRY_ASSIGN(std::string text, read_variant_document(file, *network_));
    if (!key.empty()) {
      documents.emplace(key, text);
    }
    return text;
  });
  reader.read_into(project.variants);
  entry.documents = std::move(documents);
}

bool ProjectSource::may_read(const Project& project, const IndexedFile& file) const {
  const IndexRoute* route = routes_.find(project.name);
  if (route == nullptr || route->layout != IndexRoute::Layout::folder) {
    return false;
  }
  const std::vector<std::string> backends = backends_of(*route, project.name);
  return std::any_of(backends.begin(), backends.end(), [&](const std::string& backend) {
    return IndexFolder(route->url_for(backend)).holds(file.file.url);
  });
}

std::vector<std::string> ProjectSource::names() const {
  std::vector<std::string> names = routes_.exact_names();
  for (const IndexRoute& route : routes_.indexes) {
    if (route.layout != IndexRoute::Layout::folder) {
      continue;
    }
    for (const std::string& backend : backends_of(route, "")) {
      const auto in_folder = IndexFolder(route.url_for(backend)).names();
      for (const std::string& name : in_folder.value_or(std::vector<std::string>{})) {
        if (routes_.find(name) == &route) {
          names.push_back(name);
        }
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace fitment
