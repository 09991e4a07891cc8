// SPDX-License-Identifier: Apache-2.0
// Plain wheels derived from variant wheels (variant/derived_wheel.h), as an index offers them:
// made while they are sent, never stored.
#pragma once

#include "index/metadata_source.h"
#include "index/view.h"
#include "wheel/marker.h"

#include <memory>
#include <optional>
#include <string>

namespace fitment {

struct DerivedFacts {
  std::string metadata;
  std::uint64_t size = 0;  ///< bytes of the wheel
  std::string sha256;      ///< of the wheel; empty where it is on the network
};

/// The markers of a variant wheel that was chosen on a machine; nullopt: it is none, or the project
/// does not describe it.
Result<std::optional<MarkerEnvironment>> chosen_markers(const Project& project,
                                                        const IndexedFile& wheel,
                                                        const ViewContext& context);

/// None: the wheel's own bytes do. Errors: those of reading the wheel.
Result<std::optional<DerivedFacts>> derive_facts(const IndexedFile& wheel,
                                                 const MarkerEnvironment& chosen,
                                                 MetadataSource& metadata);

/// The derived wheel as bytes; null: the wheel's own bytes do.
Result<std::unique_ptr<ByteSource>> open_derived(const IndexedFile& wheel,
                                                 const MarkerEnvironment& chosen,
                                                 MetadataSource& metadata);

}  // namespace fitment
