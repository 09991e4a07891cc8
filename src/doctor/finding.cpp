// SPDX-License-Identifier: Apache-2.0
#include "doctor/finding.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace fitment {

namespace {

/// Causes before consequences: a file that two owners fight over may be why a symbol is missing.
constexpr std::array<std::string_view, 20> kOrder{"platform-tag",
                                                  "glibc-floor",
                                                  "cpu-level",
                                                  "driver-too-old",
                                                  "shadowed-package",
                                                  "duplicate-owner",
                                                  "broken-record",
                                                  "pair-mismatch",
                                                  "cudnn-mismatch",
                                                  "mixed-cuda-majors",
                                                  "missing-library",
                                                  "dlopen-missing",
                                                  "symbol-missing",
                                                  "broken-requirement",
                                                  "no-gpu-kernels",
                                                  "foreign-library",
                                                  "duplicate-library",
                                                  "ptx-jit",
                                                  "cpu-build-on-gpu-machine",
                                                  "driver-library"};

std::size_t order_of(const std::string& rule) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), rule) - kOrder.begin());
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "unknown";
}

void rank_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tuple(a.severity, order_of(a.rule), std::string_view(a.subject))
           < std::tuple(b.severity, order_of(b.rule), std::string_view(b.subject));
  });
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  std::erase_if(findings, [&](const Finding& finding) {
    return !seen.emplace(finding.rule, finding.subject, finding.cause).second;
  });
}

}  // namespace fitment
