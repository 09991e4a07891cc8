// SPDX-License-Identifier: Apache-2.0
#include "slim/in_place.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/new_file.h"
#include "base/posix_io.h"
#include "base/text.h"
#include "slim/file_content.h"
#include "slim/new_link.h"
#include "slim/original_copy.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

namespace fitment {

namespace {

constexpr std::size_t kTemporarySuffix = 7;  // `.XXXXXX` of NewFile
constexpr std::size_t kRemovedAtOnce = 256;
constexpr std::size_t kMostCopies = 10'000;

/// Removes what an interrupted run left beside a file: `.libfoo.so.aB3dE6`.
void remove_temporaries(const std::filesystem::path& file) {
  std::error_code error;
  const std::string prefix = "." + file.filename().string();
  std::vector<std::filesystem::path> left;
  for (std::filesystem::directory_iterator entry(file.parent_path(), error), end;
       !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const std::string_view rest =
        name.starts_with(prefix) ? std::string_view(name).substr(prefix.size()) : "";
    std::error_code ignored;
    if (rest.size() == kTemporarySuffix && rest[0] == '.'
        && std::all_of(rest.begin() + 1, rest.end(), is_alnum)
        && !std::filesystem::is_directory(entry->symlink_status(ignored))) {
      left.push_back(entry->path());
    }
  }
  for (const std::filesystem::path& path : left) {
    std::filesystem::remove(path, error);
  }
}

bool is_same(const std::optional<FileContent>& now, std::uint64_t bytes, const std::string& sha) {
  return sha.empty() ? !now : now && now->bytes == bytes && now->sha256 == sha;
}

/// Ends every step that a run left open: the file itself says whether it happened.
Status settle(Journal& journal, const std::filesystem::path& root) {
  bool has_news = false;
  for (std::size_t i = 0; i < journal.steps().size(); ++i) {
    const JournalStep& step = journal.steps()[i];
    if (step.state != StepState::begun && step.state != StepState::ready) {
      continue;
    }
    has_news = true;
    const std::filesystem::path file = root / step.path;
    remove_temporaries(file);
    bool happened = false;
    if (step.state == StepState::ready) {
      FITMENT_TRY_ASSIGN(const auto now, read_content(file));
      happened = is_same(now, step.after_bytes, step.after_sha256);
    }
    FITMENT_TRY(journal.end(i, happened ? StepState::done : StepState::dropped));
  }
  return has_news ? journal.sync() : Status();
}

}  // namespace

Result<InPlaceRun> InPlaceRun::open(std::filesystem::path root, InPlaceOptions options) {
  FITMENT_TRY_ASSIGN(Journal journal, Journal::open(root));
  FITMENT_TRY(settle(journal, root));
  return InPlaceRun(std::move(root), std::move(options), std::move(journal));
}

Status InPlaceRun::tell(StepPoint point, const std::string& path) const {
  return options_.watch ? options_.watch(point, path) : Status();
}

Status InPlaceRun::begin(StepAction action, const std::string& path, std::uint64_t bytes) {
  FITMENT_TRY(journal_.begin(action, path, bytes));
  FITMENT_TRY(journal_.sync());
  return tell(StepPoint::begun, path);
}

Status InPlaceRun::make_ready(std::size_t step, JournalStep facts) {
  const std::string path = journal_.steps()[step].path;
  if (options_.backup && !facts.before_sha256.empty()) {
    FITMENT_TRY_ASSIGN(facts.backup, keep_original(path, facts.before_sha256));
    FITMENT_TRY(tell(StepPoint::kept, path));
  }
  FITMENT_TRY(journal_.ready(step, facts));
  FITMENT_TRY(journal_.sync());
  return tell(StepPoint::ready, path);
}

Status InPlaceRun::finish(std::size_t step) {
  const std::string path = journal_.steps()[step].path;
  FITMENT_TRY(tell(StepPoint::replaced, path));
  FITMENT_TRY(journal_.end(step, StepState::done));
  FITMENT_TRY(journal_.sync());
  return tell(StepPoint::ended, path);
}

Error InPlaceRun::drop(std::size_t step, Error error) {
  // Where even this cannot be written, the next run finds it out by the file.
  if (journal_.end(step, StepState::dropped)) {
    static_cast<void>(journal_.sync());
  }
  return error;
}

Result<std::string> InPlaceRun::keep_original(const std::string& path,
                                              const std::string& sha256) const {
  std::error_code error;
  const std::filesystem::path first = std::filesystem::absolute(*options_.backup, error) / path;
  FITMENT_TRY(make_folder(first.parent_path()));
  std::filesystem::path target = first;
  for (std::size_t n = 1; n < kMostCopies; ++n) {
    FITMENT_TRY_ASSIGN(const auto there, read_content(target));
    if (there && there->sha256 == sha256) {
      return target.string();
    }
    if (!there && give_second_name(root_ / path, target)) {
      sync_folder(target.parent_path());
      return target.string();
    }
    if (!there) {
      FITMENT_TRY_ASSIGN(NewFile copy, NewFile::create(target));
      FITMENT_TRY(copy_whole(root_ / path, copy));
      FITMENT_TRY(copy.commit(true));
      return target.string();
    }
    target = first;  // an older original of the same name
    target += fmt::format(".~{}~", n);
  }
  return fail(ErrorCode::io_error, fmt::format("`{}` has too many copies", first.string()));
}

Result<SliceProof> InPlaceRun::slice(const std::string& path,
                                     const SlicePlan& plan,
                                     const SliceOptions& options) {
  FITMENT_TRY(begin(StepAction::slice, path, plan.before_bytes));
  const std::size_t step = journal_.steps().size() - 1;
  const ApplyOptions apply{.output = {},
                           .syncs = true,
                           .traces = options_.traces,
                           .load_tests = options_.load_tests,
                           .before_commit = [&](const ReadySlice& result) {
                             return make_ready(step,
                                               {.before_sha256 = result.original_sha256,
                                                .after_bytes = result.bytes,
                                                .after_sha256 = result.sha256});
                           }};
  auto proof = apply_slice(root_ / path, plan, options, apply);
  if (!proof) {
    return drop(step, std::move(proof).error());
  }
  FITMENT_TRY(finish(step));
  return proof;
}

Status InPlaceRun::link(const std::string& path, const std::string& to, bool is_hard) {
  const std::filesystem::path file = root_ / path;
  FITMENT_TRY_ASSIGN(const FileContent before, content_of(file));
  FITMENT_TRY(begin(StepAction::link, path, before.bytes));
  const std::size_t step = journal_.steps().size() - 1;
  const auto replace = [&]() -> Status {
    const bool stays_readable = is_hard && may_stand_for(root_ / to, file);
    FITMENT_TRY_ASSIGN(NewLink link, NewLink::create(file, root_ / to, stays_readable));
    FITMENT_TRY_ASSIGN(const FileContent after, content_of(link.path()));
    FITMENT_TRY(make_ready(step,
                           {.before_sha256 = before.sha256,
                            .after_bytes = after.bytes,
                            .after_sha256 = after.sha256}));
    return link.commit();
  };
  if (Status replaced = replace(); !replaced) {
    return tl::unexpected<Error>(drop(step, std::move(replaced).error()));
  }
  return finish(step);
}

Status InPlaceRun::rewrite(const std::string& path, std::string_view bytes) {
  const std::filesystem::path file = root_ / path;
  FITMENT_TRY_ASSIGN(const auto before, read_content(file));
  FITMENT_TRY(begin(StepAction::record, path, before ? before->bytes : 0));
  const std::size_t step = journal_.steps().size() - 1;
  const auto replace = [&]() -> Status {
    FITMENT_TRY_ASSIGN(NewFile copy, NewFile::create(file));
    if (!write_all(copy.descriptor(), bytes)) {
      return system_error(errno, "write", copy.path());
    }
    if (before) {
      FITMENT_TRY(copy.take_attributes(file));
    }
    FITMENT_TRY(make_ready(step,
                           {.before_sha256 = before ? before->sha256 : "",
                            .after_bytes = bytes.size(),
                            .after_sha256 = sha256_hex(bytes)}));
    return copy.commit(true);
  };
  if (Status replaced = replace(); !replaced) {
    return tl::unexpected<Error>(drop(step, std::move(replaced).error()));
  }
  return finish(step);
}

Status InPlaceRun::remove(const std::vector<std::string>& paths) {
  for (std::size_t first = 0; first < paths.size(); first += kRemovedAtOnce) {
    const std::size_t count = std::min(kRemovedAtOnce, paths.size() - first);
    const std::size_t step = journal_.steps().size();
    // All of them are announced before the first goes: one wait for the disk instead of hundreds.
    for (std::size_t i = first; i < first + count; ++i) {
      FITMENT_TRY_ASSIGN(const FileContent before, content_of(root_ / paths[i]));
      JournalStep facts{.before_sha256 = before.sha256};
      if (options_.backup) {
        FITMENT_TRY_ASSIGN(facts.backup, keep_original(paths[i], before.sha256));
        FITMENT_TRY(tell(StepPoint::kept, paths[i]));
      }
      FITMENT_TRY(journal_.begin(StepAction::remove, paths[i], before.bytes));
      FITMENT_TRY(journal_.ready(journal_.steps().size() - 1, facts));
    }
    FITMENT_TRY(journal_.sync());
    FITMENT_TRY(tell(StepPoint::ready, paths[first]));
    std::set<std::filesystem::path> folders;
    for (std::size_t i = 0; i < count; ++i) {
      const std::filesystem::path file = root_ / paths[first + i];
      if (::unlink(file.c_str()) != 0) {
        return fail(
            ErrorCode::io_error,
            fmt::format(
                "cannot remove `{}`: {}", file.string(), std::generic_category().message(errno)));
      }
      FITMENT_TRY(tell(StepPoint::replaced, paths[first + i]));
      folders.insert(file.parent_path());
    }
    for (const std::filesystem::path& folder : folders) {
      sync_folder(folder);
    }
    for (std::size_t i = 0; i < count; ++i) {
      FITMENT_TRY(journal_.end(step + i, StepState::done));
    }
    FITMENT_TRY(journal_.sync());
    FITMENT_TRY(tell(StepPoint::ended, paths[first]));
  }
  return {};
}

Result<bool> InPlaceRun::put_back(const JournalStep& step) {
  const std::filesystem::path file = root_ / step.path;
  if (step.before_sha256.empty()) {
    std::error_code error;
    if (std::filesystem::remove(file, error); error) {
      return system_error(error.value(), "remove", file);
    }
    FITMENT_TRY(tell(StepPoint::replaced, step.path));
    return true;
  }
  FITMENT_TRY_ASSIGN(const auto copy, read_content(step.backup));
  if (!is_same(copy, step.before_bytes, step.before_sha256)) {
    return false;
  }
  FITMENT_TRY(make_folder(file.parent_path()));
  FITMENT_TRY_ASSIGN(NewFile restored, NewFile::create(file));
  FITMENT_TRY(copy_whole(step.backup, restored));
  FITMENT_TRY(tell(StepPoint::ready, step.path));
  FITMENT_TRY(restored.commit(true));
  FITMENT_TRY(tell(StepPoint::replaced, step.path));
  return true;
}

Result<Undone> InPlaceRun::undo(std::size_t number) {
  const JournalStep step = journal_.steps().at(number);
  const std::filesystem::path file = root_ / step.path;
  remove_temporaries(file);  // of an undo that was interrupted
  const auto now = read_content(file);
  const bool is_after = now && is_same(*now, step.after_bytes, step.after_sha256);
  const bool is_before = now && is_same(*now, step.before_bytes, step.before_sha256);
  const bool has_copy = !step.backup.empty() || step.before_sha256.empty();
  // A hard link has the bytes that were there, but is not the file that was there.
  const bool is_hard_link = step.action == StepAction::link && is_after && has_copy;
  if (!is_before || is_hard_link) {
    if (!is_after) {
      return Undone::changed;
    }
    if (!has_copy) {
      return Undone::not_kept;
    }
    FITMENT_TRY_ASSIGN(const bool is_back, put_back(step));
    if (!is_back) {
      return Undone::damaged;
    }
  }
  FITMENT_TRY(journal_.end(number, StepState::undone));
  FITMENT_TRY(journal_.sync());
  return Undone::restored;
}

Status InPlaceRun::end_if_over() {
  const auto is_over = [](const JournalStep& step) {
    return step.state == StepState::undone || step.state == StepState::dropped;
  };
  const std::vector<JournalStep>& all = journal_.steps();
  return std::all_of(all.begin(), all.end(), is_over) ? journal_.remove() : Status();
}

}  // namespace fitment
