// SPDX-License-Identifier: Apache-2.0
#include "variant/conformance.h"

#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

Result<ConformanceResult> run_suite(const std::string& name) {
  const std::string path =
      std::string(FITMENT_TESTS_DIR) + "/conformance/variants/" + name + ".json";
  const auto text = read_file(path);
  EXPECT_TRUE(text) << path;
  return run_conformance(text.value_or(""), path);
}

class Suite : public testing::TestWithParam<std::pair<const char*, std::size_t>> {};

TEST_P(Suite, Passes) {
  const auto& [name, cases] = GetParam();
  const auto result = run_suite(name);
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->kind, name);
  EXPECT_EQ(result->passed, cases);
  for (const ConformanceFailure& failure : result->failures) {
    ADD_FAILURE() << failure.name << "\n  expected " << failure.expected << "\n  actual   "
                  << failure.actual;
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance,
                         Suite,
                         testing::Values(std::pair("names", 111U),
                                         std::pair("metadata", 115U),
                                         std::pair("merge", 36U),
                                         std::pair("order", 171U),
                                         std::pair("markers", 75U),
                                         std::pair("providers", 102U),
                                         std::pair("select", 80U)),
                         [](const auto& suite) { return std::string(suite.param.first); });

TEST(Conformance, NoticesWrongExpectations) {
  const auto result = run_suite("selftest");
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->kind, "mixed");
  EXPECT_EQ(result->passed, 7U);
  ASSERT_EQ(result->failures.size(), 7U);
  for (const ConformanceFailure& failure : result->failures) {
    EXPECT_TRUE(failure.name.starts_with("false-")) << failure.name;
  }
}

std::string refusal(const std::string& text) {
  const auto result = run_conformance(text, "cases.json");
  return result ? "accepted" : to_string(result.error());
}

TEST(Conformance, RefusesFilesOfAnotherShape) {
  const std::string head = R"({"schema": "fitment.variant-conformance/1", "kind": )";
  EXPECT_THAT(refusal("{"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{"), HasSubstr("cases.json:1:2"));
  EXPECT_THAT(refusal("[]"), HasSubstr("`schema` is not"));
  EXPECT_THAT(refusal(R"({"schema": "other/1"})"), HasSubstr("cases.json:1:12"));
  EXPECT_THAT(refusal(head + "\"ordre\", \"cases\": []}"), HasSubstr("`ordre` is not a kind"));
  EXPECT_THAT(refusal(head + "\"names\"}"), HasSubstr("no list of `cases`"));
  EXPECT_THAT(refusal(head + R"("names", "cases": [{"name": "a", "expect": {}}]})"),
              HasSubstr("the case `a` lacks an input: key 'file' not found"));
  EXPECT_THAT(refusal(head + R"("mixed", "cases": [{"name": "a", "expect": {}}]})"),
              HasSubstr("the case `a` has no `kind`"));
  EXPECT_THAT(refusal(std::string(700, '[')), HasSubstr("nest deeper"));
}

TEST(Conformance, AnAnswerThatCannotBeWorkedOutFails) {
  const auto result = run_conformance(
      R"({"schema": "fitment.variant-conformance/1", "kind": "order", "cases": [
          {"name": "a", "document": 1, "supported": [], "wheels": [], "expect": 1},
          {"name": "b", "document": {}, "supported": 1, "wheels": 2, "expect": 1}]})",
      "cases.json");
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_EQ(result->failures.size(), 2U);
  EXPECT_THAT(result->failures[0].actual, HasSubstr("must be an object, not a number"));
}

}  // namespace
}  // namespace fitment
