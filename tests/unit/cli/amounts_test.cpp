// SPDX-License-Identifier: Apache-2.0
#include "cli/amounts.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Amounts, Bytes) {
  EXPECT_EQ(parse_byte_count("500").value(), 500);
  EXPECT_EQ(parse_byte_count("20GB").value(), 20'000'000'000);
  EXPECT_EQ(parse_byte_count("20 gb").value(), 20'000'000'000);
  EXPECT_EQ(parse_byte_count("4GiB").value(), 4ULL << 30U);
  EXPECT_EQ(parse_byte_count("3k").value(), 3000);
  for (const char* text : {"", "GB", "-1GB", "1.5GB", "1XB", "9999999999TB", "1 G B"}) {
    EXPECT_FALSE(parse_byte_count(text)) << text;
  }
}

TEST(Amounts, Spans) {
  EXPECT_EQ(parse_time_span("30d").value(), std::chrono::hours(720));
  EXPECT_EQ(parse_time_span("2w").value(), std::chrono::hours(336));
  for (const char* text : {"30", "", "d", "1y", "99999999999999999999s"}) {
    EXPECT_FALSE(parse_time_span(text)) << text;
  }
}

}  // namespace
}  // namespace fitment
