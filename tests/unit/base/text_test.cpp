// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include "base/closest.h"
#include "base/digest.h"
#include "base/md5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;

TEST(Text, SplitsKeepingEmptyPieces) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split_words("  a \t b\n"), ElementsAre("a", "b"));
  EXPECT_THAT(split_lines("a\r\n\nb\n"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_lines(""), ElementsAre());
}

TEST(Text, ReadsWholeNumbersOnly) {
  EXPECT_EQ(parse_unsigned("042"), 42U);
  EXPECT_EQ(parse_hex("0x10de"), 0x10deU);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "18446744073709551616"}) {
    EXPECT_FALSE(parse_unsigned(text)) << text;
  }
}

TEST(Closest, OffersTheNearestKnownWord) {
  const std::vector<std::string> known{"probe", "plan", "explain", "catalog"};
  EXPECT_EQ(find_closest("porbe", known), "probe");
  EXPECT_EQ(find_closest("catalgo", known), "catalog");
  EXPECT_EQ(find_closest("zzzzzz", known), std::nullopt);
}

TEST(Digest, IsSha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // d41d8cd98f00b204e9800998ecf8427e and 900150983cd24fb0d6963f7d28e17f72
  EXPECT_EQ(md5_start(""), 0x04b2'008f'd98c'1dd4U);
  EXPECT_EQ(md5_start("abc"), 0xb04f'd23c'9850'0190U);
}

}  // namespace
}  // namespace fitment
