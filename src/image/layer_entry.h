// SPDX-License-Identifier: Apache-2.0
// One entry of a layer, as far as it is remembered: what it is, how large, and what later layers
// did to it.
#pragma once

#include "image/content_hash.h"
#include "image/tar_reader.h"

#include <cstdint>
#include <limits>
#include <string>

namespace fitment {

/// Position in ImageSurvey::entries.
using EntryId = std::uint32_t;
constexpr EntryId kNoEntry = std::numeric_limits<EntryId>::max();
constexpr std::uint64_t kNoText = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();

enum class EntryKind : std::uint8_t {
  file,
  folder,
  link,
  hard_link,
  device,
  pipe,
  whiteout,  ///< hides `path` of the layers below
  opaque,    ///< hides all that is in `path` in the layers below
  aside,     ///< nothing that is unpacked: global headers, marks of old storage drivers
};

enum class EntryFate : std::uint8_t {
  seen,      ///< part of the image's tree, or a folder that is
  deleted,   ///< by a whiteout of a later layer
  replaced,  ///< by a later entry at its path, or above it
  copied,    ///< by a later file with the same content: only its metadata changed
};

struct LayerEntry {
  std::string path;  ///< canonical (layer_path), links of lower layers resolved in its folders
  EntryKind kind = EntryKind::aside;
  EntryFate fate = EntryFate::seen;
  std::uint16_t layer = 0;
  std::uint16_t hidden_by = 0;  ///< layer; unless seen
  bool hides = false;           ///< of whiteouts and opaque marks: something was there to hide
  /// Hidden, but a hard link that is seen shares its content, or names of entries lead through it.
  bool is_needed = false;
  std::uint64_t bytes = 0;          ///< of a file, holes and all
  std::uint64_t archive_bytes = 0;  ///< in the tar archive, headers and padding included
  ContentHash content;              ///< of a file; of a link its target, of a device its numbers
  std::uint64_t metadata = 0;       ///< hash of mode, owner, time, extended attributes
  EntryId target = kNoEntry;        ///< of a hard link: the entry with the content; of a folder:
                                    ///< the entry that it was merged with
  EntryId named = kNoEntry;  ///< of a hard link: the entry that its link names, maybe another link
  std::uint32_t binary = kNoNumber;  ///< in ImageSurvey::binaries
  std::uint64_t text_at = kNoText;   ///< in ImageSurvey::texts, of the files that are kept there

  [[nodiscard]] bool has_text() const { return text_at != kNoText; }
};

/// What an entry of an archive is. Refused are entries that would reach outside of the image or
/// that lie; the error names the entry. `hard_link` gets the canonical path of a hard link's
/// target. Content, size and target are not set.
Result<LayerEntry> classify_entry(const TarEntry& entry, std::string& hard_link);

}  // namespace fitment
