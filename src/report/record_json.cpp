// SPDX-License-Identifier: Apache-2.0
#include "report/record_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

std::string print(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json null_or(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json null_or(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}

template <typename Version>
Json version_json(const Version& version) {
  return version ? Json(to_string(*version)) : Json(nullptr);
}

Json frozen_json(const FrozenPackage& package) {
  Json properties = Json::array();
  for (const VariantProperty& property : package.properties) {
    properties.push_back(to_string(property));
  }
  return {{"name", package.name},
          {"version", package.version},
          {"backend", null_or(package.backend)},
          {"variant", null_or(package.variant)},
          {"properties", std::move(properties)},
          {"url", null_or(package.url)},
          {"index", null_or(package.index)},
          {"editable", package.is_editable},
          {"installer", null_or(package.installer)},
          {"driver_floor", version_json(package.driver_floor)}};
}

Json system_json(const Machine& machine) {
  Json toolkits = Json::array();
  for (const Toolkit& toolkit : machine.toolkits.value_or({})) {
    toolkits.push_back(
        {{"kind", toolkit.kind}, {"version", to_string(toolkit.version)}, {"root", toolkit.root}});
  }
  const auto& nvidia = machine.drivers.nvidia.driver;
  return {{"driver", version_json(nvidia.version)},
          {"cuda_api", version_json(nvidia.cuda_api)},
          {"toolkits", std::move(toolkits)}};
}

}  // namespace

std::string hold_json(const std::vector<HoldReport>& reports) {
  Json document{{"schema", "fitment.lock-check/1"},
                {"holds",
                 std::all_of(reports.begin(),
                             reports.end(),
                             [](const HoldReport& report) { return report.holds(); })},
                {"targets", Json::array()}};
  for (const HoldReport& report : reports) {
    Json findings = Json::array();
    for (const HoldFinding& finding : report.findings) {
      findings.push_back({{"weight", to_string(finding.weight)},
                          {"rule", finding.rule},
                          {"package", null_or(finding.package)},
                          {"what", finding.what},
                          {"before", null_or(finding.before)},
                          {"after", null_or(finding.after)},
                          {"text", finding.text}});
    }
    document["targets"].push_back(
        {{"name", report.target}, {"holds", report.holds()}, {"findings", std::move(findings)}});
  }
  return print(document);
}

std::string changes_json(const std::string& before,
                         const std::string& after,
                         const std::vector<RecordChange>& changes) {
  Json document{{"schema", "fitment.record-diff/1"},
                {"before", before},
                {"after", after},
                {"changes", Json::array()}};
  for (const RecordChange& change : changes) {
    document["changes"].push_back({{"kind", to_string(change.kind)},
                                   {"target", null_or(change.target)},
                                   {"package", null_or(change.package)},
                                   {"what", change.what},
                                   {"before", null_or(change.before)},
                                   {"after", null_or(change.after)}});
  }
  return print(document);
}

std::string freeze_json(const std::vector<FrozenEnvironment>& environments,
                        const Machine& machine) {
  Json document{{"schema", "fitment.freeze/1"},
                {"system", system_json(machine)},
                {"environments", Json::array()}};
  for (const FrozenEnvironment& environment : environments) {
    Json packages = Json::array();
    for (const FrozenPackage& package : environment.packages) {
      packages.push_back(frozen_json(package));
    }
    document["environments"].push_back({{"path", environment.path},
                                        {"python", null_or(environment.python)},
                                        {"driver_floor", version_json(environment.driver_floor)},
                                        {"driver_floor_of", null_or(environment.floor_of)},
                                        {"packages", std::move(packages)},
                                        {"problems", environment.problems}});
  }
  return print(document);
}

}  // namespace fitment
