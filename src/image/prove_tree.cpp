// SPDX-License-Identifier: Apache-2.0
// The proof knows nothing of whiteouts and layers: it compares what one sees in the end.
#include "image/slim_apply.h"

#include <fmt/format.h>

namespace fitment {

namespace {

Error differs(std::string_view path, std::string_view how) {
  return fail(ErrorCode::internal, fmt::format("the new image is not proven: `{}` {}", path, how))
      .hint("nothing was written; the old image is as it was");
}

const LayerEntry& content_of(const LayerTree& tree, const LayerEntry& entry) {
  return entry.kind == EntryKind::hard_link ? tree.entry(entry.target) : entry;
}

}  // namespace

Result<std::string> prove_image_tree(const ImageSurvey& before,
                                     const ImageSlimPlan& plan,
                                     const std::map<EntryId, ChangedContent>& changed,
                                     const ImageSurvey& after) {
  std::size_t same = 0;
  std::size_t gone = 0;
  std::size_t other = 0;
  for (const auto& [path, id] : before.tree.paths()) {
    const LayerEntry& old_entry = before.tree.entry(id);
    const LayerEntry* new_entry = after.tree.find(path);
    if (plan.actions[id] == EntryAction::drop) {
      if (new_entry != nullptr) {
        return differs(path, "is still there");
      }
      ++gone;
      continue;
    }
    if (new_entry == nullptr) {
      return differs(path, "is gone");
    }
    if (new_entry->kind != old_entry.kind || new_entry->metadata != old_entry.metadata) {
      return differs(path, "has another kind, mode, owner, time or attributes");
    }
    if (old_entry.kind == EntryKind::folder) {
      ++same;
      continue;
    }
    const LayerEntry& old_content = content_of(before.tree, old_entry);
    const LayerEntry& new_content = content_of(after.tree, *new_entry);
    if (old_entry.kind == EntryKind::hard_link && old_content.path != new_content.path) {
      return differs(path, "is linked to another file");
    }
    const EntryId old_id = old_entry.kind == EntryKind::hard_link ? old_entry.target : id;
    const auto change = changed.find(old_id);
    const ChangedContent expected = change == changed.end()
                                        ? ChangedContent{old_content.content, old_content.bytes}
                                        : change->second;
    if (new_content.content != expected.content || new_content.bytes != expected.bytes) {
      return differs(path, "has another content");
    }
    ++(change == changed.end() ? same : other);
  }
  if (after.tree.paths().size() != same + other) {
    for (const auto& [path, id] : after.tree.paths()) {
      if (before.tree.find(path) == nullptr) {
        return differs(path, "is new");
      }
    }
  }
  return fmt::format(
      "the tree is the old one: {} entries as they were, {} changed as planned, {} gone as planned",
      same,
      other,
      gone);
}

}  // namespace fitment
