// SPDX-License-Identifier: Apache-2.0
#include "stack/wheel_view.h"

#include "wheel/zip_member.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// A source that several readers hold.
class SharedSource final : public ByteSource {
 public:
  explicit SharedSource(std::shared_ptr<ByteSource> shared)
      : ByteSource(shared->name()), shared_(std::move(shared)) {}
  [[nodiscard]] std::uint64_t size() const override { return shared_->size(); }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    const std::uint64_t got = std::min(count, size() - std::min(offset, size()));
    FITMENT_TRY(shared_->read_exact(offset, got, out, "a member"));
    return got;
  }

 private:
  std::shared_ptr<ByteSource> shared_;
};

}  // namespace

WheelView::WheelView(const FileView& base, std::string folder, ScratchOptions scratch)
    : base_(base), folder_(std::move(folder)), scratch_(std::move(scratch)) {
  folders_.insert(folder_);
}

Status WheelView::add(const std::string& path) {
  FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> source, open_file_source(path));
  FITMENT_TRY_ASSIGN(WheelArchive wheel, read_wheel_archive(*source));
  for (ZipEntry& entry : wheel.zip.entries) {
    const std::string place = path_of(entry.name);
    if (entry.is_folder() || !members_.try_emplace(place, Member{source.get(), entry}).second) {
      continue;
    }
    for (std::string_view folder = parent_folder(place); folder.size() > folder_.size();
         folder = parent_folder(folder)) {
      folders_.emplace(folder);
    }
  }
  wheels_[path_of(wheel.dist_info)] = file_name(path);
  archives_.push_back(std::move(source));
  return {};
}

std::string WheelView::path_of(std::string_view member) const {
  return join_path(folder_, installed_place(member));
}

PythonEnvironment WheelView::environment() const {
  PythonEnvironment environment;
  environment.kind = PythonEnvironmentKind::wheels;
  environment.prefix = folder_;
  environment.sites = {folder_};
  environment.wheels = wheels_;
  return environment;
}

bool WheelView::is_ours(std::string_view path) const {
  return path == folder_ || (path.starts_with(folder_) && path[folder_.size()] == '/');
}

FileKind WheelView::entry_kind(const std::string& path) const {
  if (!is_ours(path)) {
    return base_.entry_kind(path);
  }
  if (folders_.contains(path)) {
    return FileKind::folder;
  }
  return members_.contains(path) ? FileKind::regular : FileKind::missing;
}

std::string WheelView::identity(const std::string& path) const {
  return is_ours(path) ? path : base_.identity(path);
}

std::optional<std::uint64_t> WheelView::entry_size(const std::string& path) const {
  if (!is_ours(path)) {
    return base_.entry_size(path);
  }
  const auto found = members_.find(path);
  return found == members_.end() ? std::nullopt : std::optional(found->second.entry.size);
}

Result<std::string> WheelView::link_target(const std::string& path) const {
  return base_.resolve(path);  // to the end, which is as good as one step
}

Result<std::unique_ptr<ByteSource>> WheelView::open_entry(const std::string& path) const {
  const auto found = members_.find(path);
  if (found == members_.end()) {
    return base_.open(path);
  }
  const std::lock_guard<std::mutex> lock(opening_);
  std::shared_ptr<ByteSource>& opened = opened_[path];
  if (!opened) {
    const Member& member = found->second;
    FITMENT_TRY_ASSIGN(opened,
                       open_zip_member(*member.archive,
                                       member.entry,
                                       member_name(member.archive->name(), member.entry.name),
                                       scratch_));
  }
  return std::unique_ptr<ByteSource>(std::make_unique<SharedSource>(opened));
}

Result<std::vector<std::string>> WheelView::list_entry(const std::string& path) const {
  if (!is_ours(path)) {
    return base_.list(path);
  }
  std::set<std::string> names;
  const auto take = [&](std::string_view place) {
    if (place.size() > path.size() && parent_folder(place) == path) {
      names.emplace(file_name(place));
    }
  };
  for (const std::string& folder : folders_) {
    take(folder);
  }
  for (const auto& [place, member] : members_) {
    take(place);
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace fitment
