// SPDX-License-Identifier: Apache-2.0
#include "report/image_audit_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Json layer_json(const AuditedLayer& layer) {
  return {{"digest", layer.digest},
          {"diff_id", layer.diff_id},
          {"created_by", layer.created_by},
          {"compression", to_string(layer.compression)},
          {"stored_bytes", layer.stored_bytes},
          {"bytes", layer.bytes},
          {"files", layer.files},
          {"file_bytes", layer.file_bytes},
          {"wasted_bytes", layer.wasted_bytes},
          {"gpu_code_bytes", layer.gpu_bytes},
          {"whiteouts", layer.whiteouts}};
}

Json file_json(const WastedFile& file) {
  Json json{{"waste", to_string(file.kind)},
            {"path", file.path},
            {"layer", file.layer},
            {"other_layer", nullptr},
            {"bytes", file.bytes},
            {"copies", file.copies}};
  if (file.other_layer) {
    json["other_layer"] = *file.other_layer;
  }
  return json;
}

}  // namespace

std::string image_audit_json(const ImageAudit& audit) {
  constexpr double kTwoDigits = 100.0;
  Json document{{"schema", "fitment.image-audit/1"},
                {"image", audit.name},
                {"manifest_digest", nullptr},
                {"platform", to_string(audit.platform)},
                {"stored_bytes", audit.stored_bytes},
                {"bytes", audit.bytes},
                {"seen_files", audit.seen_files},
                {"seen_bytes", audit.seen_bytes},
                {"wasted_bytes", audit.wasted_bytes()},
                {"wasted_percent", std::round(audit.wasted_percent() * kTwoDigits) / kTwoDigits},
                {"targets", Json::array()},
                {"layers", Json::array()},
                {"waste", Json::array()},
                {"gpu_code", Json::array()},
                {"files", Json::array()}};
  if (!audit.manifest_digest.empty()) {
    document["manifest_digest"] = audit.manifest_digest;
  }
  for (const KeepTarget& target : audit.targets) {
    document["targets"].push_back(to_string(target));
  }
  for (const AuditedLayer& layer : audit.layers) {
    document["layers"].push_back(layer_json(layer));
  }
  for (const WasteTotal& total : audit.waste) {
    document["waste"].push_back({{"waste", to_string(total.kind)},
                                 {"files", total.files},
                                 {"bytes", total.bytes},
                                 {"stored_bytes", total.stored_bytes},
                                 {"fix", fix_of(total.kind)}});
  }
  for (const TargetTotal& total : audit.gpu_code) {
    Json code{{"kind", to_string(total.kind)},
              {"target", total.target},
              {"entries", total.entries},
              {"stored_bytes", nullptr}};
    if (total.stored_bytes) {
      code["stored_bytes"] = *total.stored_bytes;
    }
    document["gpu_code"].push_back(std::move(code));
  }
  for (const WastedFile& file : audit.files) {
    document["files"].push_back(file_json(file));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
