// SPDX-License-Identifier: Apache-2.0
// Files that are for nobody, or for the index alone: the same for every machine.
#include "index/view_draft.h"
#include "wheel/version.h"

#include <algorithm>
#include <set>

namespace fitment {

namespace {

bool names(const Placeholder& placeholder, const std::string& project) {
  return std::any_of(placeholder.names.begin(),
                     placeholder.names.end(),
                     [&](const NamePattern& pattern) { return pattern.matches(project); });
}

/// Versions that have a wheel.
std::set<Version> versions_with_wheels(const Project& project) {
  std::set<Version> versions;
  for (const IndexedFile& file : project.files) {
    if (file.kind == IndexedFile::Kind::wheel) {
      versions.insert(file.version.without_local());
    }
  }
  return versions;
}

void hide_placeholder(ViewDraft& draft, const Placeholder& placeholder) {
  const Project& project = draft.project();
  const std::set<Version> wheels = versions_with_wheels(project);
  for (std::size_t i = 0; i < project.files.size(); ++i) {
    const IndexedFile& file = project.files[i];
    const auto& versions = placeholder.versions;
    const bool is_version =
        versions.empty()
        || std::find(versions.begin(), versions.end(), to_string(file.version)) != versions.end();
    const bool is_kind =
        !placeholder.sdist_alone
        || (file.kind == IndexedFile::Kind::sdist && wheels.count(file.version) == 0);
    if (draft.is_open(i) && is_version && is_kind) {
      draft.hide(
          i, {"placeholder", Verdict::does_not_fit, "file", "placeholder", placeholder.why, {}});
    }
  }
}

}  // namespace

void hide_clutter(ViewDraft& draft) {
  const Project& project = draft.project();
  for (std::size_t i = 0; i < project.files.size(); ++i) {
    if (project.files[i].kind == IndexedFile::Kind::variants) {
      draft.hide(i,
                 {"variant-file",
                  Verdict::does_not_fit,
                  "file",
                  "metadata of all variants",
                  "a client that knows wheel variants",
                  {}});
    } else if (project.files[i].kind == IndexedFile::Kind::other) {
      draft.hide(i,
                 {"file-kind",
                  Verdict::does_not_fit,
                  "file",
                  "another kind of file",
                  "a wheel or source distribution of " + project.name,
                  {}});
    }
  }
  for (const Placeholder& placeholder : *draft.input().placeholders) {
    if (names(placeholder, project.name)) {
      hide_placeholder(draft, placeholder);
    }
  }
}

}  // namespace fitment
