// SPDX-License-Identifier: Apache-2.0
#include "slim/new_tree.h"

#include "base/digest.h"
#include "base/new_file.h"
#include "base/posix_io.h"
#include "slim/moved_view.h"
#include "slim/new_link.h"
#include "slim/record_update.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace fitment {

NewTreeRun::NewTreeRun(std::filesystem::path from, TreeCopy copy, bool load_tests)
    : from_(std::move(from)),
      copy_(std::move(copy)),
      root_(copy_.path()),
      load_tests_(load_tests),
      has_records_(!find_records(root_).empty()) {}

Result<std::unique_ptr<NewTreeRun>> NewTreeRun::start(
    const std::filesystem::path& from,
    const std::filesystem::path& to,
    const std::set<std::filesystem::path>& touched,
    bool load_tests) {
  FITMENT_TRY_ASSIGN(TreeCopy copy, TreeCopy::make(from, to, touched));
  return std::unique_ptr<NewTreeRun>(new NewTreeRun(from, std::move(copy), load_tests));
}

void NewTreeRun::add_step(JournalStep step) {
  step.state = StepState::done;
  const std::scoped_lock lock(mutex_);
  steps_.push_back(std::move(step));
}

Result<SliceProof> NewTreeRun::slice(const std::string& path,
                                     const SlicePlan& plan,
                                     const SliceOptions& options) {
  JournalStep step{.action = StepAction::slice, .path = path, .before_bytes = plan.before_bytes};
  ApplyOptions apply{
      .output = root_ / path, .syncs = false, .traces = true, .load_tests = load_tests_};
  if (has_records_) {
    apply.before_commit = [&step](const ReadySlice& result) {
      step.before_sha256 = result.original_sha256;
      step.after_bytes = result.bytes;
      step.after_sha256 = result.sha256;
      return Status();
    };
  }
  FITMENT_TRY_ASSIGN(SliceProof proof, apply_slice(from_ / path, plan, options, apply));
  add_step(std::move(step));
  return proof;
}

Status NewTreeRun::remove(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    add_step({.action = StepAction::remove, .path = path});
  }
  return {};
}

Result<FileContent> NewTreeRun::linked_content(const std::string& path) const {
  const auto slice = std::find_if(steps_.begin(), steps_.end(), [&](const JournalStep& step) {
    return step.action == StepAction::slice && step.path == path;
  });
  return slice != steps_.end() ? FileContent{slice->after_bytes, slice->after_sha256}
                               : content_of(root_ / path);
}

Status NewTreeRun::link(const std::string& path, const std::string& to, bool is_hard) {
  const bool stays_readable = is_hard && may_stand_for(from_ / to, from_ / path);
  FITMENT_TRY_ASSIGN(NewLink link, NewLink::create(root_ / path, root_ / to, stays_readable));
  JournalStep step{.action = StepAction::link, .path = path};
  if (has_records_) {
    std::error_code error;
    FileContent after;
    if (std::filesystem::is_symlink(link.path(), error)) {
      FITMENT_TRY_ASSIGN(const FileContent before, content_of(from_ / path));
      step.before_bytes = before.bytes;
      step.before_sha256 = before.sha256;
      FITMENT_TRY_ASSIGN(after, content_of(link.path()));
    } else {
      FITMENT_TRY_ASSIGN(after, linked_content(to));
    }
    step.after_bytes = after.bytes;
    step.after_sha256 = after.sha256;
  }
  FITMENT_TRY(link.commit());
  add_step(std::move(step));
  return {};
}

Status NewTreeRun::rewrite(const std::string& path, std::string_view bytes) {
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(root_ / path));
  if (!write_all(file.descriptor(), bytes)) {
    return system_error(errno, "write", file.path());
  }
  std::error_code error;
  if (std::filesystem::exists(from_ / path, error)) {
    FITMENT_TRY(file.take_attributes(from_ / path));
  }
  FITMENT_TRY(file.commit(false));
  add_step({.action = StepAction::record,
            .path = path,
            .after_bytes = bytes.size(),
            .after_sha256 = sha256_hex(bytes)});
  return {};
}

std::unique_ptr<const FileView> NewTreeRun::view_in_place_of(const SlimTree& original) const {
  if (original.is_whole_root) {
    return std::make_unique<DirectoryView>(root_.string());
  }
  return std::make_unique<MovedView>(original.root, root_.string());
}

}  // namespace fitment
