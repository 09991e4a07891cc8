// SPDX-License-Identifier: Apache-2.0
// The tables [[index]] of `fitment.toml`, and the same with [[placeholder]] in the catalogue's
// indexes.toml.
//
//   [[index]]
//   name     = "pytorch"
//   url      = "https://download.pytorch.org/whl/{backend}"   # or http, file://, a folder
//   backends = ["cpu", "cu126", "cu128"]                      # optional
//   names    = ["torch", "torchvision", "torchaudio"]         # `*` stands for any characters
//   layout   = "flat"                                         # optional: one page for all projects
//   private  = true                                           # optional: credentials are in
//   ~/.netrc
#pragma once

#include "catalog/catalog.h"
#include "index/route.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace fitment {

/// The indexes of a configuration; folders are relative to the file. Without any table [[index]]
/// those of the catalogue; placeholders are always the catalogue's. Errors: parse_error with line
/// and column.
Result<Routes> parse_routes(std::string_view toml,
                            const std::filesystem::path& source,
                            const Catalog& catalog);

/// The indexes that are built in: PyPI, PyTorch, NVIDIA, Paddle, AMD.
Result<Routes> built_in_routes(const Catalog& catalog);

}  // namespace fitment
