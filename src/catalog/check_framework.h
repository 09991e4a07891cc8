// SPDX-License-Identifier: Apache-2.0
// Private to check.cpp: the checks of one framework file.
#pragma once

#include "catalog/check.h"

#include <string>
#include <vector>

namespace fitment {

/// `tables` may be null: what needs them is then not checked.
void check_framework(const std::string& file,
                     const Framework& framework,
                     const CudaTables* tables,
                     std::vector<CatalogProblem>& problems);

}  // namespace fitment
