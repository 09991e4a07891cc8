// SPDX-License-Identifier: Apache-2.0
#include "slim/undo.h"

#include "slim/record_update.h"

#include <fmt/format.h>

#include <system_error>

namespace fitment {

namespace {

/// The folder that earlier runs kept originals in; none: they kept none.
std::optional<std::filesystem::path> backup_folder(const std::vector<JournalStep>& steps) {
  for (const JournalStep& step : steps) {
    if (step.backup.ends_with("/" + step.path)) {
      return step.backup.substr(0, step.backup.size() - step.path.size() - 1);
    }
  }
  return std::nullopt;
}

bool is_added(const JournalStep& step) {
  return step.before_sha256.empty();
}

Status take_back(InPlaceRun& run, std::size_t number, UndoResult& result) {
  const std::string path = run.steps()[number].path;
  FITMENT_TRY_ASSIGN(const Undone undone, run.undo(number));
  switch (undone) {
    case Undone::restored:
      result.restored.push_back(path);
      break;
    case Undone::not_kept:
      result.not_kept.push_back(path);
      break;
    case Undone::changed:
      result.changed.push_back(path);
      break;
    case Undone::damaged:
      result.damaged.push_back(path);
      break;
  }
  return {};
}

}  // namespace

Result<UndoResult> undo_slim(const std::filesystem::path& root,
                             const std::optional<std::string>& only,
                             const StepWatch& watch) {
  std::error_code error;
  if (!std::filesystem::exists(journal_path(root), error)) {
    return fail(ErrorCode::not_found,
                fmt::format("`{}` has no journal: nothing was changed there in place",
                            root.string()))
        .hint("give the folder that was made smaller");
  }
  FITMENT_TRY_ASSIGN(const std::vector<JournalStep> known, read_journal(root));
  FITMENT_TRY_ASSIGN(
      InPlaceRun run,
      InPlaceRun::open(root, {.backup = backup_folder(known), .traces = true, .watch = watch}));
  const auto is_asked_for = [&](const std::string& path) {
    return !only || path == *only || path.starts_with(*only + "/");
  };
  UndoResult result;
  for (std::size_t i = run.steps().size(); i-- > 0;) {
    const JournalStep& step = run.steps()[i];
    if (step.state == StepState::done && !is_added(step) && is_asked_for(step.path)) {
      FITMENT_TRY(take_back(run, i, result));
    }
  }
  for (std::size_t i = run.steps().size(); !only && result.is_complete() && i-- > 0;) {
    if (run.steps()[i].state == StepState::done && is_added(run.steps()[i])) {
      FITMENT_TRY(run.undo(i));
    }
  }
  if (only) {
    FITMENT_TRY(update_records(run));
  }
  FITMENT_TRY(run.end_if_over());
  return result;
}

}  // namespace fitment
