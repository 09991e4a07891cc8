// SPDX-License-Identifier: Apache-2.0
#include "image/layer_tree.h"

#include "base/path_walk.h"
#include "elf/file_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kMostEntries = 2'000'000;

Error refuse(const LayerEntry& entry, std::string_view why) {
  return fail(ErrorCode::parse_error, fmt::format("the entry `{}` {}", entry.path.substr(1), why));
}

/// All keys in [first, second) are below the folder.
std::pair<std::string, std::string> range_below(std::string_view path) {
  const std::string start = path == "/" ? "/" : std::string(path) + "/";
  std::string end = start;
  ++end.back();
  return {start, end};
}

}  // namespace

const LayerEntry* LayerTree::find(std::string_view path) const {
  const auto found = paths_.find(path);
  return found == paths_.end() ? nullptr : &entries_[found->second];
}

const std::string& LayerTree::link_of(std::string_view path) const {
  return links_.at(paths_.at(path));
}

bool LayerTree::has_below(std::string_view path) const {
  const auto [start, end] = range_below(path);
  // The root's own key is its own range's beginning.
  const auto at = path == "/" ? paths_.upper_bound(start) : paths_.lower_bound(start);
  return at != paths_.end() && at->first < end;
}

/// Follows links in the folders of a path, inside of the image.
Result<std::string> LayerTree::resolve_folder(const std::string& folder, std::uint16_t layer) {
  if (folder == cached_folder_ && !cached_folder_.empty()) {
    return cached_result_;
  }
  const auto look = [&](const std::string& place, bool) -> Result<std::optional<std::string>> {
    const auto found = paths_.find(place);
    if (found == paths_.end() || entries_[found->second].kind == EntryKind::folder) {
      return std::optional<std::string>();
    }
    const LayerEntry& there = entries_[found->second];
    if (there.kind != EntryKind::link) {
      return fail(ErrorCode::parse_error,
                  fmt::format("stands below `{}`, which is no folder", place));
    }
    if (there.layer == layer) {
      return fail(ErrorCode::parse_error,
                  fmt::format("goes through the link `{}` of its own layer", place));
    }
    followed_.insert(found->second);
    return std::optional(links_.at(found->second));
  };
  auto resolved = walk_path(folder, look);
  if (!resolved && resolved.error().code() == ErrorCode::io_error) {
    return fail(ErrorCode::parse_error, "goes through too many links");
  }
  FITMENT_TRY(resolved);
  cached_folder_ = folder;
  cached_result_ = std::move(*resolved);
  return cached_result_;
}

void LayerTree::mark(EntryId id, std::uint16_t by, EntryFate fate) {
  // A folder stands for the entries of lower layers that it was merged with.
  for (bool is_more = true; is_more;) {
    LayerEntry& entry = entries_[id];
    entry.fate = fate;
    entry.hidden_by = by;
    is_more = entry.kind == EntryKind::folder && entry.target != kNoEntry;
    id = entry.target;
  }
}

/// What layers below `by` have in a folder. True: there was something.
bool LayerTree::hide_below(std::string_view path, std::uint16_t by, EntryFate fate) {
  const auto [start, end] = range_below(path);
  bool is_found = false;
  for (auto at = path == "/" ? paths_.upper_bound(start) : paths_.lower_bound(start);
       at != paths_.end() && at->first < end;) {
    if (entries_[at->second].layer < by) {
      mark(at->second, by, fate);
      at = paths_.erase(at);
      is_found = true;
    } else {
      ++at;
    }
  }
  return is_found;
}

bool LayerTree::hide(std::string_view path, std::uint16_t by, EntryFate fate) {
  bool is_found = hide_below(path, by, fate);
  const auto found = paths_.find(path);
  if (found != paths_.end() && entries_[found->second].layer < by) {
    mark(found->second, by, fate);
    paths_.erase(found);
    is_found = true;
  }
  return is_found;
}

/// Takes the place of what is at the path.
Status LayerTree::replace(LayerEntry& entry, EntryId id) {
  const auto found = paths_.find(entry.path);
  if (entry.kind != EntryKind::folder && has_below(entry.path)) {
    cached_folder_.clear();
    hide_below(entry.path, entry.layer, EntryFate::replaced);
    if (has_below(entry.path)) {
      return refuse(entry, "takes the place of a folder of its own layer");
    }
  }
  if (found == paths_.end()) {
    paths_.emplace(entry.path, id);
    return {};
  }
  const LayerEntry& old = entries_[found->second];
  const bool both_folders = old.kind == EntryKind::folder && entry.kind == EntryKind::folder;
  if (old.layer == entry.layer && !both_folders) {
    return refuse(entry, "stands in the layer twice")
        .hint("programs disagree about which of them counts");
  }
  if (both_folders) {
    entry.target = found->second;
  } else {
    mark(found->second, entry.layer, EntryFate::replaced);
    replaced_ = found->second;
    cached_folder_.clear();
  }
  paths_.erase(found);
  paths_.emplace(entry.path, id);
  return {};
}

Status LayerTree::add(LayerEntry new_entry, const std::string& link) {
  if (entries_.size() >= kMostEntries) {
    return fail(ErrorCode::unsupported,
                fmt::format("the image has more than {} entries", kMostEntries));
  }
  replaced_ = kNoEntry;
  const auto id = static_cast<EntryId>(entries_.size());
  entries_.push_back(std::move(new_entry));
  LayerEntry& entry = entries_.back();
  if (entry.kind == EntryKind::aside) {
    return {};
  }
  // An opaque mark's path is the folder that it stands in, which may itself be reached by links.
  const bool is_opaque = entry.kind == EntryKind::opaque;
  if (entry.path != "/") {
    const std::string folder = is_opaque ? entry.path : std::string(parent_folder(entry.path));
    auto resolved = resolve_folder(folder, entry.layer);
    if (!resolved) {
      return refuse(entry, resolved.error().message())
          .hint("such a layer would write elsewhere than its names say; do not unpack it");
    }
    entry.path = is_opaque ? *resolved : join_path(*resolved, std::string(file_name(entry.path)));
  }
  switch (entry.kind) {
    case EntryKind::whiteout:
      entry.hides = hide(entry.path, entry.layer, EntryFate::deleted);
      cached_folder_.clear();
      return {};
    case EntryKind::opaque:
      entry.hides = hide_below(entry.path, entry.layer, EntryFate::deleted);
      cached_folder_.clear();
      return {};
    case EntryKind::hard_link: {
      auto folder = resolve_folder(std::string(parent_folder(link)), entry.layer);
      const auto found =
          folder ? paths_.find(join_path(*folder, std::string(file_name(link)))) : paths_.end();
      if (found == paths_.end() || entries_[found->second].kind == EntryKind::folder) {
        return refuse(entry, fmt::format("is a hard link to `{}`, where no file is", link))
            .hint("a link must come after its file, in the same layer or one below");
      }
      const LayerEntry& target = entries_[found->second];
      entry.named = found->second;
      entry.target = target.kind == EntryKind::hard_link ? target.target : found->second;
      entry.bytes = entries_[entry.target].bytes;
      entry.content = entries_[entry.target].content;
      break;
    }
    case EntryKind::link:
      links_[id] = link;
      break;
    default:
      break;
  }
  if (entry.kind != EntryKind::file && entry.kind != EntryKind::folder) {
    cached_folder_.clear();
  }
  return replace(entry, id);
}

void LayerTree::finish_content() {
  const LayerEntry& entry = entries_.back();
  if (replaced_ != kNoEntry && entry.kind == EntryKind::file
      && entries_[replaced_].kind == EntryKind::file && entries_[replaced_].bytes == entry.bytes
      && entries_[replaced_].content == entry.content) {
    entries_[replaced_].fate = EntryFate::copied;
  }
}

void LayerTree::finish() {
  for (const LayerEntry& entry : entries_) {
    if (entry.kind != EntryKind::hard_link || entry.fate != EntryFate::seen) {
      continue;
    }
    for (const EntryId id : {entry.target, entry.named}) {
      entries_[id].is_needed = entries_[id].fate != EntryFate::seen;
    }
  }
  for (const EntryId id : followed_) {
    entries_[id].is_needed = entries_[id].fate != EntryFate::seen;
  }
}

}  // namespace fitment
