// SPDX-License-Identifier: Apache-2.0
#include "report/image_slim.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

std::string state_of(const ImageSlimReport& report, std::size_t number) {
  const PlannedLayer& layer = report.plan.layers[number];
  if (layer.is_dropped) {
    return "dropped";
  }
  const bool is_written_again = report.written && !report.written->layers[number]->is_kept;
  return layer.is_changed ? "changed" : is_written_again ? "compressed" : "kept";
}

Json layer_json(const ImageSlimReport& report, std::size_t number) {
  const PlannedLayer& plan = report.plan.layers[number];
  const LayerDigests& before = report.survey.layers[number].digests;
  Json json{{"state", state_of(report, number)},
            {"digest", "sha256:" + before.stored_sha256},
            {"diff_id", "sha256:" + before.sha256},
            {"stored_bytes", before.stored_bytes},
            {"entries", plan.entries},
            {"dropped_entries", plan.dropped_entries},
            {"before_bytes", plan.before_bytes},
            {"after_bytes", plan.after_bytes},
            {"result", nullptr}};
  if (report.written && report.written->layers[number]) {
    const SlimmedLayer& layer = *report.written->layers[number];
    json["result"] = {{"media_type", layer.descriptor.media_type},
                      {"digest", layer.descriptor.digest},
                      {"diff_id", layer.diff_id},
                      {"stored_bytes", layer.descriptor.size},
                      {"bytes", layer.bytes}};
  }
  return json;
}

Json file_json(const SlimFile& file) {
  return {{"path", file.plan.path},
          {"class", to_string(file.kind)},
          {"action", to_string(file.action)},
          {"before_bytes", file.plan.before_bytes},
          {"after_bytes", file.plan.after_bytes},
          {"why", file.plan.why},
          {"risk", to_string(file.plan.risk)},
          {"warnings", file.plan.warnings}};
}

Json total_json(const HiddenTotal& total) {
  return {{"files", total.files}, {"bytes", total.bytes}};
}

}  // namespace

std::string image_slim_json(const ImageSlimReport& report) {
  Json document{{"schema", "fitment.image-slim/1"},
                {"image", report.image.name},
                {"output", nullptr},
                {"manifest_digest", nullptr},
                {"targets", Json::array()},
                {"keep_ptx", to_string(report.keep_ptx)},
                {"layers", Json::array()},
                {"hidden", total_json(report.plan.hidden)},
                {"hidden_shared", total_json(report.plan.shared)},
                {"whiteouts", report.plan.whiteouts},
                {"records", report.plan.records},
                {"files", Json::array()},
                {"proof", Json::array()}};
  if (report.written) {
    document["output"] = report.output.value_or("");
    document["manifest_digest"] = report.written->manifest_digest;
    document["proof"] = report.written->proof;
  }
  for (const KeepTarget& target : report.targets) {
    document["targets"].push_back(to_string(target));
  }
  for (std::size_t i = 0; i < report.plan.layers.size(); ++i) {
    document["layers"].push_back(layer_json(report, i));
  }
  for (const SlimFile& file : report.plan.files) {
    document["files"].push_back(file_json(file));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
