// SPDX-License-Identifier: Apache-2.0
// What can be found out about a base image beforehand: from the store of a builder, and from a
// folder that holds its root.
#pragma once

#include "cli/streams.h"
#include "image/base_image.h"
#include "image/image_builder.h"

#include <optional>
#include <string>

namespace fitment {

struct BaseQuestion {
  std::string reference;
  std::string system;                   ///< as the user says it; empty: not told
  std::string root;                     ///< a folder; empty: not at hand
  std::string arch;                     ///< that a layout of several is wanted for; empty: any
  std::optional<ImageBuilder> builder;  ///< whose store may be asked
};

/// Errors: not_found for the folder or the archive, invalid_argument for a file that is none. A
/// builder that does not have the image tells nothing.
Result<BaseClues> find_base_clues(const BaseQuestion& question,
                                  const Catalog& catalog,
                                  const Streams& streams);

}  // namespace fitment
