// SPDX-License-Identifier: Apache-2.0
#include "choose/policy.h"
#include "machine/machine_file.h"
#include "record/record_file.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json null_or(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json null_or_text(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json file_json(const std::optional<RecordedFile>& file) {
  if (!file) {
    return nullptr;
  }
  return {{"name", file->name},
          {"url", file->url},
          {"size", null_or(file->size)},
          {"sha256", null_or(file->sha256)},
          {"derived_from", null_or(file->derived_from)}};
}

Json package_json(const RecordedPackage& package) {
  Json properties = Json::array();
  for (const VariantProperty& property : package.properties) {
    properties.push_back(to_string(property));
  }
  Json warnings = Json::array();
  for (const Warning& warning : package.warnings) {
    warnings.push_back({{"id", warning.id}, {"text", warning.text}});
  }
  return {
      {"name", package.name},
      {"request", package.request},
      {"version", package.version},
      {"backend", null_or_text(package.backend)},
      {"variant", null_or(package.variant)},
      {"properties", std::move(properties)},
      {"variants_json",
       package.metadata ? Json::parse(write_variant_metadata(*package.metadata)) : Json(nullptr)},
      {"requirement", package.requirement},
      {"extras", package.extras},
      {"index", package.index},
      {"file", file_json(package.file)},
      {"verdict", to_string(package.verdict)},
      {"why", package.why},
      {"warnings", std::move(warnings)}};
}

Json dependency_json(const RecordedDependency& dependency) {
  return {{"name", dependency.name},
          {"version", dependency.version},
          {"index", null_or_text(dependency.index)},
          {"file", file_json(dependency.file)}};
}

Json target_json(const RecordedTarget& target) {
  Json packages = Json::array();
  for (const RecordedPackage& package : target.packages) {
    packages.push_back(package_json(package));
  }
  Json dependencies = target.dependencies ? Json::array() : Json(nullptr);
  if (target.dependencies) {
    for (const RecordedDependency& dependency : *target.dependencies) {
      dependencies.push_back(dependency_json(dependency));
    }
  }
  return {{"name", target.machine.name},
          {"digest", "sha256:" + target.digest},
          {"packages", std::move(packages)},
          {"dependencies", std::move(dependencies)},
          {"outside", target.outside},
          {"machine", Json::parse(write_machine(target.machine))}};
}

}  // namespace

std::string write_record_file(const LockRecord& record) {
  const ChoosePolicy& policy = record.policy;
  Json targets = Json::array();
  for (const RecordedTarget& target : record.targets) {
    targets.push_back(target_json(target));
  }
  const Json document{{"schema", "fitment.lock/1"},
                      {"requests", record.requests},
                      {"policy",
                       {{"backend", null_or(policy.backend)},
                        {"gpu", policy.gpu ? Json(to_string(*policy.gpu)) : Json(nullptr)},
                        {"allow_cpu", policy.allow_cpu},
                        {"allow_unsure", policy.allow_unsure},
                        {"prefer", to_string(policy.prefer)}}},
                      {"catalog", {{"digest", "sha256:" + record.catalog}}},
                      {"rules", record.rules},
                      {"targets", std::move(targets)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
