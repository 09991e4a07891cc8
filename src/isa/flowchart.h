// SPDX-License-Identifier: Apache-2.0
// The control flow of one function, cut into blocks at branches and at the places where it asks
// about the processor.
#pragma once

#include "isa/code_graph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace fitment {

class Flowchart {
 public:
  /// Where code is behind a check: the address of the instruction for one that reads a variable,
  /// that of the next one for a call, 0 where there is no check.
  using CheckAt = std::function<std::uint64_t(const x86::Placed&)>;

  Flowchart(const CodeGraph& graph, const CodeNode& node, const CheckAt& check_at);

  /// Needs of all code that runs whatever the checks said.
  [[nodiscard]] X86Features unguarded() const;
  /// True when the instruction at that address runs only on some outcomes of a check.
  [[nodiscard]] bool is_guarded(std::uint64_t address) const;

 private:
  /// A stretch of instructions that is entered at its start and left at its end.
  struct Block {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::vector<std::uint32_t> next;  ///< indices of blocks
    bool leaves = false;              ///< returns, traps, or goes where this function ends
    bool is_indirect = false;         ///< leaves by a jump through a table or a pointer
    bool is_check = false;            ///< starts behind a check
    bool is_unguarded = false;
    X86Features needs;
  };

  void cut(const CodeGraph& graph, const CodeNode& node, const CheckAt& check_at);
  void fill(const CodeGraph& graph, const CodeNode& node, Block& block);
  void mark_before_checks();
  void mark_from(std::uint32_t start);
  void mark_unavoidable();
  [[nodiscard]] std::size_t index_of(std::uint64_t address) const;

  std::vector<Block> blocks_;  ///< by address, without holes
};

}  // namespace fitment
