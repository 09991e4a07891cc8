// SPDX-License-Identifier: Apache-2.0
// The new bytes of a container that keeps a part of its entries: the same place, fewer bytes.
//
// Offsets inside an entry are relative to it, and entries follow one another without padding, so
// kept entries move down as they are and only the container's size changes. A container that would
// hold nothing gets one entry all the same, since no shipped library has an empty container: the
// *donor*, the smallest machine code of the same section that runs on none of the GPUs, or its own
// smallest entry where that is smaller. For the GPUs that the policy names, such a container is
// what it was: one without code for them.
#pragma once

#include "base/splice.h"
#include "gpucode/keep.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct RewrittenEntry {
  std::uint64_t source_offset = 0;     ///< of the entry that it was, in the original
  std::uint64_t new_offset = 0;        ///< from the container's start
  std::optional<std::uint64_t> bytes;  ///< header and payload; unknown inside a bundle that is
                                       ///< compressed as a whole
  bool is_recompressed = false;
  bool is_stub = false;  ///< there so that the container is not empty
  CodeKind kind = CodeKind::unknown;
  std::string target;  ///< target_text of it
};

struct RewrittenContainer {
  std::uint64_t offset = 0;    ///< in the original
  std::uint64_t old_size = 0;  ///< header and entries
  Splice bytes;                ///< header and entries, from the original and new
  std::vector<RewrittenEntry> entries;

  [[nodiscard]] std::uint64_t saved() const { return old_size - bytes.size(); }
};

/// An entry whose header and payload were made anew, by the offset of the one that it replaces.
using RecompressedEntries = std::map<std::uint64_t, std::string>;

/// The smallest entry of each section (GpuContainer::place) that no GPU of the policy runs.
std::map<std::string, GpuEntry> find_donors(const std::vector<GpuContainer>& containers,
                                            const KeepPolicy& policy);

/// `donor` may be null. Pure: entries are named by their place in the original. The container must
/// have come whole out of a walk and be ContainerFormat::cuda.
RewrittenContainer rewrite_container(const GpuContainer& container,
                                     const EntrySelection& selection,
                                     const GpuEntry* donor,
                                     const RecompressedEntries& recompressed);

/// The same for an offload bundle: dropped code objects leave its table, kept ones move down to the
/// next multiple of 4096, as the loader maps them. A compressed bundle is inflated for that and
/// compressed again; it stays as it is where nothing is dropped or gained, and above
/// kInflatedBundleLimit. Reads the table again. Errors: parse_error.
Result<RewrittenContainer> rewrite_bundle(const ByteSource& source,
                                          const GpuContainer& container,
                                          const EntrySelection& selection);

}  // namespace fitment
