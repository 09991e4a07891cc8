// SPDX-License-Identifier: Apache-2.0
// What slim would do or did, for programs: fitment.slim/1 (schemas/slim.schema.json).
#pragma once

#include "slim/slim_file.h"
#include "slim/undo.h"

#include <string>

namespace fitment {

std::string slim_json(const SlimRun& run);
/// fitment.slim-undo/1 (schemas/slim-undo.schema.json).
std::string slim_undo_json(const UndoResult& result);

}  // namespace fitment
