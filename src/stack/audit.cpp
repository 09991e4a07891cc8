// SPDX-License-Identifier: Apache-2.0
#include "stack/audit.h"

#include "base/parallel.h"
#include "wheel/wheel_archive.h"
#include "wheel/zip_member.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>

namespace fitment {

namespace {

struct OpenWheel {
  std::unique_ptr<ByteSource> source;
  WheelArchive archive;
};

Result<OpenWheel> open_wheel(const std::filesystem::path& path) {
  OpenWheel wheel;
  FITMENT_TRY_ASSIGN(wheel.source, open_file_source(path));
  FITMENT_TRY_ASSIGN(wheel.archive, read_wheel_archive(*wheel.source));
  return wheel;
}

/// One file or one member of a wheel.
struct Job {
  std::filesystem::path path;        ///< of the file or of the wheel
  const OpenWheel* wheel = nullptr;  ///< null: a file of its own
  const ZipEntry* entry = nullptr;
  std::uint64_t bytes = 0;
  std::optional<std::size_t> same_as;  ///< a job whose file is a hard link to the same
};

/// Nothing: it is no binary.
using JobResult = Result<std::optional<AuditedFile>>;

class AuditRun {
 public:
  AuditRun(const AuditOptions& options,
           const ScratchOptions& scratch,
           const AuditProgress& progress)
      : options_(options), scratch_(scratch), progress_(progress) {}

  Audit run(const FoundFiles& found);

 private:
  void open_wheels(const FoundFiles& found);
  void plan(const FoundFiles& found);
  [[nodiscard]] JobResult look_at(const Job& job) const;
  [[nodiscard]] JobResult look_at_member(const Job& job) const;
  void copy_linked();
  void tell(const Job& job);
  void collect(const FoundFiles& found, Audit& audit);

  const AuditOptions& options_;
  const ScratchOptions& scratch_;
  const AuditProgress& progress_;
  std::vector<std::optional<Result<OpenWheel>>> wheels_;
  std::vector<Job> jobs_;
  std::vector<std::optional<JobResult>> results_;
  std::mutex telling_;
  std::uint64_t all_bytes_ = 0;
  std::uint64_t done_bytes_ = 0;
};

void AuditRun::open_wheels(const FoundFiles& found) {
  wheels_.resize(found.wheels.size());
  for_each_index(
      found.wheels.size(), 0, [&](std::size_t i) { wheels_[i] = open_wheel(found.wheels[i]); });
}

void AuditRun::plan(const FoundFiles& found) {
  std::map<std::pair<dev_t, ino_t>, std::size_t> linked;  // the first job of a file
  for (const std::filesystem::path& path : found.binaries) {
    struct stat status = {};
    const bool is_there = ::stat(path.c_str(), &status) == 0;
    jobs_.push_back(
        {path, nullptr, nullptr, is_there ? static_cast<std::uint64_t>(status.st_size) : 0, {}});
    if (is_there && status.st_nlink > 1) {
      const auto [first, is_new] =
          linked.emplace(std::pair(status.st_dev, status.st_ino), jobs_.size() - 1);
      if (!is_new) {
        jobs_.back().same_as = first->second;
      }
    }
  }
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    if (!*wheels_[i]) {
      continue;
    }
    const OpenWheel& wheel = **wheels_[i];
    for (const ZipEntry& entry : wheel.archive.zip.entries) {
      if (!entry.is_folder() && entry.size > 0) {
        jobs_.push_back({found.wheels[i], &wheel, &entry, entry.size, {}});
      }
    }
  }
  for (const Job& job : jobs_) {
    all_bytes_ += job.bytes;
  }
}

JobResult AuditRun::look_at_member(const Job& job) const {
  const ByteSource& archive = *job.wheel->source;
  FITMENT_TRY_ASSIGN(const std::string start, read_zip_start(archive, *job.entry, kTellingBytes));
  if (!may_be_binary(start, job.entry->name)) {
    return std::optional<AuditedFile>();
  }
  FITMENT_TRY_ASSIGN(
      const std::unique_ptr<ByteSource> source,
      open_zip_member(
          archive, *job.entry, member_name(job.path.string(), job.entry->name), scratch_));
  auto file = audit_file(*source, options_);
  if (!file) {
    if (file.error().code() == ErrorCode::unsupported) {
      return std::optional<AuditedFile>();  // named as GPU code is, and none
    }
    return tl::unexpected<Error>(std::move(file).error());
  }
  file->wheel = job.path.string();
  file->member = job.entry->name;
  return std::optional<AuditedFile>(std::move(*file));
}

JobResult AuditRun::look_at(const Job& job) const {
  if (job.wheel != nullptr) {
    return look_at_member(job);
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open_file_source(job.path));
  auto file = audit_file(*source, options_);
  if (!file) {
    const bool is_left_out = !options_.gpu_code && may_be_binary("", job.path)
                             && file.error().code() == ErrorCode::unsupported;
    return is_left_out ? JobResult(std::nullopt)
                       : JobResult(tl::unexpected<Error>(std::move(file).error()));
  }
  return std::optional<AuditedFile>(std::move(*file));
}

/// What was found in a file holds under its other names.
void AuditRun::copy_linked() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].same_as) {
      results_[i] = results_[*jobs_[i].same_as];
      if (*results_[i] && **results_[i]) {
        (**results_[i])->path = jobs_[i].path.string();
      }
    }
  }
}

void AuditRun::tell(const Job& job) {
  if (!progress_) {
    return;
  }
  const std::lock_guard<std::mutex> lock(telling_);
  done_bytes_ += job.bytes;
  progress_(done_bytes_, all_bytes_, job.entry == nullptr ? job.path.string() : job.entry->name);
}

void AuditRun::collect(const FoundFiles& found, Audit& audit) {
  std::size_t job = 0;
  const auto take = [&] {
    const Job& done = jobs_[job];
    JobResult& result = *results_[job++];
    if (!result) {
      audit.failed.push_back({done.wheel == nullptr
                                  ? done.path.string()
                                  : member_name(done.path.string(), done.entry->name),
                              std::move(result).error()});
    } else if (*result) {
      audit.files.push_back(std::move(**result));
    }
  };
  while (job < jobs_.size() && jobs_[job].wheel == nullptr) {
    take();
  }
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    if (!*wheels_[i]) {
      audit.failed.push_back({found.wheels[i].string(), std::move(*wheels_[i]).error()});
      continue;
    }
    const OpenWheel& open = **wheels_[i];
    AuditedWheel wheel;
    wheel.path = found.wheels[i].string();
    wheel.bytes = open.source->size();
    wheel.members = open.archive.zip.entries.size();
    wheel.name = open.archive.name;
    for (const ZipEntry& entry : open.archive.zip.entries) {
      wheel.unpacked_bytes += entry.size;
    }
    wheel.first_file = audit.files.size();
    const std::size_t failed_before = audit.failed.size();
    while (job < jobs_.size() && jobs_[job].wheel == &open) {
      take();
    }
    wheel.file_count = audit.files.size() - wheel.first_file;
    wheel.unread = audit.failed.size() - failed_before;
    audit.wheels.push_back(std::move(wheel));
  }
  for (AuditedWheel& wheel : audit.wheels) {
    std::vector<const AuditedFile*> binaries;
    for (std::size_t i = 0; i < wheel.file_count; ++i) {
      binaries.push_back(&audit.files[wheel.first_file + i]);
    }
    wheel.claim = judge_platform_tags(wheel.name.platform_tags, binaries);
  }
}

Audit AuditRun::run(const FoundFiles& found) {
  Audit audit;
  for (const Error& error : found.unreadable) {
    audit.failed.push_back({"", error});
  }
  open_wheels(found);
  plan(found);
  results_.resize(jobs_.size());
  std::vector<std::size_t> order(jobs_.size());  // the largest first, so that no core waits long
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return jobs_[a].bytes > jobs_[b].bytes;
  });
  for_each_index(order.size(), 0, [&](std::size_t i) {
    if (!jobs_[order[i]].same_as) {
      results_[order[i]] = look_at(jobs_[order[i]]);
    }
    tell(jobs_[order[i]]);
  });
  copy_linked();
  collect(found, audit);
  return audit;
}

}  // namespace

std::optional<bool> AuditedWheel::claim_holds() const {
  if (!claim.holds()) {
    return false;
  }
  return unread > 0 ? std::nullopt : std::optional<bool>(true);
}

std::size_t Audit::own_files() const {
  return wheels.empty() ? files.size() : wheels.front().first_file;
}

Audit audit_files(const FoundFiles& found,
                  const AuditOptions& options,
                  const ScratchOptions& scratch,
                  const AuditProgress& progress) {
  return AuditRun(options, scratch, progress).run(found);
}

}  // namespace fitment
