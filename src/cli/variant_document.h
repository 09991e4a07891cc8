// SPDX-License-Identifier: Apache-2.0
// The one document that `fitment variant inspect` is given: a file, a wheel, or the address of
// either.
#pragma once

#include "cli/invocation.h"
#include "cli/streams.h"
#include "variant/metadata_reader.h"

#include <string>

namespace fitment {

struct InspectedDocument {
  std::string text;
  std::string source;  ///< for messages
  MetadataPlace place;
};

/// Errors: those of reading and fetching; invalid_argument for a wheel without a label.
Result<InspectedDocument> read_inspected_document(const std::string& given,
                                                  const Invocation& invocation,
                                                  const Streams& streams);

}  // namespace fitment
