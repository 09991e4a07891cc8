// SPDX-License-Identifier: Apache-2.0
#include "report/slim_json.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Json bytes_or_null(const std::optional<std::uint64_t>& bytes) {
  return bytes ? Json(*bytes) : Json(nullptr);
}

Json targets_json(const std::vector<SlicedTarget>& targets) {
  Json list = Json::array();
  for (const SlicedTarget& target : targets) {
    list.push_back({{"kind", to_string(target.kind)},
                    {"target", target.target},
                    {"entries_before", target.entries_before},
                    {"entries_after", target.entries_after},
                    {"before_bytes", bytes_or_null(target.bytes_before)},
                    {"after_bytes", bytes_or_null(target.bytes_after)}});
  }
  return list;
}

Json file_json(const SlimFile& file) {
  const SlicePlan& plan = file.plan;
  Json json{{"path", plan.path},
            {"class", to_string(file.kind)},
            {"action", to_string(file.action)},
            {"before_bytes", plan.before_bytes},
            {"after_bytes", plan.after_bytes},
            {"why", plan.why},
            {"risk", to_string(plan.risk)},
            {"warnings", plan.warnings},
            {"containers", plan.containers},
            {"stubs", plan.stubs},
            {"recompressed", plan.recompressed},
            {"holes", plan.holes},
            {"holes_left", plan.holes_left},
            {"debug_bytes", plan.debug_bytes},
            {"targets", targets_json(plan.targets)},
            {"proof", file.proof}};
  if (!file.link_to.empty()) {
    json["link_to"] = file.link_to;
    json["hard_link"] = file.is_hard_link;
  }
  return json;
}

}  // namespace

std::string slim_json(const SlimRun& run) {
  Json document{{"schema", "fitment.slim/1"},
                {"applied", run.is_applied},
                {"targets", Json::array()},
                {"keep_ptx", to_string(run.keep_ptx)},
                {"before_bytes", run.before_bytes()},
                {"after_bytes", run.after_bytes()},
                {"classes", Json::array()},
                {"records", run.records},
                {"proof", run.proof},
                {"losses", run.losses},
                {"files", Json::array()}};
  for (const KeepTarget& target : run.targets) {
    document["targets"].push_back(to_string(target));
  }
  for (const auto& [kind, sum] : run.by_class()) {
    document["classes"].push_back({{"class", to_string(kind)},
                                   {"files", sum.files},
                                   {"before_bytes", sum.before_bytes},
                                   {"after_bytes", sum.after_bytes}});
  }
  for (const SlimFile& file : run.files) {
    document["files"].push_back(file_json(file));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string slim_undo_json(const UndoResult& result) {
  const Json document{{"schema", "fitment.slim-undo/1"},
                      {"restored", result.restored},
                      {"not_kept", result.not_kept},
                      {"changed", result.changed},
                      {"damaged", result.damaged}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
