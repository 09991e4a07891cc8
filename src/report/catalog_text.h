// SPDX-License-Identifier: Apache-2.0
// The catalogue for people.
#pragma once

#include "catalog/catalog.h"
#include "catalog/check.h"
#include "catalog/diff.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

/// All frameworks with their span of versions and backends.
Result<std::string> catalog_list_text(const Catalog& catalog, const Theme& theme);
/// One framework; with a version its builds in full, else a line a release.
std::string framework_text(const Framework& framework,
                           const std::string& version,
                           const Theme& theme);
std::string changes_text(const std::vector<CatalogChange>& changes, const Theme& theme);
std::string problems_text(const std::vector<CatalogProblem>& problems, const Theme& theme);

}  // namespace fitment
