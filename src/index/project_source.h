// SPDX-License-Identifier: Apache-2.0
// Projects from the indexes that the routes name: fetched, read, kept for a while, and asked for
// again only to learn whether they have changed. All machines share them.
#pragma once

#include "catalog/catalog.h"
#include "index/index_folder.h"
#include "index/project.h"
#include "index/route.h"
#include "index/upstream.h"

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace fitment {

struct SourceOptions {
  std::chrono::milliseconds refresh{60'000};  ///< a page this young is not asked for again
  std::chrono::milliseconds folder_refresh{1'000};
  std::size_t most_projects = 2'000;  ///< kept in memory
};

/// For many threads at once; one project is fetched by one of them.
class ProjectSource {
 public:
  ProjectSource(Routes routes,
                std::shared_ptr<const Catalog> catalog,
                std::shared_ptr<Upstream> network,
                SourceOptions options = {});
  ~ProjectSource();

  using ProjectPointer = std::shared_ptr<const Project>;

  /// The project; null: no index has it. `name` is normalised. Errors: network_error, parse_error,
  /// io_error, with the address of the index.
  Result<ProjectPointer> load(const std::string& name);

  /// What load() would answer without asking anybody; nullopt: somebody must be asked.
  std::optional<ProjectPointer> peek(const std::string& name);

  /// Names that can be listed: those that the routes write out, and what lies in folders.
  [[nodiscard]] std::vector<std::string> names() const;

  [[nodiscard]] const Routes& routes() const { return routes_; }
  [[nodiscard]] const std::shared_ptr<Upstream>& network_pointer() const { return network_; }
  /// The backends that the addresses of a route are asked for.
  [[nodiscard]] std::vector<std::string> backends_of(const IndexRoute& route,
                                                     const std::string& name) const;

  /// Is this file of this machine one that its index may hand out?
  [[nodiscard]] bool may_read(const Project& project, const IndexedFile& file) const;

 private:
  struct Part;
  struct Entry;

  std::shared_ptr<Entry> entry_of(const std::string& name);
  [[nodiscard]] bool is_fresh(const Entry& entry) const;
  Result<ProjectPointer> fetch(const std::string& name, const IndexRoute& route, Entry& entry);
  Status refresh(const std::string& name, const IndexRoute& route, Entry& entry);
  Status refresh_part(const std::string& name, const IndexRoute& route, Part& part);
  Result<ProjectPointer> assemble(const std::string& name, const IndexRoute& route, Entry& entry);
  [[nodiscard]] bool bring_into_reach(IndexedFile& file) const;
  void hash_local_files(Project& project);
  void read_variants(Project& project, Entry& entry);

  Routes routes_;
  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<Upstream> network_;
  SourceOptions options_;
  FileDigests digests_;

  std::mutex mutex_;
  std::list<std::string> recent_;  ///< names, last used first
  struct Slot {
    std::shared_ptr<Entry> entry;
    std::list<std::string>::iterator place;
  };
  std::unordered_map<std::string, Slot> entries_;
};

}  // namespace fitment
