// SPDX-License-Identifier: Apache-2.0
// Packages that must agree are chosen together: torch with torchvision and torchaudio. A group is
// one framework and the members of it that were asked for.
#pragma once

#include "choose/choose.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct GroupMember {
  std::size_t request = 0;  ///< index of the request
  std::string name;         ///< normalised
  const Requirement* requirement = nullptr;
};

struct Group {
  const Framework* framework = nullptr;
  std::vector<GroupMember> members;

  [[nodiscard]] bool is_companion(const GroupMember& member) const;
  /// Do the versions of this member carry the backend as their local label?
  [[nodiscard]] bool is_labelled(const GroupMember& member) const;
};

/// The public version of a member that goes with a release; empty where it has none.
std::string member_version(const Group& group, const GroupMember& member, const Release& release);

/// Does an extra of some build have this name: `cuda12` of JAX?
bool is_build_extra(const Framework& framework, std::string_view extra);

/// Do the requests stand for certain builds, by an extra, a local label or the package's name?
bool names_builds(const Group& group);

/// Sorts the requests into groups, in order of their first member. Packages that the catalogue does
/// not know are errors (with the nearest name) or go to `outside`.
Result<std::vector<Group>> group_requests(const ChooseInput& input,
                                          std::vector<std::string>& outside);

/// Does the requirement of a member accept this version with this backend? A local label in the
/// requirement pins it.
bool accepts(const Group& group,
             const GroupMember& member,
             const std::string& version,
             const Backend& backend);
/// Does it accept the version with any of the release's backends?
bool accepts_release(const Group& group, const GroupMember& member, const Release& release);

}  // namespace fitment
