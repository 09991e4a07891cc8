// SPDX-License-Identifier: Apache-2.0
#include "isa/flowchart.h"

#include "isa/dominators.h"

#include <algorithm>
#include <map>

namespace fitment {

Flowchart::Flowchart(const CodeGraph& graph, const CodeNode& node, const CheckAt& check_at) {
  cut(graph, node, check_at);
  for (Block& block : blocks_) {
    fill(graph, node, block);
  }
  mark_before_checks();
  mark_unavoidable();
}

X86Features Flowchart::unguarded() const {
  X86Features needs;
  for (const Block& block : blocks_) {
    if (block.is_unguarded) {
      needs |= block.needs;
    }
  }
  return needs;
}

bool Flowchart::is_guarded(std::uint64_t address) const {
  return !blocks_[index_of(address)].is_unguarded;
}

void Flowchart::cut(const CodeGraph& graph, const CodeNode& node, const CheckAt& check_at) {
  std::map<std::uint64_t, bool> leaders{{node.scan.address, false}};  // address -> behind a check
  const AddressRange range{node.scan.address, node.scan.size};
  const auto lead = [&](std::uint64_t address, bool is_check) {
    if (range.contains(address)) {
      bool& known = leaders.try_emplace(address, false).first->second;
      known = known || is_check;
    }
  };
  graph.walk_from(node, node.scan.address, [&](const x86::Placed& at) {
    const x86::Flow flow = x86::flow_of(at);
    if (flow.kind != x86::Flow::Kind::next && flow.kind != x86::Flow::Kind::call) {
      lead(at.next(), false);
      lead(flow.target, false);
    }
    if (const std::uint64_t behind = check_at(at); behind != 0) {
      lead(behind, true);
    }
    return true;
  });
  for (const auto& [address, is_check] : leaders) {
    if (!blocks_.empty()) {
      blocks_.back().end = address;
    }
    blocks_.push_back({.start = address, .end = range.address + range.size, .is_check = is_check});
  }
}

void Flowchart::fill(const CodeGraph& graph, const CodeNode& node, Block& block) {
  using Kind = x86::Flow::Kind;
  const AddressRange range{node.scan.address, node.scan.size};
  const auto add = [&](std::uint64_t address) {
    if (range.contains(address)) {
      block.next.push_back(static_cast<std::uint32_t>(index_of(address)));
    } else {
      block.leaves = true;
    }
  };
  graph.walk_from(node, block.start, [&](const x86::Placed& at) {
    const X86Requirement& requirement = requirement_of(at.instruction);
    if (requirement.role != X86Role::hint && requirement.role != X86Role::upper_clear) {
      block.needs |= requirement.features;
    }
    const x86::Flow flow = x86::flow_of(at);
    const bool is_last = at.next() >= block.end;
    switch (flow.kind) {
      case Kind::jump:
        add(flow.target);
        return false;
      case Kind::branch:
        add(flow.target);
        add(at.next());
        return false;
      case Kind::end:
      case Kind::indirect_jump:
        block.leaves = true;
        block.is_indirect = flow.kind == Kind::indirect_jump;
        return false;
      case Kind::next:
      case Kind::call:
        if (is_last) {
          add(at.next());
        }
        return !is_last;
    }
    return false;
  });
}

/// Code that only a jump table or an exception leads to is taken to be behind the checks exactly
/// when every indirect jump is.
void Flowchart::mark_before_checks() {
  mark_from(0);
  const bool jumps_before_checks =
      std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) {
        return block.is_unguarded && block.is_indirect;
      });
  if (!jumps_before_checks) {
    return;
  }
  std::vector<char> is_entered(blocks_.size());
  for (const Block& block : blocks_) {
    for (const std::uint32_t next : block.next) {
      is_entered[next] = 1;
    }
  }
  for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
    if (is_entered[i] == 0) {
      mark_from(i);
    }
  }
}

void Flowchart::mark_from(std::uint32_t start) {
  std::vector<std::uint32_t> work{start};
  while (!work.empty()) {
    Block& block = blocks_[work.back()];
    work.pop_back();
    if (!block.is_unguarded && !block.is_check) {
      block.is_unguarded = true;
      work.insert(work.end(), block.next.begin(), block.next.end());
    }
  }
}

/// What every path from the checks to an end of the function passes, no outcome avoids: in the
/// reversed graph, the dominators of a node that leads to all checks.
void Flowchart::mark_unavoidable() {
  const auto count = static_cast<std::uint32_t>(blocks_.size());
  const std::uint32_t end = count;
  const std::uint32_t checks = count + 1;
  std::vector<std::vector<std::uint32_t>> reversed(count + 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t next : blocks_[i].next) {
      reversed[next].push_back(i);
    }
    if (blocks_[i].leaves || blocks_[i].next.empty()) {
      reversed[end].push_back(i);
    }
    if (blocks_[i].is_check) {
      reversed[i].push_back(checks);
    }
  }
  const std::vector<std::uint32_t> dominator = immediate_dominators(reversed, end);
  for (std::uint32_t at = dominator[checks]; at != kNotReached && at != end; at = dominator[at]) {
    blocks_[at].is_unguarded = true;
  }
}

std::size_t Flowchart::index_of(std::uint64_t address) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), address, [](std::uint64_t at, const Block& block) {
        return at < block.start;
      });
  return after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

}  // namespace fitment
