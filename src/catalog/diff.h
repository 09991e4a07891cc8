// SPDX-License-Identifier: Apache-2.0
// The difference of two catalogues, value by value, for `catalog refresh` and for reviews.
#pragma once

#include "catalog/catalog.h"

#include <string>
#include <vector>

namespace fitment {

struct CatalogChange {
  enum class Kind {
    added,
    removed,
    changed,
  };
  Kind kind = Kind::changed;
  std::string where;   ///< `torch 2.8.0 cu128 x86_64`, `torch 2.8.0`, `torch`
  std::string field;   ///< `cudnn`; empty where a whole row came or went
  std::string before;  ///< empty: was not there
  std::string after;
};

std::string_view to_string(CatalogChange::Kind kind);

/// In the order of releases and builds: of `before`, then what `after` adds. Sources are not
/// compared.
std::vector<CatalogChange> diff_frameworks(const Framework& before, const Framework& after);

/// All frameworks of both, by name. Error: a file that cannot be parsed.
Result<std::vector<CatalogChange>> diff_catalogs(const Catalog& before, const Catalog& after);

}  // namespace fitment
