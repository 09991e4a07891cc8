// SPDX-License-Identifier: Apache-2.0
#include "choose/group.h"

#include "base/closest.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

Error unknown_package(const std::string& name, const Catalog& catalog) {
  Error error =
      fail(ErrorCode::not_found, fmt::format("the catalogue does not know the package `{}`", name));
  const auto names = catalog.package_names();
  const auto nearest = names ? find_closest(name, *names) : std::nullopt;
  if (nearest) {
    return std::move(error).hint(fmt::format("did you mean `{}`?", *nearest));
  }
  return std::move(error).hint(
      "`fitment catalog show` lists the packages whose builds it can choose; others install as "
      "usual");
}

}  // namespace

bool Group::is_companion(const GroupMember& member) const {
  return member.name != framework->name && member.name != framework->cpu_name
         && !names_some_builds(*framework, member.name);
}

bool Group::is_labelled(const GroupMember& member) const {
  const auto& shared = framework->shared_companions;
  return framework->selector == BuildSelector::local_label
         && std::find(shared.begin(), shared.end(), member.name) == shared.end();
}

std::string member_version(const Group& group, const GroupMember& member, const Release& release) {
  if (!group.is_companion(member)) {
    return release.version;
  }
  const auto found = release.companions.find(member.name);
  return found == release.companions.end() ? std::string() : found->second;
}

bool is_build_extra(const Framework& framework, std::string_view extra) {
  return std::any_of(
      framework.releases.begin(), framework.releases.end(), [&](const Release& release) {
        return std::any_of(release.builds.begin(), release.builds.end(), [&](const Build& build) {
          return std::find(build.extras.begin(), build.extras.end(), extra) != build.extras.end();
        });
      });
}

bool names_builds(const Group& group) {
  return std::any_of(group.members.begin(), group.members.end(), [&](const GroupMember& member) {
    if (names_some_builds(*group.framework, member.name)) {
      return true;
    }
    const std::vector<std::string>& extras = member.requirement->extras;
    const bool by_extra =
        !group.is_companion(member)
        && std::any_of(extras.begin(), extras.end(), [&](const std::string& extra) {
             return is_build_extra(*group.framework, extra);
           });
    const bool by_label = to_string(member.requirement->specifiers).find('+') != std::string::npos;
    return by_extra || by_label;
  });
}

Result<std::vector<Group>> group_requests(const ChooseInput& input,
                                          std::vector<std::string>& outside) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < input.requests.size(); ++i) {
    const Requirement& requirement = input.requests[i].requirement;
    const std::string name = normalize_name(requirement.name);
    FITMENT_TRY_ASSIGN(const Framework* framework, input.catalog->find_framework(name));
    if (framework != nullptr && !requirement.url.empty() && input.outside_is_error) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` names one file: there is nothing to choose",
                              input.requests[i].text))
          .hint(fmt::format(
              "ask for `{}`, or for one build of it: `{}==VERSION+BACKEND`", name, name));
    }
    if (framework == nullptr || !requirement.url.empty()) {
      if (input.outside_is_error) {
        return unknown_package(name, *input.catalog);
      }
      outside.push_back(name);
      continue;
    }
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
      return known.framework == framework;
    });
    if (group == groups.end()) {
      groups.push_back({framework, {}});
      group = std::prev(groups.end());
    }
    group->members.push_back({i, name, &requirement});
  }
  return groups;
}

bool accepts(const Group& group,
             const GroupMember& member,
             const std::string& version,
             const Backend& backend) {
  const bool labelled = group.is_labelled(member);
  const auto parsed = Version::parse(labelled ? version + "+" + backend.text : version);
  return parsed && member.requirement->specifiers.contains(*parsed, Prereleases::by_specifier);
}

bool accepts_release(const Group& group, const GroupMember& member, const Release& release) {
  const std::string version = member_version(group, member, release);
  if (version.empty()) {
    return false;
  }
  const auto plain = Version::parse(version);
  if (plain && member.requirement->specifiers.contains(*plain, Prereleases::by_specifier)) {
    return true;
  }
  return std::any_of(release.builds.begin(), release.builds.end(), [&](const Build& build) {
    return accepts(group, member, version, build.backend);
  });
}

}  // namespace fitment
