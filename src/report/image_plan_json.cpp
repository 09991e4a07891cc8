// SPDX-License-Identifier: Apache-2.0
#include "report/image_plan_json.h"

#include "base/digest.h"
#include "machine/machine_file.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "fitment.image-plan/1";

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json bytes_or_null(const std::optional<std::uint64_t>& bytes) {
  return bytes ? Json(*bytes) : Json(nullptr);
}

Json base_json(const BaseImage& base) {
  // Where an archive lay is no property of the image.
  const std::string reference = base.is_archive || base.layout
                                    ? std::filesystem::path(base.reference).filename().string()
                                    : base.reference;
  Json json{{"reference", reference},
            {"archive", base.is_archive},
            {"digest", base.layout ? Json(base.layout->digest) : Json(nullptr)},
            {"system", base.system == nullptr ? Json(nullptr) : Json(base.system->name)},
            {"cuda_toolkit", nullptr},
            {"flavour", text_or_null(base.flavour)}};
  if (base.cuda_toolkit) {
    json["cuda_toolkit"] = {{"version", to_string(*base.cuda_toolkit)},
                            {"evidence", base.cuda_toolkit.evidence()}};
  }
  return json;
}

Json package_json(const PackagePlan& package) {
  Json json{{"request", package.request}, {"choice", nullptr}};
  if (package.choice) {
    const ChosenBuild& choice = *package.choice;
    json["choice"] = {{"requirement", choice.requirement},
                      {"backend", choice.backend},
                      {"index", text_or_null(choice.index)},
                      {"size", bytes_or_null(choice.size_bytes)},
                      {"total_size", bytes_or_null(choice.total_bytes)}};
  }
  json["why"] = package.why;
  json["warnings"] = Json::array();
  for (const Warning& warning : package.warnings) {
    json["warnings"].push_back({{"id", warning.id}, {"text", warning.text}});
  }
  json["ways_out"] = Json::array();
  for (const WayOut& way : package.ways_out) {
    json["ways_out"].push_back(way.text);
  }
  return json;
}

Json plan_of(const ImagePlan& plan, const std::vector<ImageStage>& stages) {
  Json json{
      {"base", base_json(plan.base)},
      {"profiles", plan.profiles},
      {"python", {{"version", plan.python}, {"from", plan.python_from}}},
      {"machines", Json::array()},
      {"targets", Json::array()},
      {"arch", plan.arch},
      {"user", text_or_null(plan.user)},
      {"fits", plan.fits()},
      {"packages", Json::array()},
      {"requirements", plan.requirements},
      {"monitor", text_or_null(plan.monitor)},
      {"slim", plan.slim},
      {"backend", text_or_null(plan.backend)},
      {"driver_floor", plan.driver_floor ? Json(to_string(*plan.driver_floor)) : Json(nullptr)},
      {"require", nullptr},
      {"download_bytes", bytes_or_null(plan.size.download_bytes)},
      {"size",
       {{"base_bytes", bytes_or_null(plan.size.base_bytes)},
        {"installed_bytes", bytes_or_null(plan.size.installed_bytes)},
        {"unknown", plan.size.unknown}}},
      {"notes", plan.notes}};
  for (const Machine& machine : *plan.machines) {
    json["machines"].push_back(
        {{"name", machine.name}, {"digest", "sha256:" + sha256_hex(canonical_facts(machine))}});
  }
  for (const KeepTarget& target : plan.targets) {
    json["targets"].push_back(to_string(target));
  }
  for (const PackagePlan& package : plan.choice.packages) {
    json["packages"].push_back(package_json(package));
  }
  if (plan.require) {
    json["require"] = {{"NVIDIA_REQUIRE_CUDA", plan.require->cuda},
                       {"NVIDIA_REQUIRE_ARCH", plan.require->arch}};
  }
  if (!stages.empty()) {
    json["stages"] = Json::array();
    for (const ImageStage& stage : stages) {
      json["stages"].push_back({{"name", stage.name},
                                {"target", stage.target},
                                {"tag", stage.tag},
                                {"parent", text_or_null(stage.parent)},
                                {"summary", stage.summary}});
    }
  }
  return json;
}

std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string image_plan_json(const std::vector<PlannedImage>& images) {
  Json document{{"schema", kSchema}};
  if (images.size() == 1) {
    document.update(plan_of(images.front().plan, images.front().stages));
    return dump(document);
  }
  document["plans"] = Json::array();
  for (const PlannedImage& image : images) {
    document["plans"].push_back(plan_of(image.plan, image.stages));
  }
  return dump(document);
}

std::string image_record_json(const ImagePlan& plan) {
  Json document{{"schema", kSchema}};
  document.update(plan_of(plan, {}));
  return dump(document);
}

}  // namespace fitment
