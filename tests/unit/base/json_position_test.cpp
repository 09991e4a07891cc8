// SPDX-License-Identifier: Apache-2.0
#include "base/json_position.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

constexpr std::string_view kJson = R"({
  "a": [1, {"b\"x": [true, "}"]}, 3],
  "c": {"d": null}
})";

std::string_view value_at(const std::vector<std::string>& path) {
  return kJson.substr(find_json_value(kJson, path), 4);
}

TEST(JsonPosition, FindsValuesByPath) {
  EXPECT_EQ(value_at({"a"}), "[1, ");
  EXPECT_EQ(value_at({"a", "0"}), "1, {");
  EXPECT_EQ(value_at({"a", "1"}), "{\"b\\");
  EXPECT_EQ(value_at({"a", "2"}), "3],\n");
  EXPECT_EQ(value_at({"c", "d"}), "null");
}

TEST(JsonPosition, StopsAtTheDeepestValueThatExists) {
  EXPECT_EQ(value_at({"c", "missing"}), "{\"d\"");
  EXPECT_EQ(value_at({"missing"}), "{\n  ");
  EXPECT_EQ(value_at({"a", "9"}), "[1, ");
}

TEST(JsonPosition, CountsLinesAndColumnsFromOne) {
  const Origin origin = origin_of_offset("x.json", kJson, find_json_value(kJson, {"c", "d"}));
  EXPECT_EQ(to_string(origin), "x.json:3:14");
}

TEST(JsonPosition, StaysInsideBrokenText) {
  for (std::size_t length = 0; length <= kJson.size(); ++length) {
    EXPECT_LE(find_json_value(kJson.substr(0, length), {"a", "1", "b", "7"}), length);
  }
}

}  // namespace
}  // namespace fitment
