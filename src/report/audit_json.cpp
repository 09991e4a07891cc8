// SPDX-License-Identifier: Apache-2.0
#include "report/audit_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json targets_json(const std::vector<TargetTotal>& totals) {
  Json list = Json::array();
  for (const TargetTotal& total : totals) {
    list.push_back({{"kind", to_string(total.kind)},
                    {"target", total.target},
                    {"entries", total.entries},
                    {"stored_bytes", or_null(total.stored_bytes)},
                    {"inflated_bytes", or_null(total.inflated_bytes)},
                    {"compression", total.compression_text()}});
  }
  return list;
}

Json evidence_json(const InstructionEvidence& evidence) {
  return {{"function", evidence.function},
          {"address", fmt::format("{:#x}", evidence.address)},
          {"mnemonic", evidence.mnemonic},
          {"features", to_string(evidence.features)},
          {"proven_by", evidence.proven_by.empty() ? Json(nullptr) : Json(evidence.proven_by)}};
}

Json cpu_json(const X86Verdict& cpu) {
  Json json{{"built_for", to_string(cpu.built_for)},
            {"extras", to_string(cpu.extras)},
            {"evidence", Json::array()},
            {"dispatched", Json::array()}};
  for (const InstructionEvidence& evidence : cpu.evidence) {
    json["evidence"].push_back(evidence_json(evidence));
  }
  for (const DispatchedLevel& level : cpu.dispatched) {
    json["dispatched"].push_back({{"level", to_string(level.level)},
                                  {"functions", level.functions},
                                  {"features", to_string(level.features)},
                                  {"example", evidence_json(level.example)}});
  }
  return json;
}

Json gpu_json(std::uint64_t containers,
              std::uint64_t entries,
              std::uint64_t malformed,
              const std::vector<TargetTotal>& totals) {
  return {{"containers", containers},
          {"entries", entries},
          {"malformed", malformed},
          {"targets", targets_json(totals)}};
}

Json file_json(const AuditedFile& file) {
  Json json{{"path", file.path},
            {"kind", to_string(file.kind)},
            {"machine", file.machine.empty() ? Json(nullptr) : Json(file.machine)},
            {"bytes", file.bytes}};
  json["soname"] = or_null(file.soname);
  json["needed"] = file.needed;
  json["rpath"] = or_null(file.rpath);
  json["runpath"] = or_null(file.runpath);
  json["glibc_floor"] =
      file.glibc_floor ? Json(to_string(file.glibc_floor->version)) : Json(nullptr);
  json["build_id"] = or_null(file.build_id);
  json["cpu"] = file.cpu ? cpu_json(*file.cpu) : Json(nullptr);
  json["gpu_code"] = gpu_json(
      file.gpu.containers.size(), file.gpu.entry_count(), file.gpu.malformed.size(), file.targets);
  json["remark"] = file.remark.empty() ? Json(nullptr) : Json(file.remark);
  return json;
}

}  // namespace

std::string audit_json(const std::vector<AuditedFile>& files) {
  Json document{{"schema", "fitment.audit/1"}, {"files", Json::array()}};
  std::vector<std::vector<TargetTotal>> all;
  std::uint64_t containers = 0;
  std::uint64_t entries = 0;
  std::uint64_t malformed = 0;
  std::uint64_t bytes = 0;
  for (const AuditedFile& file : files) {
    document["files"].push_back(file_json(file));
    all.push_back(file.targets);
    containers += file.gpu.containers.size();
    entries += file.gpu.entry_count();
    malformed += file.gpu.malformed.size();
    bytes += file.bytes;
  }
  document["totals"] = {{"files", files.size()},
                        {"bytes", bytes},
                        {"gpu_code", gpu_json(containers, entries, malformed, merge_totals(all))}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
