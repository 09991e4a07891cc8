// SPDX-License-Identifier: Apache-2.0
#include "elf/symbol_bindings.h"

#include "elf/symbols.h"
#include "elf/system_libraries.h"

#include <algorithm>
#include <unordered_map>

namespace fitment {

namespace {

constexpr std::uint16_t kFirstOwnVersion = 2;

/// A definition of some name.
struct Definition {
  std::size_t object = 0;
  const DynamicSymbol* symbol = nullptr;
};

class Binder {
 public:
  Binder(const FileView& view, const Closure& closure) : view_(view), closure_(closure) {}

  SymbolBindings bind();

 private:
  void read_tables();
  void collect_definitions();
  [[nodiscard]] std::vector<std::size_t> scope_ranks(std::size_t object) const;
  void bind_object(std::size_t object);
  void check_versions(std::size_t object);
  [[nodiscard]] std::optional<std::size_t> provider_of(const DynamicSymbol& import,
                                                       const std::vector<std::size_t>& ranks) const;
  [[nodiscard]] bool matches(const DynamicSymbol& import, const Definition& definition) const;
  [[nodiscard]] bool is_only_version(const Definition& definition) const;
  [[nodiscard]] std::optional<std::size_t> needed_object(std::size_t object,
                                                         std::string_view library) const;

  static constexpr std::size_t kOutside = ~std::size_t{0};
  const FileView& view_;
  const Closure& closure_;
  SymbolBindings result_;
  std::vector<DynamicSymbols> tables_;
  std::vector<std::size_t> global_scope_;
  std::unordered_map<std::string_view, std::vector<Definition>> definitions_;
};

void Binder::read_tables() {
  for (const ClosureObject& object : closure_.objects) {
    const auto read = [&]() -> Result<DynamicSymbols> {
      FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, view_.open(object.real_path));
      FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(*source));
      return DynamicSymbols::read(elf, object.dynamic);
    };
    auto table = read();
    if (!table) {
      result_.problems.push_back(to_string(table.error()));
    }
    tables_.push_back(table ? std::move(*table) : DynamicSymbols());
  }
}

/// Only names that somebody imports are kept.
void Binder::collect_definitions() {
  for (const DynamicSymbols& table : tables_) {
    for (const DynamicSymbol& symbol : table.all()) {
      if (symbol.is_import()) {
        definitions_.try_emplace(symbol.name);
      }
    }
  }
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    for (const DynamicSymbol& symbol : tables_[i].all()) {
      if (!symbol.is_export()) {
        continue;
      }
      if (const auto found = definitions_.find(symbol.name); found != definitions_.end()) {
        found->second.push_back({i, &symbol});
      }
    }
  }
}

/// By object: its place in the scope of `object`, or kOutside.
std::vector<std::size_t> Binder::scope_ranks(std::size_t object) const {
  std::vector<std::size_t> ranks(closure_.objects.size(), kOutside);
  std::size_t next = 0;
  const auto put = [&](std::size_t one) {
    if (ranks[one] == kOutside) {
      ranks[one] = next++;
    }
  };
  if ((closure_.objects[object].dynamic.flags & kFlagSymbolic) != 0
      || closure_.objects[object].dynamic.value_of(DynamicTag::dt_symbolic)) {
    put(object);
  }
  std::for_each(global_scope_.begin(), global_scope_.end(), put);
  const std::size_t entry = closure_.objects[object].entry;
  if (const auto root = closure_.entry_objects.at(entry)) {
    const auto own = closure_.breadth_first(*root);
    std::for_each(own.begin(), own.end(), put);
  }
  put(object);
  for (std::size_t i = 0; i < closure_.objects.size(); ++i) {
    if (closure_.objects[i].found_by == FoundBy::loader) {
      put(i);  // part of every process
    }
  }
  return ranks;
}

bool Binder::is_only_version(const Definition& definition) const {
  const auto& all = definitions_.at(definition.symbol->name);
  return std::count_if(all.begin(),
                       all.end(),
                       [&](const Definition& other) {
                         return other.object == definition.object
                                && !other.symbol->is_hidden_version;
                       })
         == 1;
}

bool Binder::matches(const DynamicSymbol& import, const Definition& definition) const {
  const DynamicSymbol& symbol = *definition.symbol;
  const DynamicSymbols& table = tables_[definition.object];
  if (!import.version.empty()) {
    if (!table.has_version_table() || symbol.version == import.version) {
      return true;
    }
    // An unversioned definition in an object that has versions serves default references.
    return symbol.version.empty() && !symbol.is_hidden_version;
  }
  // A reference without version binds to the base or first version, or to the only default one.
  return !table.has_version_table() || symbol.version_index <= kFirstOwnVersion
         || (!symbol.is_hidden_version && is_only_version(definition));
}

std::optional<std::size_t> Binder::provider_of(const DynamicSymbol& import,
                                               const std::vector<std::size_t>& ranks) const {
  const auto found = definitions_.find(import.name);
  if (found == definitions_.end()) {
    return std::nullopt;
  }
  std::size_t best_rank = kOutside;
  std::optional<std::size_t> best;
  for (const Definition& definition : found->second) {
    const std::size_t rank = ranks[definition.object];
    if (rank < best_rank && matches(import, definition)) {
      best_rank = rank;
      best = definition.object;
    }
  }
  if (best || !is_libc_library(import.library)) {
    return best;
  }
  for (const Definition& definition : found->second) {
    if (is_libc_library(closure_.objects[definition.object].name())
        && matches(import, definition)) {
      return definition.object;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Binder::needed_object(std::size_t object,
                                                 std::string_view library) const {
  for (const ClosureEdge& edge : closure_.objects[object].needed) {
    if (edge.name == library) {
      return edge.object;
    }
  }
  for (std::size_t i = 0; i < closure_.objects.size(); ++i) {
    if (closure_.objects[i].name() == library) {
      return i;
    }
  }
  return std::nullopt;
}

void Binder::bind_object(std::size_t object) {
  const ClosureObject& file = closure_.objects[object];
  const std::vector<std::size_t> ranks = scope_ranks(object);
  const bool library_missing =
      std::any_of(file.needed.begin(), file.needed.end(), [](const ClosureEdge& edge) {
        return !edge.object && !edge.is_preloaded;
      });
  for (const DynamicSymbol& import : tables_[object].all()) {
    if (!import.is_import()) {
      continue;
    }
    if (const auto provider = provider_of(import, ranks)) {
      result_.bound.push_back({object, to_string(import), *provider});
      continue;
    }
    // A preloaded name is a library that nobody can look into.
    const bool is_preloaded =
        std::any_of(file.needed.begin(), file.needed.end(), [&](const ClosureEdge& edge) {
          return edge.is_preloaded && (import.library.empty() || edge.name == import.library);
        });
    const bool without_libc =
        is_libc_library(import.library) && closure_.find("libc.so.6") == nullptr;
    if (import.is_weak() || is_preloaded || without_libc) {
      continue;
    }
    result_.missing.push_back({.object = object,
                               .name = std::string(import.name),
                               .version = std::string(import.version),
                               .expected_library = std::string(import.library),
                               .expected_object = import.library.empty()
                                                      ? std::nullopt
                                                      : needed_object(object, import.library),
                               .is_function = import.type == SymbolType::stt_func
                                              || import.type == SymbolType::stt_notype,
                               .binds_now = file.dynamic.binds_now(),
                               .library_missing = library_missing});
  }
}

void Binder::check_versions(std::size_t object) {
  for (const NeededVersion& needed : tables_[object].needed_versions()) {
    const auto provider = needed_object(object, needed.library);
    if (needed.is_weak || !provider || tables_[*provider].defined_versions().empty()) {
      continue;
    }
    const auto& defined = tables_[*provider].defined_versions();
    if (std::none_of(defined.begin(), defined.end(), [&](const DefinedVersion& version) {
          return version.name == needed.name;
        })) {
      result_.missing_versions.push_back(
          {object, std::string(needed.name), std::string(needed.library), *provider});
    }
  }
}

SymbolBindings Binder::bind() {
  read_tables();
  collect_definitions();
  for (std::size_t i = 0; i < closure_.entries.size(); ++i) {
    const auto root = closure_.entry_objects[i];
    const bool is_program = i == 0 && root && closure_.program == root;
    if (root && (is_program || closure_.entries[i].is_global)) {
      for (const std::size_t one : closure_.breadth_first(*root)) {
        global_scope_.push_back(one);
      }
    }
  }
  for (std::size_t i = 0; i < closure_.objects.size(); ++i) {
    if (closure_.objects[i].found_by != FoundBy::loader) {
      check_versions(i);
    }
    bind_object(i);
  }
  return std::move(result_);
}

}  // namespace

SymbolBindings symbol_bindings(const FileView& view, const Closure& closure) {
  return Binder(view, closure).bind();
}

}  // namespace fitment
