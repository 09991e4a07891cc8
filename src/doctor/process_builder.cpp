// SPDX-License-Identifier: Apache-2.0
#include "doctor/process_builder.h"

#include "base/text.h"
#include "doctor/library_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr int kRounds = 6;  // a library that was opened by name may open others
constexpr std::string_view kGlobalDeps = "libtorch_global_deps.so";

/// `libcudnn` of `libcudnn.so.9`.
std::string_view stem_of(std::string_view soname) {
  return soname.substr(0, soname.find(".so"));
}

}  // namespace

EntryRole ImportProcess::role_of(std::size_t object) const {
  return roles.at(closure.objects.at(object).entry);
}

ProcessBuilder::ProcessBuilder(const FileView& view,
                               const Stack& stack,
                               const LibraryTable& libraries,
                               SearchOptions options)
    : view_(view),
      stack_(stack),
      libraries_(libraries),
      options_(std::move(options)),
      binaries_(stack.distributions.size()),
      has_modules_(stack.distributions.size()) {
  for (std::size_t i = 0; i < stack.binaries.size(); ++i) {
    const StackBinary& binary = stack.binaries[i];
    binaries_[binary.distribution].push_back(i);
    has_modules_[binary.distribution] =
        has_modules_[binary.distribution] || binary.is_extension_module;
  }
}

void ProcessBuilder::Draft::add(std::string name, EntryRole role, bool is_global) {
  entries.push_back({std::move(name), std::nullopt, is_global});
  process.roles.push_back(role);
}

void ProcessBuilder::compute(Draft& draft) const {
  draft.process.closure = compute_closure(view_, draft.entries, options_);
}

void ProcessBuilder::add_modules(Draft& draft) const {
  if (stack_.environment.interpreter) {
    draft.add(*stack_.environment.interpreter, EntryRole::interpreter);
  }
  draft.preload_at = draft.entries.size();
  for (const std::size_t distribution : draft.process.distributions) {
    for (const std::size_t number : binaries_[distribution]) {
      if (file_name(stack_.binaries[number].path) == kGlobalDeps) {
        draft.add(stack_.binaries[number].path, EntryRole::preload, true);
        draft.has_torch = true;
      }
    }
    for (const std::size_t number : binaries_[distribution]) {
      if (stack_.binaries[number].is_extension_module) {
        draft.add(stack_.binaries[number].path, EntryRole::module);
      }
    }
  }
}

namespace {

/// Libraries of the row in the folders of NVIDIA's wheels in one site folder.
std::vector<std::string> preload_paths_in(const FileView& view,
                                          const std::string& site,
                                          const PreloadRow& row) {
  std::vector<std::string> found;
  for (const std::string& folder : {row.folder + "/lib", std::string("cu13/lib")}) {
    const std::string place = join_path(site, "nvidia/" + folder);
    const auto names = view.list(place);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
      if (name.starts_with(row.stem)) {
        found.push_back(join_path(place, name));
      }
    }
  }
  return found;
}

}  // namespace

/// Files that torch's fallback opens: for each row, what the first site folder with it holds.
std::vector<std::string> ProcessBuilder::preload_paths() const {
  std::vector<std::string> paths;
  for (const PreloadRow& row : libraries_.torch_preload) {
    for (const std::string& site : stack_.environment.sites) {
      const std::vector<std::string> found = preload_paths_in(view_, site, row);
      if (!found.empty()) {
        paths.insert(paths.end(), found.begin(), found.end());
        break;
      }
    }
  }
  return paths;
}

/// What torch does when its first dlopen fails.
void ProcessBuilder::preload_for_torch(Draft& draft) const {
  const std::vector<MissingLibrary>& missing = draft.process.closure.missing;
  const bool fails = std::any_of(missing.begin(), missing.end(), [&](const MissingLibrary& one) {
    return draft.process.role_of(one.needed_by) == EntryRole::preload
           && !libraries_.find_soname(one.name).empty();
  });
  if (!draft.has_torch || !fails) {
    return;
  }
  std::vector<ClosureEntry> preloaded;
  for (std::string& path : preload_paths()) {
    preloaded.push_back({std::move(path), std::nullopt, true});
  }
  const auto place = static_cast<std::ptrdiff_t>(draft.preload_at);
  draft.process.roles.insert(
      draft.process.roles.begin() + place, preloaded.size(), EntryRole::preload);
  draft.entries.insert(draft.entries.begin() + place, preloaded.begin(), preloaded.end());
  compute(draft);
}

/// The toolkit's minor of a library whose soname does not tell: from its full file name
/// (`libnvrtc.so.12.8.93`) or from the version of its wheel.
std::optional<std::string> ProcessBuilder::toolkit_minor(const ClosureObject& object,
                                                         const NvidiaLibrary& library) const {
  const std::string_view name = file_name(object.real_path);
  const std::string start = fmt::format("{}.so.{}.", stem_of(library.soname), library.cuda_major);
  if (name.starts_with(start)) {
    return std::string(split(name.substr(start.size()), '.').front());
  }
  if (const auto owner = stack_.owner_of(object.real_path)) {
    const Version& version = stack_.distributions[*owner].metadata.version;
    if (version.major() == library.cuda_major) {
      return std::to_string(version.minor());
    }
  }
  return std::nullopt;
}

std::vector<OpenedNames> ProcessBuilder::known_names(const ClosureObject& object,
                                                     const NvidiaLibrary& library) const {
  std::vector<OpenedNames> opened;
  if (library.soname != object.name()) {
    return opened;  // a part opens nothing by itself
  }
  const auto add = [&](const std::string& pattern, bool is_required) {
    const auto minor = toolkit_minor(object, library);
    if (pattern.find('{') == std::string::npos || minor) {
      opened.push_back({{with_minor(pattern, minor.value_or(""))}, is_required, "the catalogue"});
    }
  };
  for (const std::string& pattern : library.opens) {
    add(pattern, true);
  }
  for (const std::string& pattern : library.may_open) {
    add(pattern, false);
  }
  return opened;
}

/// Names of one library in several versions are alternatives.
std::vector<OpenedNames> ProcessBuilder::names_in_text(const ClosureObject& object) const {
  const auto source = view_.open(object.real_path);
  std::map<std::string, OpenedNames, std::less<>> by_stem;
  for (const std::string& name : source ? find_library_names(**source) : std::set<std::string>{}) {
    if (!libraries_.find_soname(name).empty()) {
      OpenedNames& names = by_stem[std::string(stem_of(name))];
      names.names.push_back(name);
      names.known_from = "text in the file";
    }
  }
  std::vector<OpenedNames> opened;
  opened.reserve(by_stem.size());
  for (auto& [stem, names] : by_stem) {
    opened.push_back(std::move(names));
  }
  return opened;
}

std::vector<OpenedNames> ProcessBuilder::find_opened(const ClosureObject& object) const {
  const std::vector<const NvidiaLibrary*> rows = libraries_.find_soname(object.name());
  if (!rows.empty()) {
    return known_names(object, *rows.front());
  }
  return stack_.owner_of(object.real_path) ? names_in_text(object) : std::vector<OpenedNames>{};
}

const std::vector<OpenedNames>& ProcessBuilder::opened_by(const ClosureObject& object) {
  const auto found = opened_.find(object.real_path);
  if (found != opened_.end()) {
    return found->second;
  }
  return opened_[object.real_path] = find_opened(object);
}

bool ProcessBuilder::is_opened(const Draft& draft, const Draft::Asked& asked) {
  const auto begin =
      draft.process.closure.entry_objects.begin() + static_cast<std::ptrdiff_t>(asked.first_entry);
  return std::any_of(begin,
                     begin + static_cast<std::ptrdiff_t>(asked.names.names.size()),
                     [](const auto& object) { return object.has_value(); });
}

/// Adds the names that libraries of the closure open and nobody has asked for yet.
bool ProcessBuilder::open_new_names(Draft& draft) {
  bool is_new = false;
  for (const ClosureObject& object : draft.process.closure.objects) {
    for (const OpenedNames& names : opened_by(object)) {
      const bool is_asked =
          std::any_of(draft.asked.begin(), draft.asked.end(), [&](const Draft::Asked& asked) {
            return asked.by == object.real_path && asked.names.names == names.names;
          });
      if (is_asked) {
        continue;
      }
      draft.asked.push_back({object.real_path, names, draft.entries.size(), {}});
      for (const std::string& name : names.names) {
        draft.entries.push_back({name, object.real_path, false});
        draft.process.roles.push_back(names.is_required ? EntryRole::opened : EntryRole::may_open);
      }
      is_new = true;
    }
  }
  return is_new;
}

/// A file of this name in the folders of NVIDIA's wheels.
std::optional<std::string> ProcessBuilder::find_in_site(const std::string& soname) const {
  for (const NvidiaLibrary* library : libraries_.find_soname(soname)) {
    for (const std::string& site : stack_.environment.sites) {
      for (const std::string& folder : library->folders) {
        const auto real = view_.resolve(join_path(join_path(site, folder), soname));
        if (real && view_.entry_kind(*real) == FileKind::regular) {
          return *real;
        }
      }
    }
  }
  return std::nullopt;
}

/// Python code that looks into site-packages (cuda-pathfinder, cupy) opens by path what the loader
/// does not find by name.
bool ProcessBuilder::open_in_site(Draft& draft) const {
  bool is_new = false;
  for (Draft::Asked& asked : draft.asked) {
    if (asked.in_site || is_opened(draft, asked)) {
      continue;
    }
    for (const std::string& name : asked.names.names) {
      asked.in_site = find_in_site(name);
      if (asked.in_site) {
        draft.add(*asked.in_site, EntryRole::opened);
        is_new = true;
        break;
      }
    }
  }
  return is_new;
}

void ProcessBuilder::open_names(Draft& draft) {
  for (int round = 0; round < kRounds; ++round) {
    if (!open_new_names(draft) && !open_in_site(draft)) {
      return;
    }
    compute(draft);
  }
}

void ProcessBuilder::list_unopened(Draft& draft) {
  const Closure& closure = draft.process.closure;
  for (const Draft::Asked& asked : draft.asked) {
    const ClosureObject* object = closure.find(asked.by);
    if (object != nullptr && !is_opened(draft, asked)) {
      draft.process.unopened.push_back(
          {static_cast<std::size_t>(object - closure.objects.data()), asked.names, asked.in_site});
    }
  }
}

/// What nothing has loaded.
void ProcessBuilder::add_unreferred(Draft& draft) const {
  std::set<std::string> loaded;
  for (const ClosureObject& object : draft.process.closure.objects) {
    loaded.insert(object.real_path);
    loaded.insert(object.name());  // whoever asks for it by name gets the copy that is there
  }
  const std::size_t before = draft.entries.size();
  for (const std::size_t distribution : draft.process.distributions) {
    for (const std::size_t number : binaries_[distribution]) {
      const StackBinary& binary = stack_.binaries[number];
      if (loaded.count(binary.path) == 0 && loaded.count(binary.name()) == 0) {
        draft.add(binary.path, EntryRole::unreferred);
      }
    }
  }
  if (draft.entries.size() > before) {
    compute(draft);
  }
}

ImportProcess ProcessBuilder::run(std::vector<std::size_t> distributions) {
  Draft draft;
  draft.process.distributions = std::move(distributions);
  add_modules(draft);
  compute(draft);
  preload_for_torch(draft);
  open_names(draft);
  add_unreferred(draft);
  list_unopened(draft);
  return std::move(draft.process);
}

}  // namespace fitment
