// SPDX-License-Identifier: Apache-2.0
#include "slim/planned_view.h"

#include "slim/record_update.h"

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

constexpr std::uint64_t kRecordLimit = 256U << 20U;
constexpr std::string_view kInfo = ".dist-info";
// Stand for a digest that is known when the file is written.
constexpr std::size_t kDigestDigits = 64;
constexpr char kUnknownDigit = '0';

/// A described file together with its original.
class PlannedSource final : public ByteSource {
 public:
  PlannedSource(std::unique_ptr<ByteSource> original, const Splice& splice)
      : ByteSource(original->name()),
        original_(std::move(original)),
        spliced_(*original_, splice, name()) {}
  [[nodiscard]] std::uint64_t size() const override { return spliced_.size(); }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    const std::uint64_t got = std::min(count, size() - std::min(offset, size()));
    FITMENT_TRY(spliced_.read_exact(offset, got, out, "a planned file"));
    return got;
  }

 private:
  std::unique_ptr<ByteSource> original_;
  SplicedSource spliced_;
};

}  // namespace

PlannedView::PlannedView(const SlimTree& tree, const std::vector<PlannedChange>& changes)
    : base_(*tree.view) {
  for (const PlannedChange& change : changes) {
    if (change.action == SlimAction::slice || change.action == SlimAction::link
        || change.action == SlimAction::remove) {
      changes_[change.path] = change;
    }
  }
  update_records(tree);
}

void PlannedView::update_records(const SlimTree& tree) {
  ChangedFiles changed;
  for (const auto& [path, change] : changes_) {
    changed[path.substr(1)] =
        change.action == SlimAction::remove
            ? std::nullopt
            : std::optional(
                FileContent{size(path).value_or(0), std::string(kDigestDigits, kUnknownDigit)});
  }
  for (const PythonEnvironment& environment : tree.environments) {
    for (const std::string& site : environment.sites) {
      const auto names = base_.list(site);
      for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        const std::string record = join_path(join_path(site, name), "RECORD");
        const auto text = name.ends_with(kInfo) ? base_.read(record, kRecordLimit)
                                                : Result<std::string>(std::string());
        auto updated = update_record(text.value_or(""), record, record.substr(1), changed);
        if (updated && *updated) {
          records_[record] = std::move(**updated);
        }
      }
    }
  }
}

const PlannedChange* PlannedView::find(const std::string& path, SlimAction action) const {
  const auto found = changes_.find(path);
  return found == changes_.end() || found->second.action != action ? nullptr : &found->second;
}

FileKind PlannedView::entry_kind(const std::string& path) const {
  if (find(path, SlimAction::remove) != nullptr) {
    return FileKind::missing;
  }
  return find(path, SlimAction::link) != nullptr ? FileKind::link : base_.entry_kind(path);
}

std::string PlannedView::identity(const std::string& path) const {
  return base_.identity(path);
}

std::optional<std::uint64_t> PlannedView::entry_size(const std::string& path) const {
  if (const auto found = records_.find(path); found != records_.end()) {
    return found->second.size();
  }
  const auto found = changes_.find(path);
  if (found == changes_.end()) {
    return base_.entry_size(path);
  }
  return found->second.action == SlimAction::slice ? std::optional(found->second.bytes->size())
                                                   : std::nullopt;
}

Result<std::string> PlannedView::link_target(const std::string& path) const {
  const PlannedChange* link = find(path, SlimAction::link);
  // A link of the base leads to its end, which is walked again here: as good as one step.
  return link == nullptr ? base_.resolve(path) : link->link_to;
}

Result<std::unique_ptr<ByteSource>> PlannedView::open_entry(const std::string& path) const {
  if (const auto found = records_.find(path); found != records_.end()) {
    return memory_source(found->second, path);
  }
  FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> source, base_.open(path));
  const PlannedChange* slice = find(path, SlimAction::slice);
  if (slice == nullptr) {
    return source;
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<PlannedSource>(std::move(source), *slice->bytes));
}

Result<std::vector<std::string>> PlannedView::list_entry(const std::string& path) const {
  FITMENT_TRY_ASSIGN(std::vector<std::string> names, base_.list(path));
  std::erase_if(names, [&](const std::string& name) {
    return find(join_path(path, name), SlimAction::remove) != nullptr;
  });
  return names;
}

}  // namespace fitment
