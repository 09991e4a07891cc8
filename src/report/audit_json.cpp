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

std::string hex(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json functions_json(const std::vector<X86FunctionNeeds>& functions) {
  Json list = Json::array();
  for (const X86FunctionNeeds& one : functions) {
    list.push_back({{"function", one.function},
                    {"address", hex(one.address)},
                    {"bytes", one.size},
                    {"level", to_string(level_of(one.features))},
                    {"features", to_string(one.features)},
                    {"unguarded", to_string(one.unguarded)},
                    {"reach", one.is_data ? "data" : to_string(one.reach)},
                    {"why", one.why},
                    {"from", text_or_null(one.from)},
                    {"first", hex(one.first)},
                    {"mnemonic", one.mnemonic}});
  }
  return list;
}

Json functions_json(const std::vector<ArmFunctionNeeds>& functions) {
  Json list = Json::array();
  for (const ArmFunctionNeeds& one : functions) {
    list.push_back({{"function", one.function},
                    {"address", hex(one.address)},
                    {"bytes", one.size},
                    {"features", to_string(one.features)},
                    {"reach", one.is_chosen ? "guarded" : "direct"},
                    {"why", text_or_null(one.why)},
                    {"first", hex(one.first)}});
  }
  return list;
}

Json counts_json(const ReachCounts& counts) {
  return {{"guarded", counts.guarded},
          {"pointer", counts.pointer},
          {"unreferenced", counts.unreferenced},
          {"direct", counts.direct},
          {"data", counts.data}};
}

Json cpu_json(const ArmVerdict& cpu) {
  Json json{{"built_for", to_string(cpu.built_for)},
            {"extras", to_string(cpu.extras)},
            {"evidence", Json::array()},
            {"dispatched", Json::array()}};
  for (const ArmEvidence& evidence : cpu.evidence) {
    json["evidence"].push_back({{"function", evidence.function},
                                {"address", hex(evidence.address)},
                                {"features", to_string(evidence.feature)}});
  }
  if (cpu.chosen_functions != 0) {
    json["dispatched"].push_back(
        {{"functions", cpu.chosen_functions}, {"features", to_string(cpu.dispatched)}});
  }
  if (cpu.listed) {
    json["functions"] = functions_json(*cpu.listed);
  }
  return json;
}

Json cpu_json(const X86Verdict& cpu) {
  Json json{{"built_for", to_string(cpu.built_for)},
            {"extras", to_string(cpu.extras)},
            {"evidence", Json::array()},
            {"exceptions", Json::array()},
            {"dispatched", Json::array()},
            {"exceeds_its_name", Json::array()},
            {"text_bytes", cpu.text_bytes},
            {"functions_of_v3_and_above", counts_json(cpu.v3_functions)}};
  for (const InstructionEvidence& evidence : cpu.evidence) {
    json["evidence"].push_back(evidence_json(evidence));
  }
  for (const InstructionEvidence& evidence : cpu.exceptions) {
    json["exceptions"].push_back(evidence_json(evidence));
  }
  for (const BrokenPromise& broken : cpu.broken_promises) {
    json["exceeds_its_name"].push_back({{"function", broken.function},
                                        {"address", hex(broken.address)},
                                        {"named_for", broken.promise},
                                        {"beyond", to_string(broken.beyond)},
                                        {"evidence", evidence_json(broken.evidence)}});
  }
  for (const DispatchedLevel& level : cpu.dispatched) {
    json["dispatched"].push_back({{"level", to_string(level.level)},
                                  {"functions", level.functions},
                                  {"features", to_string(level.features)},
                                  {"example", evidence_json(level.example)}});
  }
  if (cpu.listed) {
    json["functions"] = functions_json(*cpu.listed);
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
            {"wheel", file.wheel.empty() ? Json(nullptr) : Json(file.wheel)},
            {"member", file.member.empty() ? Json(nullptr) : Json(file.member)},
            {"kind", to_string(file.kind)},
            {"machine", file.machine.empty() ? Json(nullptr) : Json(file.machine)},
            {"bytes", file.bytes}};
  json["soname"] = or_null(file.soname);
  json["needed"] = file.needed;
  json["needed_versions"] = Json::array();
  for (const VersionsOfLibrary& library : file.versions) {
    json["needed_versions"].push_back(
        {{"library", library.library}, {"versions", library.versions}});
  }
  json["rpath"] = or_null(file.rpath);
  json["runpath"] = or_null(file.runpath);
  json["glibc_floor"] =
      file.glibc_floor ? Json(to_string(file.glibc_floor->version)) : Json(nullptr);
  json["build_id"] = or_null(file.build_id);
  json["cpu"] = file.cpu       ? cpu_json(*file.cpu)
                : file.arm_cpu ? cpu_json(*file.arm_cpu)
                               : Json(nullptr);
  json["gpu_code"] = gpu_json(
      file.gpu.containers.size(), file.gpu.entry_count(), file.gpu.malformed.size(), file.targets);
  json["remark"] = file.remark.empty() ? Json(nullptr) : Json(file.remark);
  return json;
}

/// What a loader would load for one file, in its order.
Json closure_json(const Closure& closure) {
  if (closure.entries.empty()) {
    return nullptr;
  }
  Json json{{"objects", Json::array()}, {"missing", Json::array()}, {"failed", nullptr}};
  for (const ClosureObject& object : closure.objects) {
    json["objects"].push_back({{"name", object.name()},
                               {"path", object.path},
                               {"found_by", to_string(object.found_by)},
                               {"how", object.how},
                               {"needed", object.dynamic.needed}});
  }
  for (const MissingLibrary& library : closure.missing) {
    Json searched = Json::array();
    for (const SearchedPlace& place : library.searched) {
      searched.push_back(place.text);
    }
    json["missing"].push_back({{"name", library.name},
                               {"needed_by", closure.objects[library.needed_by].path},
                               {"comes_with_driver", comes_with_driver(library.name)},
                               {"searched", std::move(searched)}});
  }
  if (!closure.failed.empty()) {
    json["failed"] = closure.failed.front().why;
  }
  return json;
}

Json wheel_json(const AuditedWheel& wheel) {
  const PlatformClaim& claim = wheel.claim;
  Json floor = nullptr;
  if (claim.floor) {
    floor = {{"version", to_string(claim.floor->version)},
             {"symbol_version", claim.floor->name},
             {"member", claim.floor_member}};
  }
  return {{"path", wheel.path},
          {"name", wheel.name.distribution},
          {"version", to_string(wheel.name.version)},
          {"bytes", wheel.bytes},
          {"unpacked_bytes", wheel.unpacked_bytes},
          {"members", wheel.members},
          {"binaries", wheel.file_count},
          {"unread", wheel.unread},
          {"platform_tags", claim.tags},
          {"glibc_floor", std::move(floor)},
          {"satisfied_tag", or_null(claim.satisfied)},
          {"claim_holds", or_null(wheel.claim_holds())},
          {"problems", claim.problems}};
}

Json failed_json(const FailedInput& failed) {
  const std::optional<Origin>& origin = failed.error.origin();
  return {{"path", failed.path.empty() ? Json(nullptr) : Json(failed.path)},
          {"message", failed.error.message()},
          {"offset", origin ? or_null(origin->offset) : Json(nullptr)}};
}

}  // namespace

std::string audit_json(const AuditReport& report) {
  const std::vector<AuditedFile>& files = report.audit.files;
  Json document{{"schema", "fitment.audit/1"}, {"files", Json::array()}};
  std::vector<std::vector<TargetTotal>> all;
  std::uint64_t containers = 0;
  std::uint64_t entries = 0;
  std::uint64_t malformed = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const AuditedFile& file = files[i];
    document["files"].push_back(file_json(file));
    if (!report.closures.empty()) {
      document["files"].back()["closure"] = closure_json(report.closures[i]);
    }
    all.push_back(file.targets);
    containers += file.gpu.containers.size();
    entries += file.gpu.entry_count();
    malformed += file.gpu.malformed.size();
    bytes += file.bytes;
  }
  document["wheels"] = Json::array();
  for (const AuditedWheel& wheel : report.audit.wheels) {
    document["wheels"].push_back(wheel_json(wheel));
  }
  document["failed_gates"] = Json::array();
  for (const GateFailure& failure : report.failures) {
    document["failed_gates"].push_back(
        {{"rule", failure.rule}, {"path", failure.path}, {"what", failure.what}});
  }
  document["unread"] = Json::array();
  for (const FailedInput& failed : report.audit.failed) {
    document["unread"].push_back(failed_json(failed));
  }
  document["totals"] = {{"files", files.size()},
                        {"wheels", report.audit.wheels.size()},
                        {"bytes", bytes},
                        {"gpu_code", gpu_json(containers, entries, malformed, merge_totals(all))}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
