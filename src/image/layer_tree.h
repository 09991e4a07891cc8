// SPDX-License-Identifier: Apache-2.0
// The tree that layers make on top of one another, and what each entry's fate is.
//
// Rules of the OCI image layer specification: an entry replaces what is at its path, a folder is
// merged with a folder, a whiteout hides what the layers *below* have at a path, an opaque mark
// what they have in a folder. Folders on the way that are links of lower layers are followed inside
// of the image, as programs that unpack layers do.
#pragma once

#include "image/layer_entry.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace fitment {

class LayerTree {
 public:
  using Paths = std::map<std::string_view, EntryId>;

  /// Takes an entry: it gets its place among the entries and the fate of others changes. `link` is
  /// the target of a link or a hard link. Errors: parse_error for what no honest program writes
  /// (duplicates, ways through links of the same layer, links to nothing); the message names the
  /// entry.
  Status add(LayerEntry entry, const std::string& link);
  /// The entry that was added last; its content is filled in after its data are read. A file that
  /// came with nothing but new metadata is known for one then.
  LayerEntry& last() { return entries_.back(); }
  void finish_content();

  [[nodiscard]] const std::deque<LayerEntry>& entries() const { return entries_; }
  [[nodiscard]] LayerEntry& entry(EntryId id) { return entries_[id]; }
  [[nodiscard]] const LayerEntry& entry(EntryId id) const { return entries_[id]; }
  /// What is seen, by path. Folders that no entry names are not in it.
  [[nodiscard]] const Paths& paths() const { return paths_; }
  [[nodiscard]] const LayerEntry* find(std::string_view path) const;
  /// Where a link that is seen leads.
  [[nodiscard]] const std::string& link_of(std::string_view path) const;
  /// Whether something is in this folder.
  [[nodiscard]] bool has_below(std::string_view path) const;

  /// After the last layer: marks what is hidden and still needed.
  void finish();

 private:
  Result<std::string> resolve_folder(const std::string& folder, std::uint16_t layer);
  Status replace(LayerEntry& entry, EntryId id);
  bool hide_below(std::string_view path, std::uint16_t by, EntryFate fate);
  bool hide(std::string_view path, std::uint16_t by, EntryFate fate);
  void mark(EntryId id, std::uint16_t by, EntryFate fate);

  std::deque<LayerEntry> entries_;  // their paths are what paths_ refers to
  Paths paths_;
  std::map<EntryId, std::string> links_;  // targets
  std::set<EntryId> followed_;            // links on the way to some entry
  std::string cached_folder_;
  std::string cached_result_;
  EntryId replaced_ = kNoEntry;  // a file that the last entry has replaced
};

}  // namespace fitment
