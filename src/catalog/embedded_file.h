// SPDX-License-Identifier: Apache-2.0
// Files of the folder catalog/, compiled in by cmake/EmbedFiles.cmake.
#pragma once

#include <span>
#include <string_view>

namespace fitment {

struct EmbeddedFile {
  std::string_view name;  ///< `frameworks/torch.toml`
  std::string_view bytes;
};

/// Sorted by name.
std::span<const EmbeddedFile> embedded_catalog();

}  // namespace fitment
