// SPDX-License-Identifier: Apache-2.0
// Coming back: the originals of a tree that was made smaller in place take their places again.
#pragma once

#include "slim/in_place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct UndoResult {
  std::vector<std::string> restored;
  std::vector<std::string> not_kept;
  std::vector<std::string> changed;
  std::vector<std::string> damaged;
  [[nodiscard]] bool is_complete() const {
    return not_kept.empty() && changed.empty() && damaged.empty();
  }
};

/// Puts the originals back, last change first; `only`: of this file or folder of the tree, whose
/// RECORDs then tell of it. Notices go with the last change. The journal goes away when nothing is
/// left in it. Errors: not_found without a journal, and those of InPlaceRun.
Result<UndoResult> undo_slim(const std::filesystem::path& root,
                             const std::optional<std::string>& only,
                             const StepWatch& watch = {});

}  // namespace fitment
