// SPDX-License-Identifier: Apache-2.0
#include "report/doctor_json.h"

#include "base/digest.h"
#include "machine/machine_file.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const Finding& finding) {
  return {{"rule", finding.rule},
          {"severity", to_string(finding.severity)},
          {"subject", finding.subject},
          {"cause", finding.cause},
          {"evidence", finding.evidence},
          {"fix", {{"text", finding.fix.text}, {"commands", finding.fix.commands}}}};
}

Json owner_json(const std::string& owner) {
  return owner.empty() ? Json(nullptr) : Json(owner);
}

Json library_json(const ReachableLibrary& library) {
  Json copies = Json::array();
  for (const ReachableLibrary::Copy& copy : library.copies) {
    copies.push_back(
        {{"path", copy.path}, {"found_by", copy.found_by}, {"owner", owner_json(copy.owner)}});
  }
  return {{"soname", library.soname},
          {"path", library.path},
          {"found_by", library.found_by},
          {"how", library.how},
          {"owner", owner_json(library.owner)},
          {"copies", std::move(copies)}};
}

Json environment_json(const EnvironmentDiagnosis& diagnosis) {
  const PythonEnvironment& environment = diagnosis.environment;
  Json json{{"prefix", environment.prefix},
            {"kind", to_string(environment.kind)},
            {"python", nullptr},
            {"verdict", to_string(diagnosis.health)},
            {"sites", environment.sites},
            {"distributions", diagnosis.distributions},
            {"binaries", diagnosis.binaries},
            {"unknowns", diagnosis.unknowns},
            {"libraries", Json::array()}};
  if (environment.python_version) {
    json["python"] = *environment.python_version;
  }
  for (const ReachableLibrary& library : diagnosis.libraries) {
    json["libraries"].push_back(library_json(library));
  }
  return json;
}

}  // namespace

std::string doctor_json(const std::vector<EnvironmentDiagnosis>& diagnoses,
                        const Machine& machine,
                        const std::string& root) {
  Json document{
      {"schema", "fitment.doctor/1"},
      {"verdict", to_string(worst_health(diagnoses))},
      {"root", root},
      {"machine",
       {{"name", machine.name}, {"digest", "sha256:" + sha256_hex(canonical_facts(machine))}}},
      {"findings", Json::array()},
      {"environments", Json::array()}};
  for (const EnvironmentDiagnosis& diagnosis : diagnoses) {
    for (const Finding& finding : diagnosis.findings) {
      Json json = finding_json(finding);
      json["environment"] = diagnosis.environment.prefix;
      document["findings"].push_back(std::move(json));
    }
    document["environments"].push_back(environment_json(diagnosis));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
