// SPDX-License-Identifier: Apache-2.0
// Where a program keeps what it knows about the processor, and which instructions look at it.
#pragma once

#include "isa/code_graph.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace fitment {

class Capabilities {
 public:
  explicit Capabilities(const CodeGraph& graph);

  /// True when the data use may look at a capability variable.
  [[nodiscard]] bool looks_at(const DataUse& use) const;
  /// True when the slot binds to a variable or function that tells processor features:
  /// `__cpu_model`, `getauxval`.
  [[nodiscard]] bool is_check_import(const CodeSlot& slot) const;
  /// True when the function looks at a capability itself: no helper is followed.
  [[nodiscard]] bool looks_directly(const CodeNode& node) const;

 private:
  const CodeGraph* graph_;
  std::vector<std::uint64_t> variables_;  ///< sorted
};

}  // namespace fitment
