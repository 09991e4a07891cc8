// SPDX-License-Identifier: Apache-2.0
// Forms of an audit's answer that programs read, and words for targets.
#include "report/audit_csv.h"
#include "report/audit_sarif.h"
#include "report/progress_text.h"
#include "report/table.h"
#include "report/target_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fitment {
namespace {

using testing::HasSubstr;

AuditReport small_report() {
  AuditReport report;
  AuditedFile file;
  file.path = "a, \"b\"/x y.so";
  file.remark = "two\nlines";
  report.audit.files.push_back(file);
  file.path = "/dist/ä.whl: lib.so";
  file.wheel = "/dist/ä.whl";
  file.member = "lib.so";
  report.audit.files.push_back(file);
  report.gates.glibc = DottedVersion{2, 17};
  for (std::size_t i = 0; i < 2; ++i) {
    report.failures.push_back(
        {"glibc-floor", report.audit.files[i].path, i, std::nullopt, "needs glibc 2.34"});
  }
  report.audit.failed.push_back({"cut.whl", fail(ErrorCode::parse_error, "cut short")});
  return report;
}

TEST(AuditCsv, QuotesWhatNeedsIt) {
  const std::string csv = audit_csv(small_report());
  EXPECT_THAT(csv, HasSubstr("\n\"a, \"\"b\"\"/x y.so\",,,"));
  EXPECT_THAT(csv, HasSubstr(",glibc-floor,\"two\nlines\"\n"));
}

TEST(AuditSarif, HasTheShapeThatHostsRead) {
  const auto sarif = nlohmann::json::parse(audit_sarif(small_report(), "1.2.3"));
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  const auto& run = sarif.at("runs").at(0);
  EXPECT_EQ(run.at("tool").at("driver").at("version"), "1.2.3");
  const auto& rules = run.at("tool").at("driver").at("rules");
  ASSERT_EQ(run.at("results").size(), 2U);
  for (const auto& result : run.at("results")) {
    EXPECT_EQ(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id"), result.at("ruleId"));
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
    EXPECT_EQ(result.at("partialFingerprints").at("fitmentGate/v1").get<std::string>().size(), 64U);
  }
  const auto uri = [&](std::size_t i) {
    return run.at("results")
        .at(i)
        .at("locations")
        .at(0)
        .at("physicalLocation")
        .at("artifactLocation")
        .at("uri");
  };
  EXPECT_EQ(uri(0), "a,%20%22b%22/x%20y.so");
  EXPECT_EQ(uri(1), "file:///dist/%C3%A4.whl");
  EXPECT_EQ(run.at("results").at(1).at("locations").at(0).at("logicalLocations").at(0).at("name"),
            "lib.so");
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), false);
}

TEST(TargetWords, NameAPrefixOnce) {
  std::vector<TargetTotal> totals;
  for (const char* target :
       {"compute_90", "sm_100", "sm_90a", "sm_90", "lto_75", "gfx90a", "gfx942"}) {
    totals.push_back({.kind = CodeKind::unknown, .target = target});
  }
  EXPECT_EQ(target_words(totals, {}),
            "sm_90 90a 100 \u00b7 gfx90a gfx942 \u00b7 compute_90 \u00b7 lto_75");
  EXPECT_EQ(target_words({}, {}), "");
}

TEST(Progress, FitsItsLine) {
  Theme theme;
  theme.unicode = false;
  EXPECT_EQ(progress_line("auditing", 50, 100, "x.so", theme),
            "auditing  ############------------  50 B of 100 B  x.so");
  theme.width = 60;
  EXPECT_LT(progress_line("auditing", 200, 100, std::string(100, 'x'), theme).size(), 60U);
  theme.width = 40;
  EXPECT_THAT(progress_line("auditing", 0, 0, "x.so", theme), HasSubstr("0 B of 0 B"));
}

TEST(TableSpans, StandOverAllColumns) {
  Theme theme;
  theme.width = 40;
  Table table;
  table.column("name").column("size", Table::Align::right);
  table.span("a folder").row({"x", "1 B"}).span("a long line that is broken under itself", 2);
  EXPECT_EQ(table.render(theme),
            "name  size\na folder\nx      1 B\n  a long line that is broken under\n  itself\n");
}

}  // namespace
}  // namespace fitment
