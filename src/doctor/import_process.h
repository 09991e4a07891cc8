// SPDX-License-Identifier: Apache-2.0
// Which processes a stack makes: in which order distributions are imported, and which are imported
// together.
//
// A distribution is imported after what it requires, and after those whose libraries it needs
// without a search path of its own (an extension of torch is imported after torch).
#pragma once

#include "doctor/process_builder.h"

#include <cstddef>
#include <vector>

namespace fitment {

/// The processes of one stack.
class ImportModel {
 public:
  ImportModel(const FileView& view,
              const Stack& stack,
              const LibraryTable& libraries,
              SearchOptions options);

  /// One process that imports everything.
  [[nodiscard]] ImportProcess everything();
  /// For each distribution with extension modules that no other needs: the process that imports it
  /// and what it requires. Last, if there are any, the libraries of distributions that belong to
  /// none of these.
  [[nodiscard]] std::vector<ImportProcess> each_alone();

  /// The distributions that this one is imported after, itself last.
  [[nodiscard]] std::vector<std::size_t> cone_of(std::size_t distribution) const;

 private:
  void find_dependencies();
  [[nodiscard]] std::vector<std::size_t> in_order(const std::vector<std::size_t>& roots) const;

  const Stack& stack_;
  ProcessBuilder builder_;
  std::vector<std::vector<std::size_t>> dependencies_;  // by distribution, sorted
};

}  // namespace fitment
