// SPDX-License-Identifier: Apache-2.0
#include "index/build_lookup.h"

#include "choose/candidates.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// Labels that name a backend are PyTorch's custom: its GPUs count for packages that use them too.
constexpr std::string_view kLabelFramework = "torch";

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

BuildMark mark_of(const Framework& framework, const std::string& project) {
  switch (framework.selector) {
    case BuildSelector::local_label:
      return lists(framework.shared_companions, project) ? BuildMark::none : BuildMark::label;
    case BuildSelector::index_url:
      return project == framework.name ? BuildMark::address : BuildMark::none;
    case BuildSelector::name:
      return names_some_builds(framework, project) ? BuildMark::name : BuildMark::none;
    case BuildSelector::version:
      return project == framework.name ? BuildMark::version : BuildMark::none;
    case BuildSelector::extra:
      return project == framework.name ? BuildMark::cpu_only : BuildMark::none;
  }
  return BuildMark::none;
}

}  // namespace

std::optional<Backend> backend_of_label(const std::string& label) {
  for (std::size_t end = label.size(); end != std::string::npos && end != 0;
       end = label.rfind('.', end - 1)) {
    if (auto backend = parse_backend(label.substr(0, end))) {
      return std::move(*backend);
    }
  }
  return std::nullopt;
}

Result<BuildLookup> BuildLookup::create(const Catalog& catalog,
                                        const std::string& project,
                                        const Known<std::string>& arch) {
  BuildLookup lookup;
  FITMENT_TRY_ASSIGN(lookup.framework_, catalog.find_framework(project));
  lookup.is_known_ = lookup.framework_ != nullptr;
  if (lookup.is_known_) {
    lookup.mark_ = mark_of(*lookup.framework_, project);
    lookup.is_companion_ = lists(lookup.framework_->companions, project)
                           && !lists(lookup.framework_->shared_companions, project);
  } else {
    FITMENT_TRY_ASSIGN(lookup.framework_, catalog.find_framework(kLabelFramework));
    lookup.mark_ = lookup.framework_ == nullptr ? BuildMark::none : BuildMark::label;
  }
  lookup.project_ = project;
  lookup.arch_ = arch;
  return lookup;
}

std::string BuildLookup::version_in(const Release& release) const {
  if (!is_companion_) {
    return release.version;
  }
  const auto found = release.companions.find(project_);
  return found == release.companions.end() ? std::string() : found->second;
}

const Release* BuildLookup::find_release(const Version& version) const {
  if (!is_known_) {
    return nullptr;
  }
  const std::string wanted = version.public_text();
  for (const Release& release : framework_->releases) {
    const auto own = Version::parse(version_in(release));
    if (own && own->public_text() == wanted) {
      return &release;
    }
  }
  return nullptr;
}

std::optional<Backend> BuildLookup::backend_of(const IndexedFile& file) const {
  const auto parsed = [](const std::string& text) {
    auto backend = parse_backend(text);
    return backend ? std::optional(std::move(*backend)) : std::nullopt;
  };
  const auto only_build = [&](auto&& is_meant) -> std::optional<Backend> {
    for (auto release = framework_->releases.rbegin(); release != framework_->releases.rend();
         ++release) {
      const auto version = Version::parse(release->version);
      if (version && *version > file.version.without_local()) {
        continue;
      }
      for (const Build& build : release->builds) {
        if (is_meant(build)) {
          return build.backend;
        }
      }
    }
    return std::nullopt;
  };
  switch (mark_) {
    case BuildMark::none:
      return std::nullopt;
    case BuildMark::label: {
      const std::string label = file.version.local();
      if (!label.empty()) {
        return backend_of_label(label);
      }
      if (!is_known_) {
        return std::nullopt;
      }
      if (!file.backend.empty()) {
        return parsed(file.backend);
      }
      const Release* release = find_release(file.version);
      return release == nullptr || is_companion_ ? std::nullopt : parsed(release->pypi_default);
    }
    case BuildMark::address:
      return parsed(file.backend);
    case BuildMark::name:
      return only_build([&](const Build& build) { return build.requirement_name == project_; });
    case BuildMark::version:
      return only_build([&](const Build& build) { return build.backend.vendor().has_value(); });
    case BuildMark::cpu_only:
      return parsed("cpu");
  }
  return std::nullopt;
}

FoundBuild BuildLookup::assume(const Backend& backend) {
  Build build;
  build.backend = backend;
  if (backend.kind == Backend::Kind::cuda) {
    build.toolkit = backend.level;
  }
  assumed_.push_back(std::move(build));
  return {nullptr, &assumed_.back(), true, {}};
}

FoundBuild BuildLookup::find(const Version& version, const Backend& backend) {
  if (!is_known_) {
    FoundBuild found = assume(backend);
    found.knows_kernels = false;
    found.note = fmt::format(
        "the catalogue does not know {}: only vendor and driver were looked at", project_);
    return found;
  }
  if (const Release* release = find_release(version)) {
    if (const Build* build = find_build(*release, backend.text, arch_)) {
      return {release, build, true, {}};
    }
  }
  const Version wanted = version.without_local();
  const Release* nearest = nullptr;
  const Build* row = nullptr;
  for (const Release& release : framework_->releases) {
    const auto own = Version::parse(version_in(release));
    const Build* build = own && *own <= wanted ? find_build(release, backend.text, arch_) : nullptr;
    if (build != nullptr) {
      nearest = &release;
      row = build;
    }
  }
  if (row == nullptr) {
    return assume(backend);
  }
  return {nearest,
          row,
          true,
          fmt::format("the catalogue does not know {} {}+{}: judged as {}",
                      project_,
                      wanted.public_text(),
                      backend.text,
                      version_in(*nearest))};
}

}  // namespace fitment
