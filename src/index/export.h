// SPDX-License-Identifier: Apache-2.0
// The pages of an index as files, for any web server or object store:
//
//   DIR/simple/index.html, index.json             names
//   DIR/simple/torch/index.html, index.json       one project; why.html is for people
//   DIR/files/...                                 bytes that only we have, with .metadata beside
//   them DIR/m/h100/...                                the same for each machine
#pragma once

#include "index/index_site.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fitment {

struct ExportedView {
  std::string prefix;  ///< `` or `m/h100/`
  std::size_t projects = 0;
  std::size_t files = 0;            ///< with bytes of their own
  std::uint64_t bytes = 0;          ///< of those
  std::vector<std::string> absent;  ///< names that no index has
};

/// Writes every view of the site. A file that is there with the same bytes stays. Errors: those of
/// the indexes, io_error.
Result<std::vector<ExportedView>> export_site(IndexSite& site,
                                              const std::vector<std::string>& names,
                                              const std::filesystem::path& folder);

}  // namespace fitment
