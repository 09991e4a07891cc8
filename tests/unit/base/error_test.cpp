// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Error, SaysWhatWhileWhereAndWhatNext) {
  const Error error = fail(ErrorCode::parse_error, "not a version: `x`")
                          .at({"a.toml", 3, 7})
                          .at({"outer", 1, 1})
                          .while_doing("reading the catalogue")
                          .hint("write `1.2`");
  EXPECT_EQ(
      to_string(error),
      "not a version: `x`\n  while reading the catalogue\n  at a.toml:3:7\nhint: write `1.2`");
}

TEST(Error, SurvivesBeingAssignedToItself) {
  Error error = fail(ErrorCode::not_found, "no rule `x`");
  for (const char* hint : {"first", "second"}) {
    error = std::move(error).hint(hint);
  }
  EXPECT_EQ(to_string(error), "no rule `x`\nhint: first\nhint: second");
}

TEST(Origin, NamesALineOrAnOffset) {
  EXPECT_EQ(to_string(Origin{"x", 2, {}}), "x:2");
  EXPECT_EQ(to_string(Origin{"lib.so", {}, {}, 0x1f0}), "lib.so+0x1f0");
  EXPECT_EQ(to_string(Origin{"--set"}), "--set");
}

}  // namespace
}  // namespace fitment
