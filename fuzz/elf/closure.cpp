// SPDX-License-Identifier: Apache-2.0
// The loader's files of a root (ld.so.conf, ld.so.cache, ld-musl-*.path) and libraries that need
// each other in any way: the closure ends, and names files of the tree alone.
#include "elf/closure.h"

#include "elf/symbol_bindings.h"
#include "support/file_tree.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MemoryView view;
  std::vector<ClosureEntry> entries;
  for (TreeEntry& entry : read_tree({reinterpret_cast<const char*>(data), size})) {
    if (entry.is_link) {
      view.add_link(entry.path, std::move(entry.bytes));
      continue;
    }
    if (entries.size() < 4 && looks_like_elf(entry.bytes)) {
      entries.push_back({entry.path, std::nullopt, entries.empty()});
    }
    view.add_file(entry.path, std::move(entry.bytes));
  }
  const std::size_t asked = entries.size();
  SearchOptions options;
  options.ld_library_path = "$ORIGIN/../lib:/l;relative";
  options.cpu_level = 3;
  const Closure closure = compute_closure(view, std::move(entries), options);
  require(closure.entries.size() == asked && closure.entry_objects.size() == asked);
  for (const ClosureObject& object : closure.objects) {
    require(view.entry_kind(object.real_path) == FileKind::regular);
    for (const ClosureEdge& edge : object.needed) {
      require(!edge.object || *edge.object < closure.objects.size());
    }
  }
  for (std::size_t i = 0; i < closure.objects.size(); ++i) {
    const auto order = closure.breadth_first(i);
    require(!order.empty() && order.size() <= closure.objects.size());
  }
  const SymbolBindings bindings = symbol_bindings(view, closure);
  for (const BoundSymbol& bound : bindings.bound) {
    require(bound.provider < closure.objects.size());
  }
  return 0;
}
