// SPDX-License-Identifier: Apache-2.0
#include "report/install_json.h"

#include "store/address.h"
#include "wheel/name.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json text_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}

Json changes_json(const std::vector<InstalledChange>& changes) {
  Json list = Json::array();
  for (const InstalledChange& change : changes) {
    list.push_back({{"name", change.name},
                    {"before", text_or_null(change.before)},
                    {"after", text_or_null(change.after)}});
  }
  return list;
}

Json packages_json(const std::vector<ReportedPackage>& packages) {
  Json list = Json::array();
  for (const ReportedPackage& package : packages) {
    list.push_back({{"name", normalize_name(package.name)},
                    {"version", package.version},
                    {"requested", package.is_requested},
                    {"url", shown_address(package.url)},
                    {"sha256", text_or_null(package.sha256)}});
  }
  return list;
}

Json faults_json(const std::vector<InstalledFault>& faults) {
  Json list = Json::array();
  for (const InstalledFault& fault : faults) {
    list.push_back({{"distribution", fault.distribution},
                    {"path", fault.path},
                    {"what", to_string(fault.kind)}});
  }
  return list;
}

Json unmet_json(const std::vector<UnmetRequirement>& unmet) {
  Json list = Json::array();
  for (const UnmetRequirement& one : unmet) {
    list.push_back({{"planned", one.requirement}, {"installed", text_or_null(one.installed)}});
  }
  return list;
}

std::string print(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string install_json(const InstallReport& report) {
  return print(
      {{"schema", "fitment.install/1"},
       {"applied", report.is_applied},
       {"environment", report.prefix},
       {"machine", report.machine},
       {"installer",
        {{"name", to_string(report.installer.kind)},
         {"version", to_string(report.installer.version)},
         {"command", report.command},
         {"settings_without_effect", report.dropped}}},
       {"index", report.index},
       {"changes", changes_json(report.outcome.changes)},
       {"packages", packages_json(report.outcome.packages)},
       {"checked_files", report.outcome.checked_files},
       {"faults", faults_json(report.outcome.faults)},
       {"unmet", unmet_json(report.outcome.unmet)},
       {"health", report.health ? Json(std::string(to_string(*report.health))) : Json(nullptr)}});
}

std::string wheelhouse_json(const WheelhouseReport& report) {
  Json files = Json::array();
  for (const WheelhouseFile& file : report.files) {
    files.push_back({{"name", file.name},
                     {"version", file.version},
                     {"file", file.filename},
                     {"url", shown_address(file.url)},
                     {"sha256", text_or_null(file.sha256)},
                     {"size", file.size > 0 ? Json(file.size) : Json(nullptr)}});
  }
  return print({{"schema", "fitment.wheelhouse/1"},
                {"applied", report.is_applied},
                {"folder", report.folder},
                {"machine", report.machine},
                {"index", report.index},
                {"files", std::move(files)},
                {"command", report.command}});
}

}  // namespace fitment
