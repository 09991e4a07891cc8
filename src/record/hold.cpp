// SPDX-License-Identifier: Apache-2.0
#include "record/hold.h"

#include "record/compare.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

using Weight = HoldFinding::Weight;

std::string build_of(const std::string& version, const std::string& backend) {
  return backend.empty() ? version : fmt::format("{} ({})", version, backend);
}

/// `driver-floor: 12.2, >= 12.8 needed`
std::string reasons_of(const Candidate& candidate) {
  std::string text;
  for (const Reason& reason : candidate.reasons) {
    text += fmt::format("{}{}: {} is {}, {} needed",
                        text.empty() ? "" : "; ",
                        reason.rule,
                        reason.fact,
                        reason.found,
                        reason.required);
  }
  return text;
}

const PackagePlan* find_plan(const Plan& plan, const RecordedPackage& recorded) {
  for (const PackagePlan& package : plan.packages) {
    if (package.request == recorded.request || package.name == recorded.name) {
      return &package;
    }
  }
  return nullptr;
}

void judge_package(const RecordedPackage& recorded,
                   const PackagePlan* now,
                   std::vector<HoldFinding>& findings) {
  const std::string build = build_of(recorded.version, recorded.backend);
  const auto is_recorded = [&](const Candidate& candidate) {
    return to_string(candidate.version) == recorded.version
           && candidate.backend.text == recorded.backend;
  };
  const Candidate* candidate = nullptr;
  if (now != nullptr) {
    const auto found = std::find_if(now->candidates.begin(), now->candidates.end(), is_recorded);
    candidate = found == now->candidates.end() ? nullptr : &*found;
  }
  if (candidate == nullptr) {
    findings.push_back({Weight::breaks,
                        "build-unknown",
                        recorded.name,
                        "choice",
                        build,
                        "",
                        "the catalogue in force does not know this build"});
    return;
  }
  if (candidate->verdict < recorded.verdict) {
    findings.push_back({Weight::breaks,
                        "does-not-fit",
                        recorded.name,
                        "verdict",
                        std::string(to_string(recorded.verdict)),
                        std::string(to_string(candidate->verdict)),
                        fmt::format("{} {}", build, reasons_of(*candidate))});
  }
  const std::string chosen =
      now->choice ? build_of(to_string(now->choice->version), now->choice->backend) : "";
  if (chosen != build) {
    findings.push_back(
        {Weight::differs,
         "choice-differs",
         recorded.name,
         "choice",
         build,
         chosen,
         chosen.empty() ? "nothing would be chosen now" : "another build would be chosen now"});
  }
}

}  // namespace

std::string_view to_string(Weight weight) {
  return weight == Weight::breaks ? "breaks" : "differs";
}

bool HoldReport::holds() const {
  return std::none_of(findings.begin(), findings.end(), [](const HoldFinding& finding) {
    return finding.weight == Weight::breaks;
  });
}

const RecordedTarget* find_target(const LockRecord& record, const Machine& machine) {
  const std::string digest = facts_digest(machine);
  for (const RecordedTarget& target : record.targets) {
    if (target.digest == digest) {
      return &target;
    }
  }
  if (const RecordedTarget* target = record.find(machine.name)) {
    return target;
  }
  return record.targets.size() == 1 ? &record.targets.front() : nullptr;
}

HoldReport compare_with_plan(const LockRecord& record,
                             const RecordedTarget& target,
                             const Plan& now,
                             const std::string& catalog_digest) {
  HoldReport report{target.machine.name, {}};
  std::vector<HoldFinding>& findings = report.findings;
  for (const RecordedPackage& package : target.packages) {
    judge_package(package, find_plan(now, package), findings);
  }
  for (const RecordChange& change : compare_facts(target.machine, *now.machines.front())) {
    findings.push_back({Weight::differs,
                        "fact-changed",
                        "",
                        change.what,
                        change.before,
                        change.after,
                        "a fact of the machine changed"});
  }
  if (record.catalog != catalog_digest) {
    findings.push_back({Weight::differs,
                        "catalog-changed",
                        "",
                        "catalog",
                        record.catalog,
                        catalog_digest,
                        "another catalogue was in force"});
  }
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return a.weight < b.weight;
  });
  return report;
}

std::optional<HoldFinding> compare_with_index(const std::string& package,
                                              const RecordedFile& file,
                                              const std::vector<SimpleFile>& files) {
  const auto found = std::find_if(
      files.begin(), files.end(), [&](const SimpleFile& one) { return one.filename == file.name; });
  if (found == files.end()) {
    return HoldFinding{Weight::breaks,
                       "file-gone",
                       package,
                       "file",
                       file.name,
                       "",
                       "the index has this file no more"};
  }
  const auto now = found->hashes.find("sha256");
  if (file.sha256 && now != found->hashes.end() && *file.sha256 != now->second) {
    return HoldFinding{Weight::breaks,
                       "file-differs",
                       package,
                       "sha256",
                       *file.sha256,
                       now->second,
                       "the index has other bytes under this name"};
  }
  if (found->yanked) {
    return HoldFinding{
        Weight::differs,
        "file-yanked",
        package,
        "file",
        file.name,
        file.name,
        found->yanked->empty() ? "the file was yanked" : "the file was yanked: " + *found->yanked};
  }
  if (const std::string url = without_credentials(found->url);
      !file.url.empty() && url != file.url) {
    return HoldFinding{
        Weight::differs, "address-changed", package, "url", file.url, url, "the file has moved"};
  }
  return std::nullopt;
}

}  // namespace fitment
