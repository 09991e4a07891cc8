// SPDX-License-Identifier: Apache-2.0
#include "base/dotted_version.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

DottedVersion version(std::string_view text) {
  return DottedVersion::parse(text).value();
}

TEST(DottedVersion, ComparesNumberByNumber) {
  EXPECT_LT(version("535.161.08"), version("550.54.15"));
  EXPECT_LT(version("12.8"), version("12.10"));
  EXPECT_EQ(version("450.80.2"), version("450.80.02"));
  EXPECT_EQ(version("12"), version("12.0.0"));
  EXPECT_LT(version("9.9"), version("10"));
}

TEST(DottedVersion, KeepsItsText) {
  EXPECT_EQ(version("450.80.02").text(), "450.80.02");
}

TEST(DottedVersion, RefusesWhatIsNotNumbersAndDots) {
  for (const char* text : {"",
                           ".",
                           "1.",
                           ".1",
                           "1..2",
                           "1.a",
                           "v1",
                           "1.2-3",
                           " 1",
                           "1.2.3.4.5.6.7.8.9",
                           "99999999999"}) {
    EXPECT_FALSE(DottedVersion::parse(text).has_value()) << text;
  }
}

TEST(DottedVersion, PrefixStopsAtTheSuffix) {
  EXPECT_EQ(DottedVersion::parse_prefix("6.8.0-64-generic").value().text(), "6.8.0");
  EXPECT_EQ(DottedVersion::parse_prefix("6.2.4-123").value().text(), "6.2.4");
  EXPECT_EQ(DottedVersion::parse_prefix("12.").value().text(), "12");
  EXPECT_FALSE(DottedVersion::parse_prefix("generic").has_value());
}

}  // namespace
}  // namespace fitment
