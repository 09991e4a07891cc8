// SPDX-License-Identifier: Apache-2.0
#include "slim/link_notice.h"

#include "base/files.h"
#include "slim/record_update.h"
#include "wheel/record_file.h"

#include <nlohmann/json.hpp>

#include <map>
#include <system_error>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kRecordLimit = 256U << 20U;
constexpr std::string_view kName = "fitment-links.json";

/// Symbolic links that stand in place of files, by path in the tree. Copies: the journal grows
/// while they are used.
std::map<std::string, JournalStep> standing_links(const TreeRun& run) {
  std::map<std::string, JournalStep> links;
  for (const JournalStep& step : run.steps()) {
    std::error_code error;
    if (step.action == StepAction::link && step.state == StepState::done
        && std::filesystem::is_symlink(run.root() / step.path, error)) {
      links.emplace(step.path, step);  // the first knows the original
    }
  }
  return links;
}

}  // namespace

Status write_link_notices(TreeRun& run) {
  const auto links = standing_links(run);
  if (links.empty()) {
    return {};
  }
  for (const std::string& record : find_records(run.root())) {
    const std::filesystem::path file = run.root() / record;
    const std::filesystem::path info = std::filesystem::path(record).parent_path();
    FITMENT_TRY_ASSIGN(const std::string bytes, read_file(file, kRecordLimit));
    FITMENT_TRY_ASSIGN(const std::vector<RecordEntry> entries, parse_record(bytes, file.string()));
    Json list = Json::array();
    for (const RecordEntry& entry : entries) {
      const std::string place = record_path("/" + info.parent_path().string(), entry.path);
      const auto link = place.empty() ? links.end() : links.find(place.substr(1));
      if (link == links.end()) {
        continue;
      }
      std::error_code error;
      list.push_back(
          {{"path", entry.path},
           {"to", std::filesystem::read_symlink(run.root() / link->first, error).string()},
           {"original_bytes", link->second.before_bytes},
           {"original_sha256", link->second.before_sha256}});
    }
    if (list.empty()) {
      continue;
    }
    const Json document{
        {"schema", "fitment.slim-links/1"},
        {"note", "fitment slim put links in place of these files; the copies they lead to serve"},
        {"links", std::move(list)}};
    const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    const std::string place = (info / kName).string();
    const auto there = read_file(run.root() / place);
    if (!there || *there != text) {
      FITMENT_TRY(run.rewrite(place, text));
    }
  }
  return {};
}

}  // namespace fitment
