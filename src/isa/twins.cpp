// SPDX-License-Identifier: Apache-2.0
#include "isa/twins.h"

#include <algorithm>

namespace fitment {

namespace {

/// Sizes of twins differ by less than this factor.
constexpr double kLargestRatio = 2.5;
/// How often the effect of a found twin is carried one call further.
constexpr int kCallDepth = 6;

class TwinFinder {
 public:
  TwinFinder(const CodeGraph& graph, std::vector<Reached>& reached)
      : graph_(graph), reached_(reached) {}

  void run() {
    std::vector<std::uint32_t> twins;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      if (is_open(i) && has_twins_everywhere(i)) {
        twins.push_back(i);
      }
    }
    for (const std::uint32_t twin : twins) {
      reached_[twin] = {Reach::guarded, "has a twin of a lower level", false};
    }
    bool changed = !twins.empty();
    for (int depth = 0; changed && depth < kCallDepth; ++depth) {
      changed = false;
      for (std::uint32_t i = 0; i < graph_.size(); ++i) {
        const std::vector<std::uint32_t>& callers = node(i).in;
        const bool only_guarded =
            std::all_of(callers.begin(), callers.end(), [&](std::uint32_t caller) {
              return caller == i || reached_[caller].reach == Reach::guarded;
            });
        if (is_open(i) && !reached_[i].is_root && only_guarded) {
          reached_[i] = {Reach::guarded, "called only from guarded code", false};
          changed = true;
        }
      }
    }
  }

 private:
  [[nodiscard]] const CodeNode& node(std::uint32_t index) const { return graph_.nodes()[index]; }

  [[nodiscard]] bool is_open(std::uint32_t index) const {
    return (reached_[index].reach == Reach::direct || reached_[index].reach == Reach::pointer)
           && node(index).unguarded_level() >= X86Level::v3 && !node(index).in.empty();
  }

  /// What a function is like: whom it calls, which data it reads, which constants it uses.
  [[nodiscard]] std::vector<std::uint64_t> likeness(std::uint32_t index) const {
    constexpr std::uint64_t kConstant = std::uint64_t{1} << 63U;
    std::vector<std::uint64_t> parts;
    for (const CodeEdge& edge : node(index).out) {
      parts.push_back(node(edge.to).scan.address);
    }
    for (const DataUse& use : node(index).data) {
      parts.push_back(use.address);
    }
    for (const std::uint32_t constant : node(index).constants) {
      parts.push_back(kConstant | constant);
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
  }

  [[nodiscard]] bool are_alike(const std::vector<std::uint64_t>& own, std::uint32_t other) const {
    const std::vector<std::uint64_t> others = likeness(other);
    std::vector<std::uint64_t> both;
    std::set_intersection(
        own.begin(), own.end(), others.begin(), others.end(), std::back_inserter(both));
    const std::size_t all = own.size() + others.size() - both.size();
    return all >= 2 && both.size() * 2 >= all;
  }

  [[nodiscard]] bool has_twin_in(std::uint32_t caller,
                                 std::uint32_t index,
                                 const std::vector<std::uint64_t>& own) const {
    const X86Level level = node(index).unguarded_level();
    const double size = std::max(1U, node(index).scan.instructions);
    return std::any_of(node(caller).out.begin(), node(caller).out.end(), [&](const CodeEdge& edge) {
      const double ratio = node(edge.to).scan.instructions / size;
      return edge.to != index && node(edge.to).level() < level && ratio < kLargestRatio
             && ratio * kLargestRatio > 1 && are_alike(own, edge.to);
    });
  }

  [[nodiscard]] bool has_twins_everywhere(std::uint32_t index) const {
    const std::vector<std::uint64_t> own = likeness(index);
    bool has_lower_caller = false;
    for (const std::uint32_t caller : node(index).in) {
      if (node(caller).unguarded_level() >= node(index).unguarded_level()) {
        continue;
      }
      has_lower_caller = true;
      if (!has_twin_in(caller, index, own)) {
        return false;
      }
    }
    return has_lower_caller;
  }

  const CodeGraph& graph_;
  std::vector<Reached>& reached_;
};

}  // namespace

void find_twins(const CodeGraph& graph, std::vector<Reached>& reached) {
  TwinFinder(graph, reached).run();
}

}  // namespace fitment
