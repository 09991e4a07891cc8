// SPDX-License-Identifier: Apache-2.0
#include "index/machine_site.h"

#include "index/simple_writer.h"

#include <utility>

namespace fitment {

std::shared_ptr<const PageBody> ProjectPage::body(PageFormat format,
                                                  const ViewContext& context,
                                                  const HumanPages* human) const {
  if (format == PageFormat::human && human == nullptr) {
    format = PageFormat::plain;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const PageBody>& body = bodies_.at(static_cast<std::size_t>(format));
  if (!body) {
    std::string bytes = format == PageFormat::json
                            ? write_project_json(listing_, context.machine().name)
                        : format == PageFormat::human ? human->project_page(listing_, context)
                                                      : write_project_html(listing_);
    body = std::make_shared<const PageBody>(std::move(bytes), format);
  }
  return body;
}

MachineSite::MachineSite(ViewContext context,
                         std::shared_ptr<ProjectSource> source,
                         std::shared_ptr<MetadataSource> metadata)
    : context_(std::move(context)), source_(std::move(source)), metadata_(std::move(metadata)) {}

/// A framework counts only where it comes from an index of ours too.
Result<std::string> MachineSite::framework_of(const std::string& name) const {
  FITMENT_TRY_ASSIGN(std::string framework, framework_to_agree_with(context_.catalog(), name));
  return source_->routes().find(framework) == nullptr ? std::string() : std::move(framework);
}

void MachineSite::keep(const std::string& name, PagePointer page) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = pages_.find(name); found != pages_.end()) {
    found->second->second = std::move(page);
    recent_.splice(recent_.begin(), recent_, found->second);
    return;
  }
  if (pages_.size() >= kMostPages) {
    pages_.erase(recent_.back().first);
    recent_.pop_back();
  }
  recent_.emplace_front(name, std::move(page));
  pages_.emplace(name, recent_.begin());
}

std::optional<MachineSite::PagePointer> MachineSite::peek(const std::string& name) {
  PagePointer page;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pages_.find(name);
    if (found != pages_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      page = found->second->second;
    }
  }
  const auto project = source_->peek(name);
  if (!project) {
    return std::nullopt;
  }
  if (!*project) {
    return PagePointer();
  }
  if (!page) {
    return std::nullopt;
  }
  ProjectSource::ProjectPointer framework;
  if (!page->framework_name().empty()) {
    auto known = source_->peek(page->framework_name());
    if (!known) {
      return std::nullopt;
    }
    framework = std::move(*known);
  }
  return page->is_of(project->get(), framework.get()) ? std::optional(std::move(page))
                                                      : std::nullopt;
}

Result<MachineSite::PagePointer> MachineSite::load(const std::string& name) {
  FITMENT_TRY_ASSIGN(const std::string framework_name, framework_of(name));
  FITMENT_TRY_ASSIGN(ProjectSource::ProjectPointer project, source_->load(name));
  if (!project) {
    return PagePointer();
  }
  ProjectSource::ProjectPointer framework;
  FrameworkChoices choices;
  if (!framework_name.empty()) {
    FITMENT_TRY_ASSIGN(framework, source_->load(framework_name));
    FITMENT_TRY_ASSIGN(const PagePointer page, load(framework_name));
    choices = page ? choices_of(*page->listing().view) : FrameworkChoices();
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pages_.find(name);
    if (found != pages_.end() && found->second->second->is_of(project.get(), framework.get())) {
      return found->second->second;
    }
  }
  FITMENT_TRY_ASSIGN(ProjectView view,
                     plan_view({project.get(),
                                &context_,
                                &source_->routes().placeholders,
                                framework ? &choices : nullptr}));
  auto page = std::make_shared<const ProjectPage>(
      make_listing(
          project, std::make_shared<const ProjectView>(std::move(view)), context_, *metadata_),
      framework_name,
      framework);
  keep(name, page);
  return PagePointer(std::move(page));
}

}  // namespace fitment
