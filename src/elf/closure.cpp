// SPDX-License-Identifier: Apache-2.0
#include "elf/closure.h"

#include "elf/library_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace fitment {

namespace {

/// Names whose loading musl answers with itself: libc.so, libpthread.so.0, libm.so.6, ...
bool is_musl_itself(std::string_view name) {
  constexpr std::array<std::string_view, 7> kReserved{
      "c.", "pthread.", "rt.", "m.", "dl.", "util.", "xnet."};
  return name.starts_with("lib")
         && std::any_of(kReserved.begin(), kReserved.end(), [&](std::string_view word) {
              return name.substr(3).starts_with(word);
            });
}

/// Loads entry after entry.
class ClosureBuilder {
 public:
  ClosureBuilder(const FileView& view,
                 std::vector<ClosureEntry> entries,
                 const SearchOptions& options)
      : view_(view), options_(options) {
    closure_.entries = std::move(entries);
  }

  Closure build();

 private:
  void configure();
  void load_entry(std::size_t number);
  void load_needs(std::size_t first);
  ClosureEdge satisfy(const std::string& name, std::size_t by);
  std::optional<std::size_t> find_loaded(const std::string& name);
  std::optional<std::size_t> load_loader(std::optional<std::size_t> by);
  Result<std::size_t> add(const FoundLibrary& file, std::optional<std::size_t> by);
  void fail_entry(std::size_t number, std::string why, std::optional<Rejection> rejection = {});

  const FileView& view_;
  const SearchOptions& options_;
  Closure closure_;
  std::optional<LibrarySearch> search_;
  std::optional<std::size_t> loader_;
  std::size_t current_entry_ = 0;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::size_t> by_identity_;
};

/// The first entry that can be read says for which machine and loader the search is.
void ClosureBuilder::configure() {
  ElfMachine machine = options_.machine.value_or(ElfMachine::em_x86_64);
  std::optional<std::string> interpreter;
  for (const ClosureEntry& entry : closure_.entries) {
    const auto source = view_.open(entry.name);
    const auto elf =
        source ? ElfFile::read(**source) : Result<ElfFile>(tl::unexpected<Error>(source.error()));
    if (elf && (!options_.machine || elf->header().machine == *options_.machine)) {
      machine = elf->header().machine;
      interpreter = elf->interpreter().value_or(std::nullopt);
      break;
    }
  }
  closure_.config = read_loader_config(view_, options_, machine, interpreter);
  closure_.config.uses_system = options_.uses_system;
  search_.emplace(view_, closure_.config);
}

Closure ClosureBuilder::build() {
  configure();
  closure_.entry_objects.resize(closure_.entries.size());
  for (std::size_t i = 0; i < closure_.entries.size(); ++i) {
    current_entry_ = i;
    load_entry(i);
  }
  if (!closure_.objects.empty()) {
    static_cast<void>(load_loader(std::nullopt));
  }
  return std::move(closure_);
}

void ClosureBuilder::fail_entry(std::size_t number,
                                std::string why,
                                std::optional<Rejection> rejection) {
  closure_.failed.push_back({number, closure_.entries[number].name, std::move(why), rejection});
}

void ClosureBuilder::load_entry(std::size_t number) {
  const ClosureEntry entry = closure_.entries[number];
  std::optional<std::size_t> by;
  if (entry.opened_by) {
    by = find_loaded(*entry.opened_by);
    if (!by) {
      return fail_entry(number,
                        fmt::format("`{}`, which opens it, is not loaded", *entry.opened_by));
    }
  }
  if (const auto loaded = find_loaded(entry.name)) {
    closure_.entry_objects[number] = loaded;
    return;
  }
  LibrarySearchResult result;
  if (entry.name.starts_with('/')) {
    auto real_path = view_.resolve(entry.name);
    if (!real_path) {
      return fail_entry(number, real_path.error().message());
    }
    if (search_->accepts(entry.name, *real_path, result)) {
      result.found = FoundLibrary{entry.name, *real_path, FoundBy::entry, "asked for"};
    }
  } else {
    result = search_->find(entry.name, closure_.objects, by, closure_.program);
  }
  if (!result.found) {
    if (result.rejected.empty()) {
      return fail_entry(number, "no search path yields it");
    }
    const RejectedFile& last = result.rejected.back();
    return fail_entry(number, last.why, last.kind);
  }
  const std::size_t first = closure_.objects.size();
  const auto object = add(*result.found, by);
  if (!object) {
    return fail_entry(number, to_string(object.error()));
  }
  closure_.entry_objects[number] = *object;
  if (result.found->by != FoundBy::entry) {
    by_name_.emplace(entry.name, *object);
  }
  load_needs(first);
}

void ClosureBuilder::load_needs(std::size_t first) {
  for (std::size_t i = first; i < closure_.objects.size(); ++i) {
    const std::vector<std::string> names = closure_.objects[i].dynamic.needed;
    for (const std::string& name : names) {
      ClosureEdge edge = satisfy(name, i);
      closure_.objects[i].needed.push_back(std::move(edge));
    }
  }
}

std::optional<std::size_t> ClosureBuilder::find_loaded(const std::string& name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    return found->second;
  }
  return std::nullopt;
}

ClosureEdge ClosureBuilder::satisfy(const std::string& name, std::size_t by) {
  const bool is_musl = closure_.config.libc == LibcFamily::musl;
  if (const auto loaded = find_loaded(name)) {
    return {name, loaded, false};
  }
  if (std::find(options_.preloaded.begin(), options_.preloaded.end(), name)
      != options_.preloaded.end()) {
    return {name, std::nullopt, true};
  }
  if (name == file_name(closure_.config.loader) || (is_musl && is_musl_itself(name))) {
    if (const auto loader = load_loader(by)) {
      by_name_.emplace(name, *loader);
      return {name, loader, false};
    }
  }
  LibrarySearchResult result = search_->find(name, closure_.objects, by, closure_.program);
  if (result.found) {
    auto object = add(*result.found, by);
    if (object) {
      by_name_.emplace(name, *object);
      return {name, *object, false};
    }
    result.rejected.push_back({result.found->path, Rejection::damaged, to_string(object.error())});
    result.stopped = true;
  }
  closure_.missing.push_back(
      {name, by, std::move(result.searched), std::move(result.rejected), result.stopped});
  return {name, std::nullopt, false};
}

/// The loader is part of every process, whether anything needs it by name or not.
std::optional<std::size_t> ClosureBuilder::load_loader(std::optional<std::size_t> by) {
  if (!loader_ && !closure_.config.loader.empty()) {
    const std::string& path = closure_.config.loader;
    if (auto real_path = view_.resolve(path)) {
      const auto object = add({path, *real_path, FoundBy::loader, "the loader itself"}, by);
      if (object) {
        loader_ = *object;
      }
    }
  }
  return loader_;
}

Result<std::size_t> ClosureBuilder::add(const FoundLibrary& file, std::optional<std::size_t> by) {
  const std::string identity = view_.identity(file.real_path);
  if (const auto loaded = by_identity_.find(identity); loaded != by_identity_.end()) {
    return loaded->second;
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, view_.open(file.real_path));
  FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(*source));
  FITMENT_TRY_ASSIGN(std::optional<Dynamic> dynamic, read_dynamic(elf));
  const std::size_t number = closure_.objects.size();
  closure_.objects.push_back({.path = file.path,
                              .real_path = file.real_path,
                              .found_by = file.by,
                              .how = file.how,
                              .loaded_by = by,
                              .entry = current_entry_,
                              .needed = {},
                              .dynamic = std::move(dynamic).value_or(Dynamic{})});
  const ClosureObject& object = closure_.objects.back();
  by_identity_.emplace(identity, number);
  by_name_.emplace(file.path, number);
  by_name_.emplace(file.real_path, number);
  // musl knows libraries by the name that they were asked for, never by their soname.
  if (object.dynamic.soname && closure_.config.libc == LibcFamily::glibc) {
    by_name_.emplace(*object.dynamic.soname, number);
  }
  if (number == 0 && elf.is_program()) {
    closure_.program = number;
  }
  return number;
}

}  // namespace

std::string_view to_string(FoundBy by) {
  switch (by) {
    case FoundBy::entry:
      return "entry";
    case FoundBy::name_is_path:
      return "path";
    case FoundBy::rpath:
      return "rpath";
    case FoundBy::library_path:
      return "LD_LIBRARY_PATH";
    case FoundBy::runpath:
      return "runpath";
    case FoundBy::cache:
      return "ld.so.cache";
    case FoundBy::config:
      return "ld.so.conf";
    case FoundBy::default_folder:
      return "default folder";
    case FoundBy::loader:
      return "loader";
  }
  return "unknown";
}

std::string ClosureObject::name() const {
  return dynamic.soname.value_or(std::string(file_name(path)));
}

const ClosureObject* Closure::find(std::string_view name) const {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const ClosureObject& object) {
    return object.name() == name || object.path == name || object.real_path == name;
  });
  return found == objects.end() ? nullptr : &*found;
}

std::vector<std::size_t> Closure::breadth_first(std::size_t object) const {
  std::vector<std::size_t> order{object};
  std::vector<bool> seen(objects.size(), false);
  seen.at(object) = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const ClosureEdge& edge : objects[order[i]].needed) {
      if (edge.object && !seen[*edge.object]) {
        seen[*edge.object] = true;
        order.push_back(*edge.object);
      }
    }
  }
  return order;
}

Closure compute_closure(const FileView& view,
                        std::vector<ClosureEntry> entries,
                        const SearchOptions& options) {
  return ClosureBuilder(view, std::move(entries), options).build();
}

}  // namespace fitment
