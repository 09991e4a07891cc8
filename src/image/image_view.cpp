// SPDX-License-Identifier: Apache-2.0
#include "image/image_view.h"

#include "base/sub_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

/// The entry that holds a path's data, which a hard link does not.
const LayerEntry* ImageView::content_of(std::string_view path) const {
  const LayerEntry* entry = survey_.tree.find(path);
  return entry != nullptr && entry->kind == EntryKind::hard_link
             ? &survey_.tree.entry(entry->target)
             : entry;
}

FileKind ImageView::entry_kind(const std::string& path) const {
  const LayerEntry* entry = content_of(path);
  if (entry == nullptr) {
    return path == "/" || survey_.tree.has_below(path) ? FileKind::folder : FileKind::missing;
  }
  switch (entry->kind) {
    case EntryKind::file:
      return FileKind::regular;
    case EntryKind::folder:
      return FileKind::folder;
    case EntryKind::link:
      return FileKind::link;
    default:
      return FileKind::other;
  }
}

std::string ImageView::identity(const std::string& path) const {
  const LayerEntry* entry = survey_.tree.find(path);
  return entry != nullptr && entry->kind == EntryKind::hard_link
             ? fmt::format("{}", entry->target)
             : fmt::format("{}", entry == nullptr ? kNoEntry : survey_.tree.paths().at(path));
}

std::optional<std::uint64_t> ImageView::entry_size(const std::string& path) const {
  const LayerEntry* entry = content_of(path);
  return entry != nullptr && entry->kind == EntryKind::file ? std::optional(entry->bytes)
                                                            : std::nullopt;
}

Result<std::string> ImageView::link_target(const std::string& path) const {
  return survey_.tree.link_of(path);
}

Result<std::unique_ptr<ByteSource>> ImageView::open_entry(const std::string& path) const {
  const LayerEntry* entry = content_of(path);
  if (entry == nullptr || !entry->has_text()) {
    return fail(entry == nullptr ? ErrorCode::not_found : ErrorCode::unsupported,
                fmt::format("`{}` is not at hand", path));
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<SubSource>(*survey_.texts, entry->text_at, entry->bytes, path));
}

Result<std::vector<std::string>> ImageView::list_entry(const std::string& path) const {
  if (entry_kind(path) != FileKind::folder) {
    return fail(ErrorCode::not_found, fmt::format("`{}` is not a folder", path));
  }
  const std::string start = path == "/" ? "/" : path + "/";
  std::vector<std::string> names;
  const LayerTree::Paths& paths = survey_.tree.paths();
  for (auto at = paths.upper_bound(start); at != paths.end() && at->first.starts_with(start);) {
    const std::string_view rest = at->first.substr(start.size());
    std::string name(rest.substr(0, rest.find('/')));
    // All that is below this name comes before the first path that has a greater byte than `/`.
    std::string behind = start + name;
    if (rest.size() > name.size()) {
      behind += '0';  // follows `/`
      at = paths.lower_bound(behind);
    } else {
      ++at;
    }
    if (names.empty() || names.back() != name) {
      names.push_back(std::move(name));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace fitment
