// SPDX-License-Identifier: Apache-2.0
// The wheels that an index lists for a package: a Simple API by URL, the same mirrored into a
// folder, or a plain folder of wheels.
#pragma once

#include "base/error.h"
#include "catalog/derive.h"
#include "store/page_cache.h"
#include "wheel/simple_page.h"

#include <string>
#include <vector>

namespace fitment {

/// The page of a package, or every file of a plain folder of wheels. Errors: as list_index_files.
Result<SimplePage> read_index_page(PageCache& pages,
                                   const std::string& index,
                                   const std::string& name);

/// `index` may be http(s)://, file:// or a path. Under an index the page is NAME/ (index.html,
/// index.json). Errors: not_found (no such folder or page), network_error, parse_error,
/// invalid_argument (a URL with --offline whose page was never fetched).
Result<std::vector<SeenWheel>> list_index_files(PageCache& pages,
                                                const std::string& index,
                                                const std::string& name);

}  // namespace fitment
