// SPDX-License-Identifier: Apache-2.0
// The catalogue as documents: `fitment.catalog/1`, `fitment.catalog-check/1`,
// `fitment.catalog-diff/1`.
#pragma once

#include "catalog/catalog.h"
#include "catalog/check.h"
#include "catalog/diff.h"

#include <string>
#include <vector>

namespace fitment {

/// `version` narrows it to one release.
std::string catalog_json(const std::vector<const Framework*>& frameworks,
                         const std::string& version,
                         const std::string& digest);
std::string problems_json(const std::vector<CatalogProblem>& problems);
std::string changes_json(const std::vector<CatalogChange>& changes,
                         const std::vector<std::string>& ignored);

}  // namespace fitment
