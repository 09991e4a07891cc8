// SPDX-License-Identifier: Apache-2.0
#include "report/audit_sarif.h"

#include "base/digest.h"
#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

struct SarifRule {
  std::string_view id;
  std::string_view summary;
  std::string_view help;
};

/// Always all, so that a host can show which rules were in force.
constexpr std::array<SarifRule, 4> kRules{{
    {"cpu-level",
     "Built for a higher x86-64 level than allowed",
     "The machine code needs instructions that processors of the allowed level lack. Compile with "
     "a "
     "lower -march, or choose the code at run time."},
    {"glibc-floor",
     "Needs a newer glibc than allowed",
     "The file needs symbol versions that the allowed glibc lacks. Build in an image with that "
     "glibc, such as the manylinux one."},
    {"gpu-kernels",
     "No GPU code for a required target",
     "None of the GPU code runs on the target, natively or by compiling PTX, or there is none. Add "
     "the target to the build."},
    {"platform-tag",
     "The wheel's tags promise more than it keeps",
     "An installer would put the wheel on machines that cannot load it. Build it for the tag, or "
     "name it by the tag that is true."},
}};

std::size_t rule_index(std::string_view id) {
  return static_cast<std::size_t>(std::find_if(kRules.begin(),
                                               kRules.end(),
                                               [&](const SarifRule& rule) { return rule.id == id; })
                                  - kRules.begin());
}

/// A path as a relative reference or, when absolute, a file address (RFC 3986, RFC 8089).
std::string uri_of(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain =
        is_alnum(c) || std::string_view("-._~/+@,=!$&'()*").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c)
                 : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return uri;
}

Json location(const AuditReport& report, const GateFailure& failure) {
  const AuditedFile* file = failure.file ? &report.audit.files[*failure.file] : nullptr;
  const bool in_wheel = file != nullptr && !file->wheel.empty();
  // Hosts want a line; a binary has none, so it is the first.
  Json place{{"physicalLocation",
              {{"artifactLocation", {{"uri", uri_of(in_wheel ? file->wheel : failure.path)}}},
               {"region", {{"startLine", 1}}}}}};
  if (in_wheel) {
    place["logicalLocations"] = Json::array(
        {{{"name", file->member}, {"fullyQualifiedName", failure.path}, {"kind", "member"}}});
  }
  return place;
}

Json rules_json() {
  Json rules = Json::array();
  for (const SarifRule& rule : kRules) {
    rules.push_back(
        {{"id", rule.id},
         {"shortDescription", {{"text", rule.summary}}},
         {"fullDescription", {{"text", rule.help}}},
         {"help", {{"text", fmt::format("{} See `fitment explain {}`.", rule.help, rule.id)}}},
         {"defaultConfiguration", {{"level", "error"}}}});
  }
  return rules;
}

Json notifications(const Audit& audit) {
  Json list = Json::array();
  for (const FailedInput& failed : audit.failed) {
    Json entry{{"level", "error"}, {"message", {{"text", failed.error.message()}}}};
    if (!failed.path.empty()) {
      entry["locations"] = Json::array(
          {{{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(failed.path)}}}}}}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string audit_sarif(const AuditReport& report, std::string_view version) {
  Json results = Json::array();
  for (const GateFailure& failure : report.failures) {
    results.push_back(
        {{"ruleId", failure.rule},
         {"ruleIndex", rule_index(failure.rule)},
         {"level", "error"},
         {"message", {{"text", fmt::format("{}: {}", failure.path, failure.what)}}},
         {"locations", Json::array({location(report, failure)})},
         {"partialFingerprints",
          {{"fitmentGate/v1",
            sha256_hex(fmt::format("{}\n{}\n{}", failure.rule, failure.path, failure.what))}}}});
  }
  const Json run{
      {"tool", {{"driver", {{"name", "fitment"}, {"version", version}, {"rules", rules_json()}}}}},
      {"invocations",
       Json::array({{{"executionSuccessful", report.audit.failed.empty()},
                     {"toolExecutionNotifications", notifications(report.audit)}}})},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
