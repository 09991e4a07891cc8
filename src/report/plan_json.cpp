// SPDX-License-Identifier: Apache-2.0
#include "report/plan_json.h"

#include "base/digest.h"
#include "choose/policy.h"
#include "machine/machine_file.h"
#include "report/install_commands.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "fitment.plan/1";

Json optional_text(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json optional_bytes(const std::optional<std::uint64_t>& bytes) {
  return bytes ? Json(*bytes) : Json(nullptr);
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    list.push_back({{"id", warning.id}, {"text", warning.text}});
  }
  return list;
}

Json reasons_json(const std::vector<Reason>& reasons) {
  Json list = Json::array();
  for (const Reason& reason : reasons) {
    list.push_back({{"rule", reason.rule},
                    {"verdict", to_string(reason.verdict)},
                    {"fact", reason.fact},
                    {"found", reason.found},
                    {"required", reason.required},
                    {"hint", optional_text(reason.hint)}});
  }
  return list;
}

Json choice_json(const ChosenBuild& choice, Verdict verdict) {
  return {{"name", choice.name},
          {"version", to_string(choice.version)},
          {"backend", choice.backend},
          {"variant", nullptr},
          {"verdict", to_string(verdict)},
          {"requirement", choice.requirement},
          {"extras", choice.extras},
          {"index", optional_text(choice.index)},
          {"tags", choice.tags},
          {"url", nullptr},
          {"sha256", nullptr},
          {"size", optional_bytes(choice.size_bytes)},
          {"total_size", optional_bytes(choice.total_bytes)},
          {"source", optional_text(choice.source)}};
}

Json candidate_json(const Candidate& candidate) {
  return {{"version", to_string(candidate.version)},
          {"backend", candidate.backend.text},
          {"verdict", to_string(candidate.verdict)},
          {"reasons", reasons_json(candidate.reasons)},
          {"warnings", warnings_json(candidate.warnings)}};
}

std::string_view kind_text(WayOut::Kind kind) {
  switch (kind) {
    case WayOut::Kind::version:
      return "version";
    case WayOut::Kind::driver:
      return "driver";
    case WayOut::Kind::fact:
      return "fact";
    case WayOut::Kind::gpu:
      return "gpu";
    case WayOut::Kind::policy:
      return "policy";
  }
  return "fact";
}

Json way_json(const WayOut& way) {
  return {{"kind", kind_text(way.kind)},
          {"version", way.version},
          {"backend", way.backend},
          {"text", way.text}};
}

Json package_json(const PackagePlan& package) {
  Json json{{"request", package.request}};
  json["choice"] =
      package.choice ? choice_json(*package.choice, package.choice_verdict) : Json(nullptr);
  json["why"] = package.why;
  json["warnings"] = warnings_json(package.warnings);
  json["nearest"] = package.ways_out.empty() ? Json(nullptr) : way_json(package.ways_out.front());
  json["ways_out"] = Json::array();
  for (const WayOut& way : package.ways_out) {
    json["ways_out"].push_back(way_json(way));
  }
  json["candidates"] = Json::array();
  for (const Candidate& candidate : package.candidates) {
    json["candidates"].push_back(candidate_json(candidate));
  }
  return json;
}

Json machine_json(const Machine& machine) {
  Json overrides = Json::array();
  for (const MachineOverride& set : machine.overrides) {
    overrides.push_back({{"name", set.name}, {"value", set.value}});
  }
  return {{"name", machine.name},
          {"digest", "sha256:" + sha256_hex(canonical_facts(machine))},
          {"overrides", overrides}};
}

Json policy_json(const ChoosePolicy& policy) {
  return {{"backend", policy.backend ? Json(*policy.backend) : Json(nullptr)},
          {"gpu", policy.gpu ? Json(to_string(*policy.gpu)) : Json(nullptr)},
          {"allow_cpu", policy.allow_cpu},
          {"allow_unsure", policy.allow_unsure},
          {"prefer", to_string(policy.prefer)}};
}

Json commands_json(const Plan& plan) {
  const InstallCommands commands = install_commands(plan);
  return {{"pip", commands.pip},
          {"uv", commands.uv},
          {"conda", commands.conda},
          {"pixi", commands.pixi},
          {"dockerfile", commands.dockerfile},
          {"tool_uv", optional_text(commands.tool_uv)}};
}

/// What a package warns of that is not only its own: each once for the plan.
Json plan_warnings(const Plan& plan) {
  std::vector<Warning> warnings;
  for (const PackagePlan& package : plan.packages) {
    for (const Warning& warning : package.warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
        warnings.push_back(warning);
      }
    }
  }
  return warnings_json(warnings);
}

Json one_plan(const Plan& plan) {
  Json json = Json::object();
  json["machine"] = machine_json(*plan.machines.front());
  if (plan.machines.size() > 1) {
    json["machines"] = Json::array();
    for (const Machine* machine : plan.machines) {
      json["machines"].push_back(machine_json(*machine));
    }
  }
  json["fits"] = plan.fits();
  json["packages"] = Json::array();
  for (const PackagePlan& package : plan.packages) {
    json["packages"].push_back(package_json(package));
  }
  json["outside"] = plan.outside;
  json["commands"] = commands_json(plan);
  json["warnings"] = plan_warnings(plan);
  return json;
}

}  // namespace

std::string plan_json(const std::vector<Plan>& plans,
                      const ChoosePolicy& policy,
                      const std::string& catalog_digest) {
  Json document{{"schema", kSchema},
                {"policy", policy_json(policy)},
                {"catalog", {{"digest", "sha256:" + catalog_digest}}}};
  if (plans.size() == 1) {
    document.update(one_plan(plans.front()));
  } else {
    document["plans"] = Json::array();
    for (const Plan& plan : plans) {
      document["plans"].push_back(one_plan(plan));
    }
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
