// SPDX-License-Identifier: Apache-2.0
// Contradictions inside a catalogue and rows that are missing: what a review would otherwise have
// to find by eye.
#pragma once

#include "catalog/catalog.h"

#include <string>
#include <vector>

namespace fitment {

/// Something that cannot be right, or a row that others need.
struct CatalogProblem {
  std::string file;   ///< `frameworks/torch.toml`
  std::string where;  ///< `2.8.0 cu128 x86_64`; empty: the whole file
  std::string message;

  friend auto operator<=>(const CatalogProblem&, const CatalogProblem&) = default;
};

/// Checks every file; a file that cannot be parsed is one problem. Rows with a `known_conflict` are
/// left out. In the order of files and rows.
std::vector<CatalogProblem> check_catalog(const Catalog& catalog);

}  // namespace fitment
