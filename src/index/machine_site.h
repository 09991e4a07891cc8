// SPDX-License-Identifier: Apache-2.0
// The pages that one machine sees, each made once for as long as its project stays as it is.
#pragma once

#include "index/listing.h"
#include "index/page_body.h"
#include "index/project_source.h"
#include "index/view.h"

#include <array>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace fitment {

/// Pages for people, which another module writes. `base` leads from the page to the base of its
/// view: `../../`.
class HumanPages {
 public:
  virtual ~HumanPages() = default;
  HumanPages(const HumanPages&) = delete;
  HumanPages& operator=(const HumanPages&) = delete;

  [[nodiscard]] virtual std::string project_page(const Listing& listing,
                                                 const ViewContext& context) const = 0;
  struct Home {
    const ViewContext* machine = nullptr;
    std::vector<std::string> machines;  ///< names of the others
    const Routes* routes = nullptr;
    std::vector<std::string> names;  ///< projects that can be listed
    std::string address;             ///< `http://host:3141/`, as the client wrote it
    std::string where;               ///< `` or `m/h100/`: of this view
  };
  [[nodiscard]] virtual std::string home_page(const Home& home) const = 0;

 protected:
  HumanPages() = default;
};

/// The view of a project with everything that was made from it.
class ProjectPage {
 public:
  ProjectPage(Listing listing, std::string framework_name, std::shared_ptr<const Project> framework)
      : listing_(std::move(listing)),
        framework_name_(std::move(framework_name)),
        framework_(std::move(framework)) {}

  [[nodiscard]] const Listing& listing() const { return listing_; }
  /// The project that this one agrees with; empty: none.
  [[nodiscard]] const std::string& framework_name() const { return framework_name_; }
  /// Made from these very projects?
  [[nodiscard]] bool is_of(const Project* project, const Project* framework) const {
    return listing_.project.get() == project && framework_.get() == framework;
  }
  /// The page in a format; `human` may be null, which gives the plain page to people too.
  std::shared_ptr<const PageBody> body(PageFormat format,
                                       const ViewContext& context,
                                       const HumanPages* human) const;

 private:
  Listing listing_;
  std::string framework_name_;
  std::shared_ptr<const Project> framework_;
  mutable std::mutex mutex_;
  mutable std::array<std::shared_ptr<const PageBody>, 4> bodies_;
};

class MachineSite {
 public:
  MachineSite(ViewContext context,
              std::shared_ptr<ProjectSource> source,
              std::shared_ptr<MetadataSource> metadata);

  [[nodiscard]] const ViewContext& context() const { return context_; }

  using PagePointer = std::shared_ptr<const ProjectPage>;
  /// The page of a project; null: there is no such project. Errors: those of the indexes.
  Result<PagePointer> load(const std::string& name);
  /// What load() would answer without waiting; nullopt: it would have to wait.
  std::optional<PagePointer> peek(const std::string& name);

 private:
  static constexpr std::size_t kMostPages = 1'000;

  [[nodiscard]] Result<std::string> framework_of(const std::string& name) const;
  void keep(const std::string& name, PagePointer page);

  ViewContext context_;
  std::shared_ptr<ProjectSource> source_;
  std::shared_ptr<MetadataSource> metadata_;

  std::mutex mutex_;
  std::list<std::pair<std::string, PagePointer>> recent_;  ///< last used first
  std::unordered_map<std::string, decltype(recent_)::iterator> pages_;
};

}  // namespace fitment
