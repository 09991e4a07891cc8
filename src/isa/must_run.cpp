// SPDX-License-Identifier: Apache-2.0
#include "isa/must_run.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kMostInstructions = 4000;
constexpr std::size_t kMostFunctions = 400;

/// The straight line at the start of one function.
struct Prefix {
  bool is_known = false;
  X86Features features;
  std::array<std::uint64_t, 5> sites{};
  std::vector<std::uint32_t> calls;
};

class Runner {
 public:
  explicit Runner(const CodeGraph& graph) : graph_(graph), prefixes_(graph.size()) {}

  CertainRun run(std::uint32_t root) {
    CertainRun run;
    run.root = root;
    std::vector<std::uint32_t> order{root};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Prefix& prefix = prefix_of(order[i]);
      run.features |= prefix.features;
      for (std::size_t level = 0; level < run.sites.size(); ++level) {
        if (run.sites[level] == 0 && prefix.sites[level] != 0) {
          run.sites[level] = prefix.sites[level];
          run.functions[level] = order[i];
        }
      }
      for (const std::uint32_t call : prefix.calls) {
        if (order.size() < kMostFunctions
            && std::find(order.begin(), order.end(), call) == order.end()) {
          order.push_back(call);
        }
      }
    }
    return run;
  }

 private:
  const Prefix& prefix_of(std::uint32_t index) {
    Prefix& prefix = prefixes_[index];
    if (!prefix.is_known) {
      prefix.is_known = true;
      const CodeNode& node = graph_.nodes()[index];
      std::uint64_t at = node.scan.address;
      std::vector<std::uint64_t> jumped;
      while (at != 0) {
        at = follow(index, at, prefix);
        // A loop that never branches is no straight line.
        if (std::find(jumped.begin(), jumped.end(), at) != jumped.end()
            || jumped.size() > kMostFunctions) {
          break;
        }
        jumped.push_back(at);
      }
    }
    return prefix;
  }

  /// Runs from an address to the next jump; gives its target when it stays in the function, else 0.
  std::uint64_t follow(std::uint32_t index, std::uint64_t start, Prefix& prefix) {
    using Kind = x86::Flow::Kind;
    const CodeNode& node = graph_.nodes()[index];
    std::uint64_t target = 0;
    std::size_t steps = 0;
    graph_.walk_from(node, start, [&](const x86::Placed& at) {
      const X86Requirement& requirement = requirement_of(at.instruction);
      if (requirement.role == X86Role::unknown || requirement.role == X86Role::detect
          || ++steps > kMostInstructions) {
        return false;
      }
      if (requirement.role != X86Role::hint && requirement.role != X86Role::upper_clear) {
        // What the scan does not believe (REX2 among constants) proves nothing.
        const X86Features features = requirement.features & node.scan.features;
        prefix.features |= features;
        std::uint64_t& site = prefix.sites[static_cast<std::size_t>(level_of(features))];
        site = site == 0 ? at.address : site;
      }
      const x86::Flow flow = x86::flow_of(at);
      if (flow.kind == Kind::call) {
        add_call(graph_.find_start(flow.target), prefix);
      } else if (flow.kind == Kind::jump) {
        if (flow.target - node.scan.address < node.scan.size) {
          target = flow.target;
        } else {
          add_call(graph_.find_start(flow.target), prefix);
        }
      }
      return flow.kind == Kind::next || flow.kind == Kind::call;
    });
    return target;
  }

  void add_call(std::uint32_t function, Prefix& prefix) const {
    if (function == CodeGraph::kNone) {
      return;
    }
    const std::uint32_t bound = graph_.behind_stub(function);
    if (!graph_.nodes()[bound].is_resolver) {
      prefix.calls.push_back(bound);
    }
  }

  const CodeGraph& graph_;
  std::vector<Prefix> prefixes_;
};

}  // namespace

std::vector<CertainRun> find_certain_runs(const CodeGraph& graph,
                                          const std::vector<Reached>& reached) {
  Runner runner(graph);
  std::vector<CertainRun> runs;
  for (std::uint32_t i = 0; i < reached.size(); ++i) {
    if (reached[i].is_root && !graph.nodes()[i].scan.is_data()) {
      runs.push_back(runner.run(i));
    }
  }
  return runs;
}

}  // namespace fitment
