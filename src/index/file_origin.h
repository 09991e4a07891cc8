// SPDX-License-Identifier: Apache-2.0
// Where a file that a machine sees comes from: what a record holds of it, since our own address may
// be gone tomorrow.
#pragma once

#include "index/index_site.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct FileOrigin {
  std::string place;        ///< path of its bytes on this machine; empty: it is at `file.url` alone
  std::string index;        ///< address of its index, or the folder; without credentials
  SimpleFile file;          ///< as its index has it; `url` is an address or a path on this machine
  bool is_derived = false;  ///< what clients get was made from it: other bytes
  /// What the index says of the variants of its version, where it is one.
  std::optional<VariantMetadata> variants;
};

/// The file that the first machine sees under this name; nullopt: there is none. Errors: those of
/// asking the index.
Result<std::optional<FileOrigin>> find_file_origin(IndexSite& site,
                                                   const std::string& project,
                                                   const std::string& filename);

/// What clients get under this name, where it is derived. Errors: those of reading the original.
Result<std::shared_ptr<const ByteSource>> open_derived_file(IndexSite& site,
                                                            const std::string& project,
                                                            const std::string& filename);

/// Names of the files that the first machine sees; none where there is no such project.
Result<std::vector<std::string>> list_shown_files(IndexSite& site, const std::string& project);

}  // namespace fitment
