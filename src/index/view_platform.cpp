// SPDX-License-Identifier: Apache-2.0
// platform-tag and glibc-floor for single wheels: architecture, operating system and C library as
// their names say. A fact that the machine does not say rules nothing out: the installer looks
// itself.
#include "base/text.h"
#include "index/view_draft.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

namespace fitment {

namespace {

Reason against(std::string rule, std::string fact, std::string found, std::string required) {
  return {std::move(rule),
          Verdict::does_not_fit,
          std::move(fact),
          std::move(found),
          std::move(required),
          {}};
}

/// What speaks against one platform tag; nullopt: nothing.
std::optional<Reason> judge_tag(const std::string& text, const System& system) {
  const auto tag = parse_platform_tag(text);
  if (!tag) {
    return against("platform-tag", "system.os", system.os.value_or("linux"), text);
  }
  if (tag->family == PlatformTag::Family::any) {
    return std::nullopt;
  }
  if (tag->family == PlatformTag::Family::other) {
    return against("platform-tag", "system.os", system.os.value_or("linux"), text);
  }
  if (system.arch && tag->arch != *system.arch) {
    return against("platform-tag", "system.arch", *system.arch, tag->arch);
  }
  if (!system.libc || tag->family == PlatformTag::Family::linux) {
    return std::nullopt;
  }
  const std::string_view family = tag->family == PlatformTag::Family::musllinux ? "musl" : "glibc";
  if (system.libc->family != family) {
    return against("platform-tag", "system.libc.family", system.libc->family, std::string(family));
  }
  const DottedVersion floor{tag->libc_major, tag->libc_minor};
  if (system.libc->version.size() != 0 && system.libc->version < floor) {
    return against("glibc-floor",
                   "system.libc.version",
                   to_string(system.libc->version),
                   fmt::format("{} >= {}", family, to_string(floor)));
  }
  return std::nullopt;
}

/// A wheel needs one tag that fits; the reason is that of the tag which came nearest.
std::optional<Reason> judge_tags(const std::vector<std::string>& tags, const System& system) {
  std::optional<Reason> nearest;
  for (const std::string& text : tags) {
    std::optional<Reason> reason = judge_tag(text, system);
    if (!reason) {
      return std::nullopt;
    }
    if (!nearest || reason->rule == "glibc-floor") {
      nearest = std::move(reason);
    }
  }
  return nearest;
}

}  // namespace

void hide_other_platforms(ViewDraft& draft) {
  const System& system = draft.context().machine().system;
  if (system.os && *system.os != "linux") {
    return;
  }
  std::unordered_map<std::string, std::optional<Reason>> known;
  const std::vector<IndexedFile>& files = draft.project().files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].wheel || !draft.is_open(i)) {
      continue;
    }
    const std::vector<std::string>& tags = files[i].wheel->platform_tags;
    const auto [found, is_new] = known.try_emplace(join(tags, "."));
    if (is_new) {
      found->second = judge_tags(tags, system);
    }
    if (found->second) {
      draft.hide(i, *found->second);
    }
  }
}

}  // namespace fitment
