// SPDX-License-Identifier: Apache-2.0
#include "slim/record_update.h"

#include "base/files.h"
#include "base/text.h"
#include "wheel/record_file.h"

#include <algorithm>
#include <system_error>

namespace fitment {

namespace {

constexpr std::uint64_t kRecordLimit = 256U << 20U;
constexpr std::string_view kInfo = ".dist-info";

}  // namespace

Result<std::optional<std::string>> update_record(std::string_view bytes,
                                                 const std::string& source,
                                                 std::string_view site,
                                                 const ChangedFiles& changed) {
  FITMENT_TRY_ASSIGN(std::vector<RecordEntry> entries, parse_record(bytes, source));
  const std::string folder = "/" + std::string(site);
  bool has_news = false;
  std::vector<RecordEntry> kept;
  kept.reserve(entries.size());
  for (RecordEntry& entry : entries) {
    const std::string path = record_path(folder, entry.path);
    const auto found =
        path.empty() ? changed.end() : changed.find(std::string_view(path).substr(1));
    if (found == changed.end()) {
      kept.push_back(std::move(entry));
      continue;
    }
    if (!found->second) {
      has_news = true;
      continue;
    }
    const std::string digest = record_digest(found->second->sha256);
    if (entry.algorithm != "sha256" || entry.digest != digest
        || entry.size != found->second->bytes) {
      has_news = true;
      entry.algorithm = "sha256";
      entry.digest = digest;
      entry.size = found->second->bytes;
    }
    kept.push_back(std::move(entry));
  }
  return has_news ? std::optional(write_record(kept)) : std::nullopt;
}

std::vector<std::string> find_records(const std::filesystem::path& root) {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(
      root, std::filesystem::directory_options::skip_permission_denied, error);
  for (; !error && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    std::error_code ignored;
    if (path.filename() == "RECORD" && path.parent_path().filename().string().ends_with(kInfo)
        && std::filesystem::is_regular_file(entry->symlink_status(ignored))) {
      found.push_back(path.lexically_relative(root).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::vector<std::string>> update_records(InPlaceRun& run) {
  ChangedFiles changed;
  for (const JournalStep& step : run.steps()) {
    if (step.state == StepState::done && step.action != StepAction::record) {
      changed[step.path] = step.after_sha256.empty()
                               ? std::nullopt
                               : std::optional(FileContent{step.after_bytes, step.after_sha256});
    } else if (step.state == StepState::undone) {
      changed[step.path] = FileContent{step.before_bytes, step.before_sha256};
    }
  }
  // The size tells most files that somebody else changed since.
  std::erase_if(changed, [&](const auto& one) {
    std::error_code error;
    const std::filesystem::path file = run.root() / one.first;
    const auto status = std::filesystem::symlink_status(file, error);
    const bool is_there = std::filesystem::is_regular_file(status);
    return one.second ? !is_there || std::filesystem::file_size(file, error) != one.second->bytes
                      : status.type() != std::filesystem::file_type::not_found;
  });
  std::vector<std::string> rewritten;
  if (changed.empty()) {
    return rewritten;
  }
  for (const std::string& path : find_records(run.root())) {
    const std::filesystem::path file = run.root() / path;
    FITMENT_TRY_ASSIGN(const std::string bytes, read_file(file, kRecordLimit));
    const std::string site =
        std::filesystem::path(path).parent_path().parent_path().generic_string();
    FITMENT_TRY_ASSIGN(const auto text, update_record(bytes, file.string(), site, changed));
    if (text) {
      FITMENT_TRY(run.rewrite(path, *text));
      rewritten.push_back(path);
    }
  }
  return rewritten;
}

}  // namespace fitment
