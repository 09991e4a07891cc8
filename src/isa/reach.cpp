// SPDX-License-Identifier: Apache-2.0
#include "isa/reach.h"

#include "isa/variant_name.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace fitment {

namespace {

/// Tables of more functions than this are not sets of alternatives.
constexpr std::size_t kLargestChoice = 16;

/// Pointers to functions in data, from one address that code names to the next.
struct Table {
  std::vector<std::uint32_t> functions;
  std::vector<std::uint32_t> readers;
};

class ReachFinder {
 public:
  explicit ReachFinder(const CodeGraph& graph)
      : graph_(graph), reached_(graph.size()), is_selector_(graph.size()) {}

  std::vector<Reached> run() {
    find_selectors();
    find_tables();
    seed_roots();
    spread();
    enter_tables();
    spread();
    settle_by_name();
    return std::move(reached_);
  }

 private:
  [[nodiscard]] const CodeNode& node(std::uint32_t index) const { return graph_.nodes()[index]; }

  /// A function that takes the addresses of alternatives of different levels, and runs below the
  /// highest, fills a table from what somebody asked before, even if only an argument tells it.
  void find_selectors() {
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      X86Level low = X86Level::beyond;
      X86Level high = X86Level::v1;
      for (const CodeEdge& edge : node(i).out) {
        if (edge.takes_address) {
          low = std::min(low, node(edge.to).level());
          high = std::max(high, node(edge.to).level());
        }
      }
      const bool selects = high >= X86Level::v3 && high > low && node(i).unguarded_level() < high;
      is_selector_[i] = selects ? 1 : 0;
    }
  }

  void find_tables() {
    std::vector<std::uint64_t> named;
    for (const CodeNode& one : graph_.nodes()) {
      for (const DataUse& use : one.data) {
        named.push_back(use.address);
      }
    }
    for (const DataSymbol& symbol : graph_.image().data_symbols) {
      named.push_back(symbol.address);
    }
    std::sort(named.begin(), named.end());
    for (const auto& [slot, function] : graph_.pointers()) {
      const auto after = std::upper_bound(named.begin(), named.end(), slot);
      const std::uint64_t start = after == named.begin() ? 0 : *std::prev(after);
      if (!is_init_array(slot)) {
        tables_[start].functions.push_back(function);
        in_table_.insert(function);
      }
    }
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      for (const DataUse& use : node(i).data) {
        const auto table = tables_.find(use.address);
        if (table != tables_.end()) {
          table->second.readers.push_back(i);
        }
      }
    }
  }

  [[nodiscard]] bool is_init_array(std::uint64_t slot) const {
    const auto& arrays = graph_.image().init_arrays;
    return std::any_of(arrays.begin(), arrays.end(), [&](const AddressRange& array) {
      return array.contains(slot);
    });
  }

  /// Libraries export their variants for tests or for callers that have checked: OpenBLAS some five
  /// thousand. What is also used inside, or named for a processor, is no entry.
  [[nodiscard]] bool is_exported_variant(std::uint32_t index) const {
    const CodeNode& one = node(index);
    return (one.unguarded_level() >= X86Level::v3 && !one.in.empty())
           || find_variant(name_of(graph_.image(), one.scan)).has_value();
  }

  void seed_roots() {
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      const CodeNode& one = node(i);
      if (one.is_resolver) {
        raise(i, Reach::direct, "resolver");
      } else if (one.is_exported && is_exported_variant(i)) {
        raise(i, Reach::guarded, "exported variant");
      } else if (one.is_exported) {
        add_root(i, "exported");
      }
    }
    add_root(graph_.find_start(graph_.image().entry), "entry");
    for (const std::uint64_t address : graph_.image().init_functions) {
      add_root(graph_.find_start(address), "initializer");
    }
    // .init and .fini are sections of their own without symbols.
    for (const TextRange& text : graph_.image().text) {
      constexpr std::size_t kSmallSection = 64;
      if (!text.is_plt && text.bytes.size() <= kSmallSection) {
        add_root(graph_.find_start(text.address), "initializer");
      }
    }
  }

  void add_root(std::uint32_t index, std::string_view why) {
    if (index != CodeGraph::kNone) {
      reached_[index].is_root = true;
      raise(index, Reach::direct, why);
    }
  }

  void raise(std::uint32_t index,
             Reach reach,
             std::string_view why,
             std::uint32_t from = CodeGraph::kNone) {
    if (reach > reached_[index].reach) {
      reached_[index].reach = reach;
      reached_[index].why = why;
      reached_[index].from = from;
      work_.push_back(index);
    }
  }

  void spread() {
    while (!work_.empty()) {
      const std::uint32_t from = work_.back();
      work_.pop_back();
      const Reach own = reached_[from].reach;
      for (const CodeEdge& edge : node(from).out) {
        if (node(from).is_resolver) {
          raise(edge.to, Reach::guarded, "chosen by a resolver", from);
        } else if (edge.is_guarded) {
          raise(edge.to, Reach::guarded, "behind a check", from);
        } else if (edge.takes_address && is_selector_[from] != 0) {
          raise(edge.to, Reach::guarded, "one of several alternatives", from);
        } else if (edge.takes_address) {
          raise(edge.to, std::min(own, Reach::pointer), "its address is taken", from);
        } else {
          raise(edge.to, own, own == Reach::guarded ? "called from guarded code" : "called", from);
        }
      }
    }
  }

  void enter_tables() {
    for (const auto& [start, table] : tables_) {
      const bool is_guarded =
          !table.readers.empty()
          && std::all_of(table.readers.begin(), table.readers.end(), [&](std::uint32_t reader) {
               return node(reader).is_checker || node(reader).is_resolver
                      || is_selector_[reader] != 0 || reached_[reader].reach == Reach::guarded;
             });
      X86Level low = X86Level::beyond;
      X86Level high = X86Level::v1;
      for (const std::uint32_t function : table.functions) {
        low = std::min(low, node(function).level());
        high = std::max(high, node(function).level());
      }
      const bool is_choice =
          high >= X86Level::v3 && low <= X86Level::v2 && table.functions.size() <= kLargestChoice;
      for (const std::uint32_t function : table.functions) {
        const bool is_alternative = is_choice && node(function).unguarded_level() >= X86Level::v2;
        if (is_guarded) {
          raise(function, Reach::guarded, "in a table that only checking code reads");
        } else if (is_alternative) {
          raise(function, Reach::guarded, "in a table of alternatives");
        } else {
          raise(function, Reach::pointer, "in a table");
        }
      }
    }
  }

  /// Where code does not show who chooses, a name that says which processor a function is for does.
  void settle_by_name() {
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      const CodeNode& one = node(i);
      const bool is_open = reached_[i].reach == Reach::pointer
                           || (reached_[i].reach == Reach::direct && !reached_[i].is_root);
      if (is_open && one.scan.symbol >= 0 && one.unguarded_level() >= X86Level::v2
          && !one.is_resolver) {
        const auto variant = find_variant(name_of(graph_.image(), one.scan));
        if (variant && variant->promised.contains_all(one.unguarded & features_of(X86Level::v4))) {
          reached_[i].reach = Reach::guarded;
          reached_[i].why = "named for a processor";
          reached_[i].from = CodeGraph::kNone;
        }
      }
    }
  }

  const CodeGraph& graph_;
  std::vector<Reached> reached_;
  std::vector<char> is_selector_;
  std::map<std::uint64_t, Table> tables_;
  std::unordered_set<std::uint32_t> in_table_;
  std::vector<std::uint32_t> work_;
};

}  // namespace

std::string_view to_string(Reach reach) {
  switch (reach) {
    case Reach::unreferenced:
      return "unreferenced";
    case Reach::guarded:
      return "guarded";
    case Reach::pointer:
      return "pointer";
    case Reach::direct:
      return "direct";
  }
  return "unreferenced";
}

std::vector<Reached> find_reach(const CodeGraph& graph) {
  return ReachFinder(graph).run();
}

}  // namespace fitment
