// SPDX-License-Identifier: Apache-2.0
// Who calls whom, who takes whose address, and which data each function touches: what dispatch
// analysis walks over.
//
// Calls through import stubs and through slots (`call *slot(%rip)`) are resolved to functions of
// the file where the loader will bind them there.
#pragma once

#include "isa/function_scan.h"
#include "isa/x86_flow.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fitment {

/// A reference from one function to another.
struct CodeEdge {
  std::uint32_t to = 0;
  bool takes_address = false;
  bool is_guarded = false;  ///< set by guards.h
  std::uint64_t site = 0;   ///< address of the instruction
};

struct DataUse {
  std::uint64_t address = 0;
  x86::Access access = x86::Access::read;
};

struct CodeNode {
  FunctionScan scan;
  bool is_exported = false;
  bool is_resolver = false;
  std::vector<CodeEdge> out;
  std::vector<std::uint32_t> in;  ///< functions with an edge here, each once
  std::vector<DataUse> data;
  std::vector<std::uint32_t> constants;  ///< immediates over a byte: part of a function's likeness
  std::vector<std::uint32_t>
      import_uses;  ///< indices of slots of imports that it reads or calls through

  // Set by guards.h.
  bool is_checker = false;  ///< asks what the processor can do, directly or through a small helper
  X86Features unguarded;    ///< needs that no check in the function itself comes before

  [[nodiscard]] X86Level level() const { return level_of(scan.features); }
  [[nodiscard]] X86Level unguarded_level() const { return level_of(unguarded); }
};

class CodeGraph {
 public:
  /// Index for a function that does not exist.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  CodeGraph(const CodeImage& image, std::vector<FunctionScan> functions);

  [[nodiscard]] const CodeImage& image() const { return *image_; }
  [[nodiscard]] std::vector<CodeNode>& nodes() { return nodes_; }
  [[nodiscard]] const std::vector<CodeNode>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  /// The function that an address lies in, or kNone.
  [[nodiscard]] std::uint32_t find(std::uint64_t address) const;
  /// The function that starts there, or kNone.
  [[nodiscard]] std::uint32_t find_start(std::uint64_t address) const;
  /// The function that an import stub jumps to when the file itself has it, else the argument.
  [[nodiscard]] std::uint32_t behind_stub(std::uint32_t function) const;
  [[nodiscard]] const CodeSlot* find_slot(std::uint64_t address) const;
  /// True for slots that code loads or calls through; the others are data of the program.
  [[nodiscard]] bool is_linkage(const CodeSlot& slot) const;
  /// True for an address of writable data that is no slot of the linker's.
  [[nodiscard]] bool is_variable(std::uint64_t address) const;
  /// Slots in data (not linkage) that point to functions: address -> function, in order of address.
  [[nodiscard]] const std::vector<std::pair<std::uint64_t, std::uint32_t>>& pointers() const {
    return pointers_;
  }

  /// Calls visit(const x86::Placed&) for each instruction of a function from an address in it on.
  template <typename Visit>
  void walk_from(const CodeNode& node, std::uint64_t address, const Visit& visit) const {
    const TextRange* text = text_of(node);
    if (text != nullptr && address - node.scan.address < node.scan.size) {
      x86::walk(text->bytes,
                text->address,
                address - text->address,
                node.scan.address + node.scan.size - address,
                visit);
    }
  }

 private:
  [[nodiscard]] const TextRange* text_of(const CodeNode& node) const;
  void index_slots();
  void scan_plain_pointers();
  void read_node(std::uint32_t index);
  void read_operand(CodeNode& node,
                    std::uint32_t index,
                    const x86::Placed& at,
                    std::uint64_t target);
  void read_immediate(CodeNode& node, std::uint32_t index, const x86::Placed& at);
  void link();

  const CodeImage* image_;
  std::vector<CodeNode> nodes_;
  std::unordered_map<std::uint64_t, const CodeSlot*> slots_;
  std::unordered_map<std::uint32_t, std::uint32_t> stubs_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pointers_;
};

}  // namespace fitment
