// SPDX-License-Identifier: Apache-2.0
// Reads catalog/cuda.toml: arrays `toolkits`, `majors`, `targets`, `cudnn_floors`, each row with
// the ids of its sources.
#pragma once

#include "catalog/cuda.h"

#include <string>
#include <string_view>

namespace fitment {

/// `source` names the text in errors, with line and column.
Result<CudaTables> parse_cuda_tables(std::string_view toml, const std::string& source);

}  // namespace fitment
