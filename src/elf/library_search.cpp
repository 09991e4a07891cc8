// SPDX-License-Identifier: Apache-2.0
#include "elf/library_search.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// What `$ORIGIN` means to an object: the kernel tells a program its path without links, while a
/// library is where it was found, also when a link stands there.
std::string_view origin_of(const std::vector<ClosureObject>& objects,
                           std::size_t object,
                           std::optional<std::size_t> program) {
  const ClosureObject& one = objects[object];
  return parent_folder(object == program ? one.real_path : one.path);
}

}  // namespace

void LibrarySearch::add_object_path(std::vector<Step>& steps,
                                    const ClosureObject& object,
                                    std::string_view origin,
                                    FoundBy by) const {
  const bool is_runpath = by == FoundBy::runpath && object.dynamic.runpath.has_value();
  const std::optional<std::string>& path =
      is_runpath ? object.dynamic.runpath : object.dynamic.rpath;
  if (!path) {
    return;
  }
  for (SearchFolder& one : expand_search_path(split_search_path(*path, ":"), origin, config_)) {
    steps.push_back(
        {by,
         fmt::format(
             "{} `{}` of `{}`", is_runpath ? "RUNPATH" : "RPATH", one.written, object.name()),
         std::move(one.folder)});
  }
}

void LibrarySearch::add_library_path(std::vector<Step>& steps, std::string_view origin) const {
  for (SearchFolder& one : expand_search_path(config_.library_path, origin, config_)) {
    steps.push_back({FoundBy::library_path,
                     fmt::format("LD_LIBRARY_PATH `{}`", one.written),
                     std::move(one.folder)});
  }
}

std::vector<LibrarySearch::Step> LibrarySearch::own_steps(
    const std::vector<ClosureObject>& objects,
    std::optional<std::size_t> by,
    std::optional<std::size_t> program) const {
  std::vector<Step> steps;
  const auto add = [&](std::size_t object, FoundBy kind) {
    add_object_path(steps, objects[object], origin_of(objects, object, program), kind);
  };
  // `$ORIGIN` in LD_LIBRARY_PATH is the folder of the program.
  const std::string origin(program ? parent_folder(objects[*program].real_path) : "$ORIGIN");
  if (config_.libc == LibcFamily::musl) {
    add_library_path(steps, origin);
    for (auto at = by; at; at = objects[*at].loaded_by) {
      add(*at, FoundBy::runpath);
    }
    return steps;
  }
  const bool has_runpath = by && objects[*by].dynamic.runpath.has_value();
  if (!has_runpath) {
    bool program_done = !program;
    for (auto at = by; at; at = objects[*at].loaded_by) {
      program_done = program_done || at == program;
      if (!objects[*at].dynamic.runpath) {
        add(*at, FoundBy::rpath);
      }
    }
    if (!program_done && !objects[*program].dynamic.runpath) {
      add(*program, FoundBy::rpath);
    }
  }
  add_library_path(steps, origin);
  if (has_runpath) {
    add(*by, FoundBy::runpath);
  }
  return steps;
}

LibrarySearchResult LibrarySearch::find(const std::string& name,
                                        const std::vector<ClosureObject>& objects,
                                        std::optional<std::size_t> by,
                                        std::optional<std::size_t> program) {
  LibrarySearchResult result;
  if (name.find('/') != std::string::npos) {
    const std::string_view origin = by ? origin_of(objects, *by, program) : std::string_view();
    const std::string path = expand_words(name, origin, config_);
    if (path.starts_with('/')) {
      const Step step{FoundBy::name_is_path, "the name is a path", ""};
      try_file(step, std::string(parent_folder(path)), std::string(file_name(path)), result);
    }
    result.searched.push_back({FoundBy::name_is_path, path});
    return result;
  }
  for (const Step& step : own_steps(objects, by, program)) {
    if (try_step(step, name, result) || result.stopped) {
      return result;
    }
  }
  if (!config_.uses_system) {
    return result;
  }
  const auto asker = by ? by : program;
  const bool no_defaults = config_.libc == LibcFamily::glibc && asker
                           && objects[*asker].dynamic.ignores_default_folders();
  if (config_.libc == LibcFamily::glibc) {
    search_cache(name, no_defaults, result);
  }
  if (result.found || result.stopped || no_defaults) {
    return result;
  }
  for (const std::string& folder : config_.default_folders) {
    if (try_step({FoundBy::default_folder, "default folder", folder}, name, result)
        || result.stopped) {
      break;
    }
  }
  return result;
}

void LibrarySearch::search_cache(const std::string& name,
                                 bool no_defaults,
                                 LibrarySearchResult& result) {
  const auto is_default = [&](std::string_view folder) {
    const auto& folders = config_.default_folders;
    return no_defaults && std::find(folders.begin(), folders.end(), folder) != folders.end();
  };
  if (config_.cache) {
    const LdCacheEntry* entry = config_.cache->find(name, config_.machine, config_.hwcaps);
    if (entry == nullptr || is_default(parent_folder(entry->path))) {
      result.searched.push_back({FoundBy::cache, "/etc/ld.so.cache"});
      return;
    }
    const std::string how = "/etc/ld.so.cache";
    if (!try_file({FoundBy::cache, how, ""},
                  std::string(parent_folder(entry->path)),
                  std::string(file_name(entry->path)),
                  result)) {
      result.searched.push_back(
          {FoundBy::cache, fmt::format("/etc/ld.so.cache, which names {}", entry->path)});
    }
    return;
  }
  for (const std::string& folder : config_.configured_folders) {
    if (!is_default(folder)
        && (try_step({FoundBy::config, "/etc/ld.so.conf (there is no cache)", folder}, name, result)
            || result.stopped)) {
      return;
    }
  }
}

bool LibrarySearch::try_step(const Step& step,
                             const std::string& name,
                             LibrarySearchResult& result) {
  for (const std::string& hwcaps : config_.hwcaps) {
    const std::string folder = fmt::format("{}/glibc-hwcaps/{}", step.folder, hwcaps);
    if (try_file(step, folder, name, result)) {
      result.found->how += fmt::format(" for {} CPUs", hwcaps);
      return true;
    }
    if (result.stopped) {
      return false;
    }
  }
  if (try_file(step, step.folder, name, result)) {
    return true;
  }
  result.searched.push_back({step.by, fmt::format("{}: {}", step.what, step.folder)});
  return false;
}

const std::string* LibrarySearch::resolved_folder(const std::string& folder) {
  const auto [at, is_new] = folders_.try_emplace(folder);
  if (is_new) {
    const auto resolved = view_.resolve(folder);
    if (resolved && view_.entry_kind(*resolved) == FileKind::folder) {
      at->second = *resolved;
    }
  }
  return at->second.empty() ? nullptr : &at->second;
}

bool LibrarySearch::try_file(const Step& step,
                             const std::string& folder,
                             const std::string& name,
                             LibrarySearchResult& result) {
  const std::string* inside = resolved_folder(folder);
  if (inside == nullptr) {
    return false;
  }
  std::string real_path = join_path(*inside, name);
  const FileKind kind = view_.entry_kind(real_path);
  if (kind == FileKind::missing) {
    return false;
  }
  std::string path = join_path(folder, name);
  if (kind == FileKind::link) {
    auto resolved = view_.resolve(real_path);
    if (!resolved) {
      result.rejected.push_back({path, Rejection::dead_link, "a link that leads nowhere"});
      return false;
    }
    real_path = std::move(*resolved);
  }
  if (!accepts(path, real_path, result)) {
    return false;
  }
  result.found = FoundLibrary{std::move(path), std::move(real_path), step.by, step.what};
  return true;
}

bool LibrarySearch::accepts(const std::string& path,
                            const std::string& real_path,
                            LibrarySearchResult& trail) {
  const auto [at, is_new] = verdicts_.try_emplace(real_path);
  std::optional<RejectedFile>& verdict = at->second;
  if (is_new) {
    const auto source = view_.open(real_path);
    if (!source) {
      verdict = {{}, Rejection::unreadable, source.error().message()};
    } else if (const auto elf = ElfFile::read(**source); !elf) {
      const std::string& why = elf.error().message();
      verdict = elf.error().code() == ErrorCode::unsupported
                    ? RejectedFile{{}, Rejection::foreign, why}
                    : RejectedFile{{}, Rejection::damaged, "damaged: " + why};
    } else if (elf->header().machine != config_.machine) {
      verdict = {{}, Rejection::foreign, "built for another machine"};
    }
  }
  if (!verdict) {
    return true;
  }
  // A damaged file ends the search: `invalid ELF header`, `file too short`.
  trail.stopped =
      trail.stopped || verdict->kind == Rejection::damaged || config_.libc == LibcFamily::musl;
  trail.rejected.push_back({path, verdict->kind, verdict->why});
  return false;
}

}  // namespace fitment
