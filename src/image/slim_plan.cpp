// SPDX-License-Identifier: Apache-2.0
#include "image/slim_plan.h"

#include "image/image_view.h"
#include "image/tar_header.h"
#include "slim/dead_weight.h"
#include "slim/record_update.h"
#include "stack/python_environment.h"

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kUnknownDigest =
    "0000000000000000000000000000000000000000000000000000000000000000";
constexpr std::uint64_t kLargestRecord = 64U << 20U;

bool is_marker(const LayerEntry& entry) {
  return entry.kind == EntryKind::whiteout || entry.kind == EntryKind::opaque;
}

class Planner {
 public:
  Planner(const ImageSurvey& survey, const ImageSlimWishes& wishes)
      : survey_(survey), wishes_(wishes) {}

  Result<ImageSlimPlan> run();

 private:
  using Action = EntryAction;

  void find_hard_links();
  void find_hidden_folders();
  bool drop_hidden();
  void drop_dead_weight();
  void slice();
  void judge_slice(const SurveyedBinary& binary);
  Status rewrite_records();
  void drop_whiteouts();
  void sum_up();

  [[nodiscard]] const LayerEntry& entry(EntryId id) const { return survey_.tree.entry(id); }
  [[nodiscard]] EntryId count() const { return static_cast<EntryId>(plan_.actions.size()); }
  [[nodiscard]] bool may_change(const LayerEntry& one) const {
    return one.layer >= wishes_.kept_layers;
  }
  [[nodiscard]] bool has_left_below(std::string_view path, std::uint16_t layer) const;
  [[nodiscard]] bool has_left_at(std::string_view path, std::uint16_t layer) const;
  [[nodiscard]] std::string reason_to_keep(EntryId id) const;
  bool leave(EntryId id);
  bool force(EntryId id);
  bool force_folders(EntryId id, std::string_view path);
  bool force_folders_of_marks();
  [[nodiscard]] bool is_used(const LayerEntry& marker) const;

  const ImageSurvey& survey_;
  const ImageSlimWishes& wishes_;
  ImageSlimPlan plan_;
  /// Hidden entries that stay nevertheless, with the lowest layer that has one at the path.
  std::map<std::string_view, std::uint16_t> left_;
  std::set<EntryId> forced_;  // hidden, and what else stays stands on them
  std::multimap<std::string_view, EntryId> hidden_folders_;
  std::multimap<EntryId, std::string_view> hard_links_;  // that are seen, by their content
  ChangedFiles changed_;
};

void Planner::find_hidden_folders() {
  for (EntryId id = 0; id < count(); ++id) {
    if (entry(id).kind == EntryKind::folder && entry(id).fate != EntryFate::seen) {
      hidden_folders_.emplace(entry(id).path, id);
    }
  }
}

void Planner::find_hard_links() {
  for (const auto& [path, id] : survey_.tree.paths()) {
    if (entry(id).kind == EntryKind::hard_link) {
      hard_links_.emplace(entry(id).target, path);
    }
  }
}

/// A hidden entry that stays, and with it what it stands on: the content of a hard link, folders on
/// the way that took the place of something else. True: some of that was to be dropped.
bool Planner::leave(EntryId id) {
  const LayerEntry& one = entry(id);
  const auto [at, is_new] = left_.emplace(one.path, one.layer);
  if (!is_new) {
    at->second = std::min(at->second, one.layer);
  }
  bool has_news = force_folders(id, one.path);
  if (one.kind == EntryKind::hard_link) {
    has_news = force(one.target) || has_news;
    has_news = force(one.named) || has_news;
  }
  return has_news;
}

bool Planner::force(EntryId id) {
  return plan_.actions[id] == Action::drop && forced_.insert(id).second;
}

/// Hidden folders above a path that come before an entry.
bool Planner::force_folders(EntryId id, std::string_view path) {
  bool has_news = false;
  for (std::string_view folder = parent_folder(path); folder.size() > 1;
       folder = parent_folder(folder)) {
    const auto [first, last] = hidden_folders_.equal_range(folder);
    for (auto hidden = first; hidden != last; ++hidden) {
      has_news = (hidden->second < id && force(hidden->second)) || has_news;
    }
  }
  return has_news;
}

/// Whether a whiteout or an opaque mark still hides something.
bool Planner::is_used(const LayerEntry& marker) const {
  return marker.kind == EntryKind::opaque ? has_left_below(marker.path, marker.layer)
                                          : has_left_at(marker.path, marker.layer);
}

/// Marks that stay stand in folders as well.
bool Planner::force_folders_of_marks() {
  bool has_news = false;
  for (EntryId id = 0; id < count(); ++id) {
    const LayerEntry& one = entry(id);
    if (is_marker(one) && is_used(one)) {
      const bool is_inside = one.kind == EntryKind::opaque;
      has_news = force_folders(id, is_inside ? one.path + "/" : one.path) || has_news;
    }
  }
  return has_news;
}

/// Whether something hidden stays below a path in a layer under this one.
bool Planner::has_left_below(std::string_view path, std::uint16_t layer) const {
  const std::string start = path == "/" ? "/" : std::string(path) + "/";
  for (auto at = left_.upper_bound(start); at != left_.end() && at->first.starts_with(start);
       ++at) {
    if (at->second < layer) {
      return true;
    }
  }
  return false;
}

bool Planner::has_left_at(std::string_view path, std::uint16_t layer) const {
  const auto found = left_.find(path);
  return (found != left_.end() && found->second < layer) || has_left_below(path, layer);
}

/// True: something that was dropped must stay, so it is to be done once more.
bool Planner::drop_hidden() {
  left_.clear();
  plan_.hidden = {};
  plan_.shared = {};
  std::fill(plan_.actions.begin(), plan_.actions.end(), Action::keep);
  bool has_news = false;
  for (EntryId id = 0; id < count(); ++id) {
    const LayerEntry& one = entry(id);
    if (one.fate == EntryFate::seen || is_marker(one) || one.kind == EntryKind::aside) {
      continue;
    }
    if (one.is_needed && one.kind == EntryKind::file && may_change(one)) {
      ++plan_.shared.files;
      plan_.shared.bytes += one.bytes;
    }
    // A file that took the place of a folder still keeps away what is left of that folder.
    const bool is_barrier = one.kind != EntryKind::folder && has_left_below(one.path, one.layer);
    if (one.is_needed || is_barrier || !may_change(one) || !wishes_.drops_hidden
        || forced_.count(id) > 0) {
      has_news = leave(id) || has_news;
      continue;
    }
    plan_.actions[id] = Action::drop;
    if (one.kind == EntryKind::file) {
      ++plan_.hidden.files;
      plan_.hidden.bytes += one.bytes;
    }
  }
  return has_news;
}

/// Why a file that nothing reads cannot leave its layer; empty: it can.
std::string Planner::reason_to_keep(EntryId id) const {
  const LayerEntry& one = entry(id);
  if (!may_change(one)) {
    return "it is in a layer that stays as it is";
  }
  if (one.kind == EntryKind::hard_link || hard_links_.count(id) > 0) {
    return "hard links share its content";
  }
  if (has_left_at(one.path, one.layer)) {
    return "a layer that stays as it is has another at its place";
  }
  return {};
}

void Planner::drop_dead_weight() {
  const auto view = std::make_shared<ImageView>(survey_);
  const SlimTree tree{view, "", true, find_python_environments(*view, {})};
  for (SlimFile& file : plan_dead_weight(tree, wishes_.classes)) {
    const auto found = survey_.tree.paths().find("/" + file.plan.path);
    if (file.action == SlimAction::remove && found != survey_.tree.paths().end()) {
      std::string reason = reason_to_keep(found->second);
      if (reason.empty()) {
        plan_.actions[found->second] = Action::drop;
        changed_[file.plan.path] = std::nullopt;
      } else {
        file.action = SlimAction::keep;
        file.plan.after_bytes = file.plan.before_bytes;
        file.plan.why = std::move(reason);
      }
    }
    plan_.files.push_back(std::move(file));
  }
}

void Planner::judge_slice(const SurveyedBinary& binary) {
  const LayerEntry& one = entry(binary.entry);
  SlimFile file = *binary.slice;
  file.kind = SlimClass::gpu_code;
  file.plan.path = one.path.substr(1);
  if (file.action == SlimAction::slice && !may_change(one)) {
    file.action = SlimAction::keep;
    file.plan.after_bytes = file.plan.before_bytes;
    file.plan.why = "it is in a layer that stays as it is";
  }
  if (file.action == SlimAction::slice) {
    plan_.actions[binary.entry] = Action::slice;
    const FileContent content{file.plan.after_bytes,
                              binary.result ? binary.result->sha256 : std::string(kUnknownDigest)};
    if (one.fate == EntryFate::seen) {
      changed_[file.plan.path] = content;
    }
    const auto [first, last] = hard_links_.equal_range(binary.entry);
    for (auto link = first; link != last; ++link) {
      changed_[std::string(link->second.substr(1))] = content;
    }
  }
  plan_.files.push_back(std::move(file));
}

void Planner::slice() {
  for (const SurveyedBinary& binary : survey_.binaries) {
    const LayerEntry& one = entry(binary.entry);
    const bool is_seen = one.fate == EntryFate::seen || one.is_needed;
    if (binary.slice && is_seen && plan_.actions[binary.entry] == Action::keep) {
      // A file that was considered as dead weight and stays is judged once: here.
      std::erase_if(plan_.files, [&](const SlimFile& file) {
        return file.plan.path == std::string_view(one.path).substr(1);
      });
      judge_slice(binary);
    }
  }
}

Status Planner::rewrite_records() {
  if (changed_.empty()) {
    return {};
  }
  for (const auto& [path, id] : survey_.tree.paths()) {
    if (!path.ends_with(".dist-info/RECORD")) {
      continue;
    }
    const EntryId content = entry(id).kind == EntryKind::hard_link ? entry(id).target : id;
    const LayerEntry& one = entry(content);
    if (!one.has_text() || !may_change(one) || plan_.actions[content] != Action::keep) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string bytes,
                       survey_.texts->read(one.text_at, one.bytes, "a RECORD", kLargestRecord));
    FITMENT_TRY_ASSIGN(
        auto text, update_record(bytes, std::string(path), std::string(path.substr(1)), changed_));
    if (text) {
      plan_.actions[content] = Action::rewrite;
      plan_.texts[content] = std::move(*text);
      plan_.records.emplace_back(path);
    }
  }
  return {};
}

void Planner::drop_whiteouts() {
  for (EntryId id = 0; wishes_.drops_hidden && id < count(); ++id) {
    const LayerEntry& one = entry(id);
    if (!is_marker(one) || !may_change(one)) {
      continue;
    }
    if (!is_used(one)) {
      plan_.actions[id] = Action::drop;
      ++plan_.whiteouts;
    }
  }
}

void Planner::sum_up() {
  for (const SurveyedLayer& layer : survey_.layers) {
    PlannedLayer sum;
    sum.before_bytes = layer.digests.bytes;
    sum.entries = layer.count;
    bool has_content = false;
    constexpr std::uint64_t kEnd = 2 * kTarBlock;
    sum.after_bytes = kEnd;
    for (EntryId id = layer.first; id < layer.first + layer.count; ++id) {
      const LayerEntry& one = entry(id);
      sum.is_changed = sum.is_changed || plan_.actions[id] != Action::keep;
      std::uint64_t bytes = one.archive_bytes;
      switch (plan_.actions[id]) {
        case Action::drop:
          ++sum.dropped_entries;
          continue;
        case Action::slice:
          bytes -= tar_padded(one.bytes)
                   - tar_padded(survey_.binaries[one.binary].slice->plan.after_bytes);
          break;
        case Action::rewrite:
          bytes -= tar_padded(one.bytes);
          bytes += tar_padded(plan_.texts.at(id).size());
          break;
        case Action::keep:
          break;
      }
      has_content = has_content || one.kind != EntryKind::aside;
      sum.after_bytes += bytes;
    }
    sum.is_dropped = sum.is_changed && !has_content;
    if (!sum.is_changed) {
      sum.after_bytes = sum.before_bytes;
    } else if (sum.is_dropped) {
      sum.after_bytes = 0;
    }
    plan_.layers.push_back(sum);
  }
}

Result<ImageSlimPlan> Planner::run() {
  plan_.actions.assign(survey_.tree.entries().size(), Action::keep);
  find_hard_links();
  find_hidden_folders();
  while (drop_hidden() || force_folders_of_marks()) {
  }
  drop_dead_weight();
  if (wishes_.classes.count(SlimClass::gpu_code) > 0) {
    slice();
  }
  FITMENT_TRY(rewrite_records());
  drop_whiteouts();
  sum_up();
  for (SlimFile& file : plan_.files) {
    file.plan.path.insert(0, "/");  // as everything else says it of images
  }
  std::stable_sort(plan_.files.begin(), plan_.files.end(), [](const auto& a, const auto& b) {
    return a.plan.path < b.plan.path;
  });
  return std::move(plan_);
}

}  // namespace

Result<ImageSlimPlan> plan_image_slim(const ImageSurvey& survey, const ImageSlimWishes& wishes) {
  return Planner(survey, wishes).run();
}

}  // namespace fitment
