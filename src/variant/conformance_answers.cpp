// SPDX-License-Identifier: Apache-2.0
#include "variant/conformance_answers.h"

#include "base/text.h"
#include "machine/machine_file.h"
#include "variant/marker_values.h"
#include "variant/merge.h"
#include "variant/metadata_reader.h"
#include "variant/providers.h"
#include "variant/select.h"
#include "wheel/name.h"
#include "wheel/requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fitment {

namespace {

using Json = ConformanceJson;

std::string text_of_json(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parsed(const std::string& text) {
  return Json::parse(text);
}

/// nullopt for JSON null.
std::optional<std::string> maybe_text(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::string>());
}

Json null_or(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) {
      continue;  // padding
    }
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
    }
  }
  return bytes;
}

SupportedProperties supported_of(const Json& list) {
  SupportedProperties supported;
  for (const Json& space : list) {
    SupportedNamespace& known = supported.emplace_back();
    known.space = space.at("namespace").get<std::string>();
    for (const Json& feature : space.at("features")) {
      known.features.push_back({feature.at("name").get<std::string>(),
                                feature.at("values").get<std::vector<std::string>>()});
    }
  }
  return supported;
}

/// The machine of a case, with the variables of `env` as overrides in force.
Result<Machine> machine_of(const Json& input) {
  FITMENT_TRY_ASSIGN(Machine machine, parse_machine(text_of_json(input.at("machine")), "machine"));
  const auto env = input.find("env");
  if (env != input.end() && env->is_object()) {
    for (const auto& [name, value] : env->items()) {
      machine.overrides.push_back({name, value.get<std::string>()});
    }
  }
  return machine;
}

Json names_answer(const Json& input) {
  const auto name = read_wheel_filename(input.at("file").get<std::string>());
  if (!name) {
    return {{"error", to_string(name.error().part)}};
  }
  const std::string project = normalize_name(name->distribution);
  Json build = nullptr;
  if (name->build) {
    build = {{"number", name->build->number}, {"suffix", name->build->suffix}};
  }
  return {{"project", project},
          {"version", to_string(name->version)},
          {"build", std::move(build)},
          {"python", name->python_tags},
          {"abi", name->abi_tags},
          {"platform", name->platform_tags},
          {"label", name->variant_label ? Json(*name->variant_label) : Json(nullptr)},
          {"variants_file", variants_file_name(*name)}};
}

Json metadata_answer(const Json& input) {
  MetadataPlace place;
  const std::string where = input.at("where").get<std::string>();
  place.in_wheel = where == "wheel";
  if (place.in_wheel) {
    place.label = input.at("label").get<std::string>();
  }
  if (const auto labels = input.find("labels"); labels != input.end() && !labels->is_null()) {
    place.labels = labels->get<std::vector<std::string>>();
  }
  std::string text;
  if (input.contains("text")) {
    text = input.at("text").get<std::string>();
  } else if (input.contains("base64")) {
    text = decode_base64(input.at("base64").get<std::string>());
  } else {
    text = text_of_json(input.at("document"));
  }
  const MetadataReading reading = examine_metadata(text, place);
  if (!reading.metadata) {
    return {
        {"usable", false},
        {"error", {{"class", to_string(reading.fault->rule)}, {"path", reading.fault->pointer}}}};
  }
  Json notes = Json::array();
  for (const MetadataFinding& note : reading.notes) {
    notes.push_back({{"class", to_string(note.rule)}, {"path", note.pointer}});
  }
  return {{"usable", true},
          {"conforming", reading.conforming ? Json(*reading.conforming) : Json(nullptr)},
          {"notes", std::move(notes)}};
}

Result<Json> merge_answer(const Json& input) {
  std::vector<VariantMetadata> documents;
  bool is_invalid = false;
  for (const Json& document : input.at("documents")) {
    MetadataReading reading = examine_metadata(text_of_json(document));
    is_invalid = is_invalid || !reading.metadata;
    if (reading.metadata) {
      documents.push_back(std::move(*reading.metadata));
    }
  }
  if (is_invalid) {
    return Json{{"inconsistent", "invalid-document"}};
  }
  if (documents.empty()) {
    return fail(ErrorCode::invalid_argument, "no documents to merge");
  }
  const auto merge = [](const std::vector<VariantMetadata>& some) {
    const auto merged = merge_metadata(some);
    return merged ? Json{{"merged", parsed(write_variant_metadata(*merged))}}
                  : Json{{"inconsistent", to_string(merged.error().kind)}};
  };
  const Json answer = merge(documents);
  std::vector<VariantMetadata> other(documents.rbegin(), documents.rend());
  for (std::size_t i = 0; i <= documents.size(); ++i) {
    if (merge(other) != answer) {
      return fail(ErrorCode::internal, "the answer depends on the order of the documents");
    }
    other = documents;
    std::rotate(other.begin(),
                other.begin() + static_cast<std::ptrdiff_t>(i % documents.size()),
                other.end());
  }
  return answer;
}

Result<Json> order_answer(const Json& input) {
  FITMENT_TRY_ASSIGN(const VariantMetadata metadata,
                     parse_variant_metadata(text_of_json(input.at("document")), "document"));
  std::vector<std::string> labels;
  bool has_plain = false;
  for (const Json& wheel : input.at("wheels")) {
    if (const auto label = maybe_text(wheel)) {
      labels.push_back(*label);
    } else {
      has_plain = true;
    }
  }
  const VariantOrder order = order_variants(metadata, supported_of(input.at("supported")), labels);
  Json answer{{"order", Json::array()}, {"dropped", Json::array()}, {"ties", order.ties}};
  for (const EligibleVariant& variant : order.eligible) {
    answer["order"].push_back(variant.label);
  }
  if (has_plain) {
    answer["order"].push_back(nullptr);
  }
  for (const DroppedVariant& dropped : order.dropped) {
    answer["dropped"].push_back({{"label", dropped.label},
                                 {"why", to_string(dropped.why)},
                                 {"namespace", null_or(dropped.space)},
                                 {"feature", null_or(dropped.feature)}});
  }
  return answer;
}

MarkerEnvironment marker_environment(const Json& input) {
  MarkerEnvironment environment{.python_version = "3.12",
                                .python_full_version = "3.12.3",
                                .os_name = "posix",
                                .sys_platform = "linux",
                                .platform_machine = "x86_64",
                                .platform_system = "Linux",
                                .platform_release = "6.8.0",
                                .platform_version = "#1 SMP",
                                .platform_python_implementation = "CPython",
                                .implementation_name = "cpython",
                                .implementation_version = "3.12.3",
                                .extra = ""};
  const auto given = input.find("environment");
  if (given != input.end() && given->is_object()) {
    for (const auto& [name, value] : given->items()) {
      if (const auto field = find_marker_field(name); field != nullptr) {
        environment.*field = value.get<std::string>();
      }
    }
  }
  return environment;
}

Result<Json> markers_answer(const Json& input) {
  const auto requirement = parse_requirement(input.at("requirement").get<std::string>());
  if (!requirement) {
    return Json{{"error", "marker"}};
  }
  FITMENT_TRY_ASSIGN(const VariantMetadata metadata,
                     parse_variant_metadata(text_of_json(input.at("document")), "document"));
  MarkerEnvironment environment = marker_environment(input);
  set_variant_markers(
      metadata, maybe_text(input.at("label")), supported_of(input.at("supported")), environment);
  return Json(!requirement->marker || requirement->marker->evaluate(environment));
}

Result<Json> providers_answer(const Json& input) {
  const std::string space = input.at("namespace").get<std::string>();
  FITMENT_TRY_ASSIGN(const Machine machine, machine_of(input));
  const NativeProvider* provider = find_native_provider(space);
  Json answer{{"features", Json::array()}};
  if (provider == nullptr) {
    return answer;
  }
  const auto features = provider->ask(machine);
  if (!features) {
    return Json{{"error", "override"}};
  }
  for (const SupportedFeature& feature : *features) {
    answer["features"].push_back({{"name", feature.name}, {"values", feature.values}});
  }
  return answer;
}

void set_conformance_python(const Json& python, Machine& machine) {
  std::string version = python.at("version").get<std::string>();
  if (python.value("free_threaded", false)) {
    version += "t";
  }
  machine.python.implementation.set(python.at("implementation").get<std::string>(), "case");
  machine.python.version.set(std::move(version), "case");
}

Result<Json> select_answer(const Json& input) {
  FITMENT_TRY_ASSIGN(Machine machine, machine_of(input));
  set_conformance_python(input.at("python"), machine);
  FITMENT_TRY_ASSIGN(const TagIndex tags, TagIndex::of_machine(machine));
  TrustPolicy policy;
  if (const auto lists = input.find("static"); lists != input.end() && !lists->is_null()) {
    policy.lists = supported_of(*lists);
  }
  if (const auto enabled = input.find("enabled"); enabled != input.end() && !enabled->is_null()) {
    policy.enabled = enabled->get<std::vector<std::string>>();
  }
  SelectRequest request;
  request.files = input.at("wheels").get<std::vector<std::string>>();
  MetadataReading reading;
  if (const Json& document = input.at("document"); !document.is_null()) {
    reading = examine_metadata(text_of_json(document));
    request.is_unusable = !reading.metadata;
  }
  if (reading.metadata) {
    request.metadata = &*reading.metadata;
    FITMENT_TRY_ASSIGN(request.answers, answer_namespaces(*reading.metadata, machine, policy));
  }
  const WheelSelection selection = select_wheels(request, tags);
  Json answer{{"chosen", nullptr},
              {"kind", null_or(std::string(kind_of(selection)))},
              {"order", Json::array()},
              {"rejected", Json::array()}};
  for (const RankedWheel& wheel : selection.order) {
    answer["order"].push_back(wheel.file);
  }
  if (!selection.order.empty()) {
    answer["chosen"] = selection.order.front().file;
  }
  for (const RejectedWheel& wheel : selection.rejected) {
    answer["rejected"].push_back({{"file", wheel.file},
                                  {"rule", wheel.rule},
                                  {"namespace", null_or(wheel.space)},
                                  {"feature", null_or(wheel.feature)}});
  }
  return answer;
}

struct KindRow {
  std::string_view name;
  Result<Json> (*answer)(const Json&);
};

const std::array<KindRow, 7>& kinds() {
  static const std::array<KindRow, 7> kKinds{{
      {"names", [](const Json& input) { return Result<Json>(names_answer(input)); }},
      {"metadata", [](const Json& input) { return Result<Json>(metadata_answer(input)); }},
      {"merge", merge_answer},
      {"order", order_answer},
      {"markers", markers_answer},
      {"providers", providers_answer},
      {"select", select_answer},
  }};
  return kKinds;
}

}  // namespace

bool is_conformance_kind(std::string_view kind) {
  return std::any_of(
      kinds().begin(), kinds().end(), [kind](const auto& row) { return row.name == kind; });
}

Result<ConformanceJson> conformance_answer(std::string_view kind, const ConformanceJson& input) {
  for (const KindRow& row : kinds()) {
    if (row.name == kind) {
      return row.answer(input);
    }
  }
  return fail(ErrorCode::internal, "no such kind");
}

}  // namespace fitment
