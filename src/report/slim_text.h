// SPDX-License-Identifier: Apache-2.0
// What slim would do or did, for people: where the bytes are, before and after.
#pragma once

#include "report/terminal.h"
#include "slim/slim_file.h"
#include "slim/undo.h"

#include <string>

namespace fitment {

/// `in_full` shows the targets of each file.
std::string slim_text(const SlimRun& run, bool in_full, const Theme& theme);
/// What came back and what could not.
std::string slim_undo_text(const UndoResult& result, const Theme& theme);

}  // namespace fitment
