// SPDX-License-Identifier: Apache-2.0
// The same library twice: another copy than its owner meant (LD_LIBRARY_PATH before RUNPATH), and
// copies that other search orders would reach.
#include "doctor/examination.h"
#include "elf/library_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

const ClosureObject* find_by_path(const Closure& closure, const std::string& real_path) {
  const auto found =
      std::find_if(closure.objects.begin(), closure.objects.end(), [&](const ClosureObject& one) {
        return one.real_path == real_path;
      });
  return found == closure.objects.end() ? nullptr : &*found;
}

/// Edges that LD_LIBRARY_PATH turns to another file.
void check_foreign(Examination& x) {
  if (!x.without_library_path) {
    return;
  }
  const Closure& with = x.everything.closure;
  const Closure& without = x.without_library_path->closure;
  std::set<std::pair<std::string, std::string>> told;
  for (const ClosureObject& user : with.objects) {
    const ClosureObject* same = find_by_path(without, user.real_path);
    if (same == nullptr) {
      continue;
    }
    for (const ClosureEdge& edge : user.needed) {
      const auto meant = std::find_if(same->needed.begin(),
                                      same->needed.end(),
                                      [&](const auto& other) { return other.name == edge.name; });
      if (!edge.object || meant == same->needed.end() || !meant->object) {
        continue;
      }
      const ClosureObject& taken = with.objects[*edge.object];
      const ClosureObject& own = without.objects[*meant->object];
      if (taken.real_path == own.real_path || !x.stack.owner_of(own.real_path)
          || taken.found_by != FoundBy::library_path
          || !told.emplace(taken.real_path, own.real_path).second) {
        continue;
      }
      x.findings.push_back(
          {.rule = "foreign-library",
           .severity = Severity::warning,
           .subject = fmt::format("{} of {}", edge.name, user.name()),
           .cause = fmt::format("LD_LIBRARY_PATH puts another copy of `{}` before the one of {}",
                                edge.name,
                                x.shown_owner(own.real_path)),
           .evidence = {fmt::format(
                            "loaded: {} ({})", taken.real_path, x.shown_owner(taken.real_path)),
                        fmt::format("meant: {}, by {}", x.shown(own.real_path), own.how)},
           .fix = {fmt::format("take {} out of LD_LIBRARY_PATH", parent_folder(taken.path)),
                   {"unset LD_LIBRARY_PATH"}}});
    }
  }
}

/// Copies of loaded NVIDIA libraries in LD_LIBRARY_PATH, the cache and the default folders.
void check_duplicates(Examination& x) {
  const Closure& closure = x.everything.closure;
  LibrarySearch search(*x.view, closure.config);
  struct Group {
    std::vector<std::string> sonames;
    std::vector<std::string> evidence;
  };
  std::map<std::string, Group> by_folder;
  for (const ClosureObject& object : closure.objects) {
    const std::string soname = object.name();
    if (x.libraries->find_soname(soname).empty()) {
      continue;
    }
    const LibrarySearchResult other = search.find(soname, {}, std::nullopt, std::nullopt);
    if (!other.found
        || x.view->identity(other.found->real_path) == x.view->identity(object.real_path)) {
      continue;
    }
    Group& group = by_folder[std::string(parent_folder(other.found->real_path))];
    group.sonames.push_back(soname);
    group.evidence.push_back(fmt::format("{}: {} is loaded ({}), {} is found by {}",
                                         soname,
                                         x.shown(object.real_path),
                                         object.how,
                                         other.found->real_path,
                                         other.found->how));
  }
  for (auto& [folder, group] : by_folder) {
    x.findings.push_back(
        {.rule = "duplicate-library",
         .severity = Severity::note,
         .subject = group.sonames.size() == 1 ? group.sonames.front()
                                              : fmt::format("{} and {} more in {}",
                                                            group.sonames.front(),
                                                            group.sonames.size() - 1,
                                                            folder),
         .cause = fmt::format("{} also holds libraries that packages of the environment bring; "
                              "programs outside of it take those",
                              folder),
         .evidence = std::move(group.evidence),
         .fix = {"one set of them is enough; keep the one that all users resolve to", {}}});
  }
  // One process with two files of one soname: both are loaded, each user has its own.
  std::map<std::string, std::vector<const ClosureObject*>> loaded;
  for (const ClosureObject& object : closure.objects) {
    if (!x.libraries->find_soname(object.name()).empty()) {
      loaded[object.name()].push_back(&object);
    }
  }
  for (const auto& [soname, objects] : loaded) {
    if (objects.size() < 2) {
      continue;
    }
    Finding finding{.rule = "duplicate-library",
                    .severity = Severity::warning,
                    .subject = soname,
                    .cause = fmt::format("two copies of `{}` come into one process", soname),
                    .evidence = {},
                    .fix = {"remove one of the packages that bring it", {}}};
    for (const ClosureObject* object : objects) {
      finding.evidence.push_back(fmt::format("{} ({}), {}",
                                             x.shown(object->real_path),
                                             x.shown_owner(object->real_path),
                                             object->how));
    }
    x.findings.push_back(std::move(finding));
  }
}

}  // namespace

void check_copies(Examination& examination) {
  check_foreign(examination);
  check_duplicates(examination);
}

}  // namespace fitment
