// SPDX-License-Identifier: Apache-2.0
#include "report/variant_json.h"

#include "base/digest.h"
#include "machine/machine_file.h"
#include "variant/providers.h"

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

Json machine_json(const Machine& machine) {
  return {{"name", null_or(machine.name)},
          {"digest", "sha256:" + sha256_hex(canonical_facts(machine))}};
}

/// Override variables of the providers that were in force.
Json overrides_json(const Machine& machine) {
  Json list = Json::array();
  for (const MachineOverride& each : machine.overrides) {
    const auto& providers = native_providers();
    const bool is_read =
        std::any_of(providers.begin(), providers.end(), [&each](const NativeProvider& provider) {
          return std::find(provider.variables.begin(), provider.variables.end(), each.name)
                 != provider.variables.end();
        });
    if (is_read) {
      list.push_back({{"name", each.name}, {"value", each.value}});
    }
  }
  return list;
}

Json features_json(const std::vector<SupportedFeature>& features) {
  Json list = Json::array();
  for (const SupportedFeature& feature : features) {
    list.push_back({{"name", feature.name}, {"values", feature.values}});
  }
  return list;
}

Json answer_json(const NamespaceAnswer& answer) {
  return {{"namespace", answer.space},
          {"source", to_string(answer.source)},
          {"provider", null_or(answer.provider)},
          {"text", describe_answer(answer)},
          {"features", features_json(answer.features)}};
}

Json answers_list(const std::vector<NamespaceAnswer>& answers) {
  Json list = Json::array();
  for (const NamespaceAnswer& answer : answers) {
    list.push_back(answer_json(answer));
  }
  return list;
}

Json finding_json(const MetadataFinding& finding) {
  return {{"rule", to_string(finding.rule)},
          {"pointer", finding.pointer},
          {"message", finding.message},
          {"hint", hint_of(finding.rule)}};
}

Json notes_json(const std::vector<MetadataFinding>& notes) {
  Json list = Json::array();
  for (const MetadataFinding& note : notes) {
    list.push_back(finding_json(note));
  }
  return list;
}

Json label_json(const std::optional<std::string>& label) {
  return label ? Json(*label) : Json(nullptr);
}

Json ranked_json(const RankedWheel& wheel) {
  Json properties = Json::array();
  for (const VariantProperty& property : wheel.properties) {
    properties.push_back(to_string(property));
  }
  return {{"file", null_or(wheel.file)},
          {"label", label_json(wheel.label)},
          {"properties", std::move(properties)}};
}

Json rejected_json(const RejectedWheel& wheel) {
  Json nearest = nullptr;
  if (wheel.why.nearest) {
    nearest = {{"wanted", wheel.why.nearest->wanted}, {"supported", wheel.why.nearest->supported}};
  }
  return {{"file", null_or(wheel.file)},
          {"label", label_json(wheel.label)},
          {"rule", wheel.rule},
          {"namespace", null_or(wheel.space)},
          {"feature", null_or(wheel.feature)},
          {"wanted", wheel.wanted},
          {"nearest", std::move(nearest)},
          {"text", wheel.why.text},
          {"hint", wheel.why.hint}};
}

Json package_json(const PackageSelection& package) {
  const WheelSelection& selection = package.selection;
  Json json{{"name", package.name},
            {"version", package.version},
            {"kind", null_or(std::string(kind_of(selection)))},
            {"choice", nullptr},
            {"metadata",
             {{"file", null_or(package.metadata_file)},
              {"version", null_or(package.schema)},
              {"unusable", null_or(package.unusable)},
              {"notes", notes_json(package.notes)}}},
            {"order", Json::array()},
            {"rejected", Json::array()},
            {"ties", selection.ties},
            {"answers", answers_list(package.answers)}};
  for (const RankedWheel& wheel : selection.order) {
    json["order"].push_back(ranked_json(wheel));
  }
  for (const RejectedWheel& wheel : selection.rejected) {
    json["rejected"].push_back(rejected_json(wheel));
  }
  if (!selection.order.empty()) {
    json["choice"] = ranked_json(selection.order.front());
  }
  return json;
}

Json providers_json(const std::vector<VariantProvider>& providers) {
  Json list = Json::array();
  for (const VariantProvider& provider : providers) {
    list.push_back(
        {{"namespace", provider.space},
         {"requires", provider.requirements},
         {"plugin_api", null_or(provider.plugin_api)},
         {"optional", provider.optional},
         {"static",
          provider.has_static ? features_json(provider.static_properties) : Json(nullptr)}});
  }
  return list;
}

}  // namespace

std::string selections_json(const std::vector<MachineSelection>& selections) {
  Json document{{"schema", "fitment.variant-select/1"}, {"selections", Json::array()}};
  for (const MachineSelection& selection : selections) {
    Json json{{"machine", machine_json(*selection.machine)},
              {"overrides", overrides_json(*selection.machine)},
              {"tags", null_or(selection.tags)},
              {"packages", Json::array()}};
    for (const PackageSelection& package : selection.packages) {
      json["packages"].push_back(package_json(package));
    }
    document["selections"].push_back(std::move(json));
  }
  return print(document);
}

std::string answers_json(const Machine& machine, const std::vector<NamespaceAnswer>& answers) {
  return print({{"schema", "fitment.variant-providers/1"},
                {"machine", machine_json(machine)},
                {"overrides", overrides_json(machine)},
                {"answers", answers_list(answers)}});
}

std::string metadata_json(const MetadataReading& reading, const std::string& file) {
  const VariantMetadata& metadata = *reading.metadata;
  Json variants = Json::array();
  for (const VariantEntry& entry : metadata.variants) {
    Json features = Json::array();
    for (const VariantFeature& feature : entry.features) {
      features.push_back(
          {{"namespace", feature.space}, {"feature", feature.name}, {"values", feature.values}});
    }
    variants.push_back({{"label", entry.label}, {"features", std::move(features)}});
  }
  return print({{"schema", "fitment.variant-metadata/1"},
                {"file", file},
                {"format", {{"url", metadata.schema.url}, {"version", to_string(metadata.schema)}}},
                {"conforming", reading.conforming ? Json(*reading.conforming) : Json(nullptr)},
                {"notes", notes_json(reading.notes)},
                {"namespaces", metadata.namespaces},
                {"providers", providers_json(metadata.providers)},
                {"variants", std::move(variants)}});
}

std::string indexes_json(const std::vector<WrittenIndex>& indexes) {
  Json document{{"schema", "fitment.variant-index/1"}, {"files", Json::array()}};
  for (const WrittenIndex& index : indexes) {
    document["files"].push_back({{"file", index.file},
                                 {"name", index.name},
                                 {"version", index.version},
                                 {"labels", index.labels},
                                 {"change", index.change}});
  }
  return print(document);
}

std::string made_wheel_json(const MadeWheel& wheel) {
  Json properties = Json::array();
  for (const VariantProperty& property :
       wheel.variant ? properties_of(*wheel.variant) : std::vector<VariantProperty>()) {
    properties.push_back(to_string(property));
  }
  return print({{"schema", "fitment.variant-wheel/1"},
                {"from", wheel.from},
                {"file", wheel.file},
                {"change", wheel.change},
                {"label", wheel.variant ? Json(wheel.variant->label) : Json(nullptr)},
                {"properties", std::move(properties)},
                {"size", wheel.bytes},
                {"sha256", wheel.sha256},
                {"reversible", wheel.reversible ? Json(*wheel.reversible) : Json(nullptr)}});
}

std::string lint_json(const std::vector<LintFinding>& findings,
                      const std::vector<CheckedWheel>& wheels) {
  Json document{{"schema", "fitment.variant-check/1"},
                {"findings", Json::array()},
                {"wheels", Json::array()}};
  for (const LintFinding& finding : findings) {
    Json evidence = Json::array();
    for (const LintEvidence& one : finding.evidence) {
      evidence.push_back({{"member", one.member}, {"found", one.found}, {"bytes", one.bytes}});
    }
    document["findings"].push_back({{"severity", to_string(finding.severity)},
                                    {"rule", finding.rule},
                                    {"file", finding.file},
                                    {"pointer", finding.pointer},
                                    {"message", finding.message},
                                    {"hint", finding.hint},
                                    {"evidence", std::move(evidence)}});
  }
  for (const CheckedWheel& wheel : wheels) {
    Json code = Json::array();
    for (const TargetTotal& total : wheel.gpu_code) {
      code.push_back({{"kind", to_string(total.kind)},
                      {"target", total.target},
                      {"bytes", total.stored_bytes ? Json(*total.stored_bytes) : Json(nullptr)}});
    }
    document["wheels"].push_back({{"file", wheel.file},
                                  {"label", wheel.label},
                                  {"bytes", wheel.bytes == 0 ? Json(nullptr) : Json(wheel.bytes)},
                                  {"unpacked_bytes", wheel.unpacked_bytes},
                                  {"binaries", wheel.binaries},
                                  {"gpu_code", std::move(code)},
                                  {"cpu_level", null_or(wheel.cpu_level)}});
  }
  return print(document);
}

std::string conformance_json(const ConformanceResult& result) {
  Json document{{"schema", "fitment.variant-conformance-result/1"},
                {"kind", result.kind},
                {"passed", result.passed},
                {"failed", result.failures.size()},
                {"failures", Json::array()}};
  for (const ConformanceFailure& failure : result.failures) {
    document["failures"].push_back({{"name", failure.name},
                                    {"kind", failure.kind},
                                    {"expected", Json::parse(failure.expected)},
                                    {"actual", Json::parse(failure.actual)}});
  }
  return print(document);
}

}  // namespace fitment
