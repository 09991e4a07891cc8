// SPDX-License-Identifier: Apache-2.0
#include "slim/record_update.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/text.h"
#include "wheel/record_file.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace fitment {

namespace {

constexpr std::uint64_t kRecordLimit = 256U << 20U;
constexpr std::string_view kInfo = ".dist-info";

/// The folder of a path in the tree; empty: the tree itself.
std::string parent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

RecordEntry entry_of(std::string path, const FileContent& content) {
  return {std::move(path), "sha256", record_digest(content.sha256), content.bytes};
}

/// Whether the path still is as a step left it, as far as its size tells.
bool is_as_left(const std::filesystem::path& file, const std::optional<FileContent>& content) {
  std::error_code error;
  if (!content) {
    return std::filesystem::symlink_status(file, error).type()
           == std::filesystem::file_type::not_found;
  }
  return std::filesystem::is_regular_file(file, error)
         && std::filesystem::file_size(file, error) == content->bytes;
}

/// What a step left at a path, as RECORD tells it; for a symbolic link, what is where it leads, of
/// which a slice is known already.
Result<std::optional<FileContent>> content_after(const TreeRun& run,
                                                 const JournalStep& step,
                                                 const ChangedFiles& slices) {
  if (step.after_sha256.empty()) {
    return std::nullopt;
  }
  std::error_code error;
  const std::filesystem::path file = run.root() / step.path;
  if (step.action != StepAction::link || !std::filesystem::is_symlink(file, error)) {
    return FileContent{step.after_bytes, step.after_sha256};
  }
  const std::filesystem::path real = std::filesystem::canonical(file, error);
  if (error) {
    return std::nullopt;
  }
  const auto slice = slices.find(real.lexically_relative(run.root()).string());
  return slice != slices.end() && is_as_left(real, slice->second) ? slice->second
                                                                  : read_content(real);
}

/// The text of a RECORD before this tree was changed, when a copy was kept and nobody else wrote
/// the RECORD since: lines that went come back from there.
std::optional<std::string> original_record(const TreeRun& run,
                                           const std::string& path,
                                           std::string_view now) {
  const JournalStep* first = nullptr;
  const JournalStep* last = nullptr;
  for (const JournalStep& step : run.steps()) {
    if (step.path == path && step.state == StepState::done) {
      first = first == nullptr ? &step : first;
      last = &step;
    }
  }
  if (first == nullptr || first->backup.empty() || sha256_hex(now) != last->after_sha256) {
    return std::nullopt;
  }
  auto text = read_file(first->backup, kRecordLimit);
  return text && sha256_hex(*text) == first->before_sha256 ? std::optional(std::move(*text))
                                                           : std::nullopt;
}

}  // namespace

Result<std::optional<std::string>> update_record(std::string_view bytes,
                                                 const std::string& source,
                                                 const std::string& record,
                                                 const ChangedFiles& changed) {
  FITMENT_TRY_ASSIGN(std::vector<RecordEntry> entries, parse_record(bytes, source));
  const std::string info = parent(record);
  const std::string folder = "/" + parent(info);
  bool has_news = false;
  std::set<std::string, std::less<>> listed;
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
    listed.insert(found->first);
    if (!found->second) {
      has_news = true;
      continue;
    }
    RecordEntry now = entry_of(entry.path, *found->second);
    has_news = has_news || now != entry;
    kept.push_back(std::move(now));
  }
  for (auto added = changed.lower_bound(info + "/");
       added != changed.end() && added->first.starts_with(info + "/");
       ++added) {
    if (added->second && listed.insert(added->first).second) {
      const std::size_t site = folder.size() > 1 ? folder.size() : 0;
      kept.push_back(entry_of(added->first.substr(site), *added->second));
      has_news = true;
    }
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

Result<std::vector<std::string>> update_records(TreeRun& run) {
  std::vector<std::string> rewritten;
  const std::vector<std::string> records = find_records(run.root());
  if (records.empty()) {
    return rewritten;
  }
  ChangedFiles changed;
  ChangedFiles slices;
  for (const JournalStep& step : run.steps()) {
    const bool counts = !step.path.ends_with("/RECORD") && step.path != "RECORD";
    if (counts && step.state == StepState::done) {
      FITMENT_TRY_ASSIGN(changed[step.path], content_after(run, step, slices));
      if (step.action == StepAction::slice) {
        slices[step.path] = changed[step.path];
      }
    } else if (counts && step.state == StepState::undone) {
      changed[step.path] = step.before_sha256.empty()
                               ? std::nullopt
                               : std::optional(FileContent{step.before_bytes, step.before_sha256});
    }
  }
  std::erase_if(changed,
                [&](const auto& one) { return !is_as_left(run.root() / one.first, one.second); });
  if (changed.empty()) {
    return rewritten;
  }
  for (const std::string& path : records) {
    const std::filesystem::path file = run.root() / path;
    FITMENT_TRY_ASSIGN(const std::string bytes, read_file(file, kRecordLimit));
    const std::string original = original_record(run, path, bytes).value_or(bytes);
    FITMENT_TRY_ASSIGN(const auto updated, update_record(original, file.string(), path, changed));
    if (const std::string& text = updated ? *updated : original; text != bytes) {
      FITMENT_TRY(run.rewrite(path, text));
      rewritten.push_back(path);
    }
  }
  return rewritten;
}

}  // namespace fitment
