// SPDX-License-Identifier: Apache-2.0
#include "image/audit_image.h"

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

class Auditor {
 public:
  Auditor(const Image& image, const ImageSurvey& survey) : image_(image), survey_(survey) {}

  ImageAudit run(const std::vector<KeepTarget>& targets);

 private:
  void add_layers();
  void add_hidden();
  void add_duplicates();
  void add_gpu_code();
  void waste(WastedFile file);

  const Image& image_;
  const ImageSurvey& survey_;
  ImageAudit audit_;
  std::map<ImageWaste, WasteTotal> totals_;
  std::set<const LayerEntry*> copies_;  // duplicates that would go
};

void Auditor::waste(WastedFile file) {
  WasteTotal& total = totals_[file.kind];
  total.kind = file.kind;
  ++total.files;
  total.bytes += file.bytes;
  const AuditedLayer& layer = audit_.layers[file.layer];
  const double ratio =
      layer.bytes == 0 ? 0.0
                       : static_cast<double>(layer.stored_bytes) / static_cast<double>(layer.bytes);
  total.stored_bytes += static_cast<std::uint64_t>(static_cast<double>(file.bytes) * ratio);
  if (file.bytes > 0) {
    audit_.files.push_back(std::move(file));
  }
}

void Auditor::add_layers() {
  for (std::size_t i = 0; i < survey_.layers.size(); ++i) {
    const SurveyedLayer& layer = survey_.layers[i];
    AuditedLayer to;
    to.digest = "sha256:" + layer.digests.stored_sha256;
    to.diff_id = image_.layers[i].diff_id;
    to.created_by = image_.layers[i].created_by;
    to.compression = layer.digests.compression;
    to.stored_bytes = layer.digests.stored_bytes;
    to.bytes = layer.digests.bytes;
    for (EntryId id = layer.first; id < layer.first + layer.count; ++id) {
      const LayerEntry& entry = survey_.tree.entry(id);
      to.whiteouts += entry.kind == EntryKind::whiteout || entry.kind == EntryKind::opaque ? 1 : 0;
      if (entry.kind == EntryKind::file) {
        ++to.files;
        to.file_bytes += entry.bytes;
      }
    }
    audit_.stored_bytes += to.stored_bytes;
    audit_.bytes += to.bytes;
    audit_.layers.push_back(std::move(to));
  }
}

void Auditor::add_hidden() {
  for (const LayerEntry& entry : survey_.tree.entries()) {
    if (entry.kind != EntryKind::file || entry.fate == EntryFate::seen || entry.is_needed) {
      continue;
    }
    const ImageWaste kind = entry.fate == EntryFate::deleted    ? ImageWaste::deleted
                            : entry.fate == EntryFate::replaced ? ImageWaste::replaced
                                                                : ImageWaste::copied;
    audit_.layers[entry.layer].wasted_bytes += entry.bytes;
    waste({.kind = kind,
           .path = entry.path,
           .layer = entry.layer,
           .other_layer = entry.hidden_by,
           .bytes = entry.bytes,
           .copies = {}});
  }
}

/// Files that are seen, of equal content, each stored for itself. Hard links are not stored.
void Auditor::add_duplicates() {
  std::map<std::pair<ContentHash, std::uint64_t>, std::vector<const LayerEntry*>> groups;
  for (const auto& [path, id] : survey_.tree.paths()) {
    const LayerEntry& entry = survey_.tree.entry(id);
    if (entry.kind == EntryKind::file) {
      ++audit_.seen_files;
      audit_.seen_bytes += entry.bytes;
      if (entry.bytes > 0) {
        groups[{entry.content, entry.bytes}].push_back(&entry);
      }
    }
  }
  for (auto& [key, group] : groups) {
    if (group.size() < 2) {
      continue;
    }
    // The lowest layer's stays: those above would go.
    std::stable_sort(group.begin(), group.end(), [](const LayerEntry* a, const LayerEntry* b) {
      return a->layer < b->layer;
    });
    WastedFile file{.kind = ImageWaste::duplicates,
                    .path = group.front()->path,
                    .layer = group[1]->layer,
                    .other_layer = group.front()->layer,
                    .bytes = key.second * (group.size() - 1),
                    .copies = {}};
    for (std::size_t i = 1; i < group.size(); ++i) {
      file.copies.push_back(group[i]->path);
      copies_.insert(group[i]);
    }
    const std::size_t copies = file.copies.size();
    waste(std::move(file));
    totals_[ImageWaste::duplicates].files += copies - 1;
  }
}

void Auditor::add_gpu_code() {
  std::vector<std::vector<TargetTotal>> totals;
  for (const SurveyedBinary& binary : survey_.binaries) {
    const LayerEntry& entry = survey_.tree.entry(binary.entry);
    audit_.layers[entry.layer].gpu_bytes += binary.gpu_bytes;
    if (entry.fate != EntryFate::seen) {
      continue;
    }
    totals.push_back(binary.gpu_code);
    if (binary.slice && binary.slice->plan.saved_bytes() > 0 && copies_.count(&entry) == 0) {
      waste({.kind = ImageWaste::gpu_code,
             .path = entry.path,
             .layer = entry.layer,
             .other_layer = {},
             .bytes = binary.slice->plan.saved_bytes(),
             .copies = {}});
    }
  }
  audit_.gpu_code = merge_totals(totals);
}

ImageAudit Auditor::run(const std::vector<KeepTarget>& targets) {
  audit_.name = image_.name;
  audit_.manifest_digest = image_.manifest_digest;
  audit_.platform = image_.config.platform;
  audit_.targets = targets;
  add_layers();
  add_hidden();
  add_duplicates();
  add_gpu_code();
  for (const auto& [kind, total] : totals_) {
    if (total.bytes > 0) {
      audit_.waste.push_back(total);
    }
  }
  std::stable_sort(audit_.files.begin(), audit_.files.end(), [](const auto& a, const auto& b) {
    return a.bytes > b.bytes;
  });
  return std::move(audit_);
}

}  // namespace

std::string_view to_string(ImageWaste waste) {
  switch (waste) {
    case ImageWaste::deleted:
      return "deleted";
    case ImageWaste::replaced:
      return "replaced";
    case ImageWaste::copied:
      return "copied";
    case ImageWaste::duplicates:
      return "duplicates";
    case ImageWaste::gpu_code:
      break;
  }
  return "gpu-code";
}

std::string_view fix_of(ImageWaste waste) {
  switch (waste) {
    case ImageWaste::deleted:
      return "delete in the step that makes it";
    case ImageWaste::replaced:
      return "make the final file in one step";
    case ImageWaste::copied:
      return "set owner and mode where it is made: COPY --chown, --chmod";
    case ImageWaste::duplicates:
      return "keep one, or link it";
    case ImageWaste::gpu_code:
      break;
  }
  return "slice for the named GPUs";
}

std::uint64_t ImageAudit::wasted_bytes() const {
  std::uint64_t sum = 0;
  for (const WasteTotal& total : waste) {
    sum += total.kind == ImageWaste::gpu_code ? 0 : total.bytes;
  }
  return sum;
}

double ImageAudit::wasted_percent() const {
  std::uint64_t all = 0;
  for (const AuditedLayer& layer : layers) {
    all += layer.file_bytes;
  }
  constexpr double kPercent = 100.0;
  return all == 0 ? 0.0 : kPercent * static_cast<double>(wasted_bytes()) / static_cast<double>(all);
}

ImageAudit audit_image(const Image& image,
                       const ImageSurvey& survey,
                       const std::vector<KeepTarget>& targets) {
  return Auditor(image, survey).run(targets);
}

bool WasteLimit::is_passed(const ImageAudit& audit) const {
  return (!bytes || audit.wasted_bytes() <= *bytes)
         && (!percent || audit.wasted_percent() <= *percent);
}

}  // namespace fitment
