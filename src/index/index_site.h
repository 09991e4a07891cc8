// SPDX-License-Identifier: Apache-2.0
// What our server answers: which path means what.
//
//   /                          for people: this machine and its index
//   /simple/ /simple/NAME/     the Simple API for the first machine
//   /m/NAME/...                the same for each machine that was given or posted
//   /b/BACKEND/...             the same with the backend pinned
//   /m/                        POST of a machine file adds a machine
//   .../files/...              what only we have: files of this machine, variants under plain
//   names,
//                              METADATA at FILE.metadata
#pragma once

#include "index/http_server.h"
#include "index/machine_site.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fitment {

struct SiteOptions {
  ViewPolicy policy;
  std::string token;                             ///< empty: anybody may ask
  bool is_secure = false;                        ///< clients write https://
  std::shared_ptr<const HumanPages> human;       ///< null: people get the plain pages
  std::function<void(const std::string&)> tell;  ///< what an operator should know; may be empty
};

class IndexSite final : public RequestHandler {
 public:
  /// The first machine is the default one. Error: invalid_argument (no machine, two of one name, a
  /// name that cannot stand in an address), and those of creating a view.
  static Result<std::unique_ptr<IndexSite>> create(std::vector<Machine> machines,
                                                   std::shared_ptr<const Catalog> catalog,
                                                   std::shared_ptr<ProjectSource> source,
                                                   SiteOptions options);

  std::optional<ServedResponse> answer_now(const ServedRequest& request) override;
  ServedResponse answer(const ServedRequest& request) override;

  /// The site at the beginning of a path, for writing its pages to files; null: there is none.
  std::shared_ptr<MachineSite> site_at(std::string_view prefix);
  [[nodiscard]] const HumanPages* human() const { return options_.human.get(); }
  [[nodiscard]] const ProjectSource& source() const { return *source_; }
  [[nodiscard]] MetadataSource& metadata() const { return *metadata_; }
  /// Prefixes of all machines: `` and `m/h100/`.
  [[nodiscard]] std::vector<std::string> prefixes() const;

 private:
  IndexSite(std::shared_ptr<const Catalog> catalog,
            std::shared_ptr<ProjectSource> source,
            SiteOptions options);

  struct Place;
  using SitePointer = std::shared_ptr<MachineSite>;

  Result<SitePointer> make_site(Machine machine, ViewPolicy policy);
  SitePointer machine_site(const std::string& name);
  SitePointer backend_site(const std::string& backend);
  [[nodiscard]] bool is_allowed(const ServedRequest& request) const;
  std::optional<Place> find_place(std::string_view path);
  ServedResponse post_machine(const ServedRequest& request);
  ServedResponse home(const Place& place, const ServedRequest& request);
  ServedResponse names(const ServedRequest& request);
  ServedResponse project(const Place& place, const ServedRequest& request);
  ServedResponse file(const Place& place);
  [[nodiscard]] ServedResponse page(const ProjectPage& page,
                                    const Place& place,
                                    const ServedRequest& request) const;
  [[nodiscard]] ServedResponse upstream_fault(const Error& error) const;
  void tell_out_of_reach(const Listing& listing) const;

  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<ProjectSource> source_;
  std::shared_ptr<MetadataSource> metadata_;
  SiteOptions options_;
  SitePointer default_;
  std::map<std::string, SitePointer> given_;

  mutable std::mutex mutex_;
  std::map<std::string, SitePointer> posted_;
  std::map<std::string, SitePointer> backends_;
};

}  // namespace fitment
