// SPDX-License-Identifier: Apache-2.0
#include "isa/code_graph.h"

#include <algorithm>

namespace fitment {

namespace {

using Map = X86Instruction::Map;

/// Import stubs stand 16 (or, with their slots merged, 8) bytes apart; each jumps through one slot.
std::vector<FunctionScan> split_stubs(const std::vector<FunctionScan>& functions) {
  constexpr std::uint64_t kStub = 16;
  std::vector<FunctionScan> split;
  split.reserve(functions.size());
  for (const FunctionScan& function : functions) {
    if (!function.is_plt) {
      split.push_back(function);
      continue;
    }
    for (std::uint64_t offset = 0; offset < function.size; offset += kStub) {
      FunctionScan stub;
      stub.address = function.address + offset;
      stub.size = std::min(kStub, function.size - offset);
      stub.is_plt = true;
      split.push_back(stub);
    }
  }
  return split;
}

}  // namespace

CodeGraph::CodeGraph(const CodeImage& image, std::vector<FunctionScan> functions) : image_(&image) {
  functions = split_stubs(functions);
  nodes_.reserve(functions.size());
  for (const FunctionScan& function : functions) {
    CodeNode node;
    if (function.symbol >= 0) {
      const CodeFunction& symbol = image.functions[static_cast<std::size_t>(function.symbol)];
      node.is_exported = symbol.is_exported;
      node.is_resolver = symbol.is_resolver;
    }
    node.unguarded = function.features;
    node.scan = function;
    nodes_.push_back(std::move(node));
  }
  functions = {};  // large libraries have hundreds of thousands
  index_slots();
  if (image.is_position_dependent) {
    scan_plain_pointers();
  }
  std::sort(pointers_.begin(), pointers_.end());
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    read_node(i);
  }
  link();
}

std::uint32_t CodeGraph::find(std::uint64_t address) const {
  const auto after = std::upper_bound(
      nodes_.begin(), nodes_.end(), address, [](std::uint64_t at, const CodeNode& node) {
        return at < node.scan.address;
      });
  if (after == nodes_.begin()) {
    return kNone;
  }
  const auto node = std::prev(after);
  return address - node->scan.address < node->scan.size
             ? static_cast<std::uint32_t>(node - nodes_.begin())
             : kNone;
}

std::uint32_t CodeGraph::find_start(std::uint64_t address) const {
  const std::uint32_t found = find(address);
  return found != kNone && nodes_[found].scan.address == address ? found : kNone;
}

std::uint32_t CodeGraph::behind_stub(std::uint32_t function) const {
  const auto found = stubs_.find(function);
  return found == stubs_.end() ? function : found->second;
}

const CodeSlot* CodeGraph::find_slot(std::uint64_t address) const {
  const auto found = slots_.find(address);
  return found == slots_.end() ? nullptr : found->second;
}

bool CodeGraph::is_linkage(const CodeSlot& slot) const {
  return slot.kind != CodeSlot::Kind::pointer
         || std::any_of(image_->data.begin(), image_->data.end(), [&](const DataRange& data) {
              return data.is_got && data.range.contains(slot.address);
            });
}

bool CodeGraph::is_variable(std::uint64_t address) const {
  return std::any_of(image_->data.begin(), image_->data.end(), [&](const DataRange& data) {
    return data.is_writable && !data.is_got && data.range.contains(address);
  });
}

const TextRange* CodeGraph::text_of(const CodeNode& node) const {
  for (const TextRange& text : image_->text) {
    if (AddressRange{text.address, text.bytes.size()}.contains(node.scan.address)) {
      return &text;
    }
  }
  return nullptr;
}

void CodeGraph::index_slots() {
  for (const CodeSlot& slot : image_->slots) {
    slots_.emplace(slot.address, &slot);
    const std::uint32_t target = slot.target == 0 ? kNone : find_start(slot.target);
    if (target == kNone) {
      continue;
    }
    if (slot.kind == CodeSlot::Kind::resolver) {
      nodes_[target].is_resolver = true;
    } else if (!is_linkage(slot)) {
      pointers_.emplace_back(slot.address, target);
    }
  }
}

/// Without relocations every aligned word of data that is the start of a function counts as a
/// pointer to it.
void CodeGraph::scan_plain_pointers() {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (const DataRange& data : image_->data) {
    if (data.is_got) {
      continue;
    }
    for (std::size_t offset = 0; offset + kWord <= data.bytes.size(); offset += kWord) {
      std::uint64_t word = 0;
      std::memcpy(&word, data.bytes.data() + offset, kWord);
      const std::uint32_t target = word == 0 ? kNone : find_start(word);
      if (target != kNone && slots_.count(data.range.address + offset) == 0) {
        pointers_.emplace_back(data.range.address + offset, target);
      }
    }
  }
}

void CodeGraph::read_node(std::uint32_t index) {
  CodeNode& node = nodes_[index];
  walk_from(node, node.scan.address, [&](const x86::Placed& at) {
    const x86::Flow flow = x86::flow_of(at);
    if (flow.kind == x86::Flow::Kind::call || flow.kind == x86::Flow::Kind::jump
        || flow.kind == x86::Flow::Kind::branch) {
      const std::uint32_t target =
          flow.target - node.scan.address < node.scan.size ? index : find(flow.target);
      if (target != kNone && target != index) {
        node.out.push_back({target, false, false, at.address});
      }
    } else if (const auto target = x86::fixed_operand(at)) {
      read_operand(node, index, at, *target);
    }
    if (at.instruction.immediate == 4 && flow.kind == x86::Flow::Kind::next) {
      read_immediate(node, index, at);
    }
    return true;
  });
  if (node.scan.is_plt) {
    for (const CodeEdge& edge : node.out) {
      if (!nodes_[edge.to].scan.is_plt) {
        stubs_[index] = edge.to;
      }
    }
  }
}

void CodeGraph::read_operand(CodeNode& node,
                             std::uint32_t index,
                             const x86::Placed& at,
                             std::uint64_t target) {
  const x86::Access access = x86::access_of(at);
  if (const CodeSlot* slot = find_slot(target); slot != nullptr && is_linkage(*slot)) {
    const std::uint32_t function = slot->target == 0 ? kNone : find_start(slot->target);
    if (function != kNone && function != index) {
      const bool is_transfer = at.is(Map::one_byte, 0xff);
      node.out.push_back({function, !is_transfer, false, at.address});
    } else if (slot->target != 0) {
      node.data.push_back(
          {slot->target, x86::Access::address});  // the slot holds the address of a variable
    } else {
      node.import_uses.push_back(static_cast<std::uint32_t>(slot - image_->slots.data()));
    }
    return;
  }
  if (access == x86::Access::address) {
    const std::uint32_t function = find(target);
    if (function != kNone && function != index) {
      node.out.push_back({function, true, false, at.address});
      return;
    }
  }
  node.data.push_back({target, access});
}

void CodeGraph::read_immediate(CodeNode& node, std::uint32_t index, const x86::Placed& at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at.bytes + at.instruction.length - sizeof value, sizeof value);
  constexpr std::uint32_t kByte = 0xff;
  if (value > kByte && value < ~kByte) {
    node.constants.push_back(value);
  }
  // MOV, PUSH and stores of an immediate take an address where addresses are plain numbers.
  if (image_->is_position_dependent && at.instruction.map == Map::one_byte
      && ((at.opcode() & 0xf8U) == 0xb8 || at.opcode() == 0xc7 || at.opcode() == 0x68)) {
    const std::uint32_t function = find_start(value);
    if (function != kNone && function != index) {
      node.out.push_back({function, true, false, at.address});
    } else if (function == kNone && is_variable(value)) {
      node.data.push_back({value, x86::Access::address});
    }
  }
}

void CodeGraph::link() {
  for (CodeNode& node : nodes_) {
    if (!node.scan.is_plt) {
      for (CodeEdge& edge : node.out) {
        edge.to = behind_stub(edge.to);
      }
    }
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const CodeEdge& edge : nodes_[i].out) {
      std::vector<std::uint32_t>& in = nodes_[edge.to].in;
      if (edge.to != i && (in.empty() || in.back() != i)) {
        in.push_back(i);
      }
    }
  }
}

}  // namespace fitment
