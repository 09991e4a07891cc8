// SPDX-License-Identifier: Apache-2.0
#include "isa/guards.h"

#include "isa/capabilities.h"
#include "isa/flowchart.h"

#include <algorithm>
#include <unordered_map>

namespace fitment {

namespace {

/// Helpers such as `bool has_avx2()` have fewer instructions than this.
constexpr std::uint32_t kSmallHelper = 60;

class GuardFinder {
 public:
  explicit GuardFinder(CodeGraph& graph)
      : graph_(graph), capabilities_(graph), is_helper_(graph.size()) {}

  void run() {
    find_checkers();
    for (CodeNode& node : graph_.nodes()) {
      if (node.is_resolver) {
        for (CodeEdge& edge : node.out) {
          edge.is_guarded = true;
        }
      } else if (node.is_checker && !node.scan.is_plt) {
        judge(node);
      }
    }
  }

 private:
  void find_checkers() {
    std::vector<CodeNode>& nodes = graph_.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].is_checker = capabilities_.looks_directly(nodes[i]);
      const bool is_helper = nodes[i].is_checker
                             && (nodes[i].scan.is_plt || nodes[i].scan.instructions < kSmallHelper);
      is_helper_[i] = is_helper ? 1 : 0;
    }
    for (CodeNode& node : nodes) {
      node.is_checker = node.is_checker
                        || std::any_of(node.out.begin(), node.out.end(), [&](const CodeEdge& edge) {
                             return !edge.takes_address && asks(edge.to);
                           });
    }
  }

  /// True for a function whose call is a check.
  [[nodiscard]] bool asks(std::uint32_t function) const {
    return is_helper_[function] != 0 || graph_.nodes()[function].scan.has_detection;
  }

  void judge(CodeNode& node) {
    // Calls that are checks, by address.
    std::unordered_map<std::uint64_t, bool> calls;
    for (const CodeEdge& edge : node.out) {
      if (!edge.takes_address && asks(edge.to)) {
        calls[edge.site] = true;
      }
    }
    const auto check_at = [&](const x86::Placed& at) -> std::uint64_t {
      if (requirement_of(at.instruction).role == X86Role::detect || calls.count(at.address) != 0) {
        return at.next();
      }
      if (const auto target = x86::fixed_operand(at)) {
        return reads_capability(at, *target) ? at.address : 0;
      }
      return 0;
    };
    const Flowchart chart(graph_, node, check_at);
    // What the scan does not believe (REX2 among constants) is no need here either.
    node.unguarded = chart.unguarded() & node.scan.features;
    for (CodeEdge& edge : node.out) {
      edge.is_guarded = chart.is_guarded(edge.site);
    }
  }

  [[nodiscard]] bool reads_capability(const x86::Placed& at, std::uint64_t target) const {
    const CodeSlot* slot = graph_.find_slot(target);
    if (slot != nullptr && graph_.is_linkage(*slot)) {
      return slot->target != 0 ? capabilities_.looks_at({slot->target, x86::Access::address})
                               : capabilities_.is_check_import(*slot);
    }
    return capabilities_.looks_at({target, x86::access_of(at)});
  }

  CodeGraph& graph_;
  Capabilities capabilities_;
  std::vector<char> is_helper_;
};

}  // namespace

void find_guards(CodeGraph& graph) {
  GuardFinder(graph).run();
}

}  // namespace fitment
