// SPDX-License-Identifier: Apache-2.0
#include "report/error_text.h"

#include "report/human.h"

#include <gtest/gtest.h>

#include <limits>

namespace fitment {
namespace {

Error bad_version() {
  return fail(ErrorCode::parse_error, "not a version: `1..2`")
      .at({"catalog/torch.toml", 12, 4})
      .while_doing("reading the catalogue")
      .hint("write `1.2`")
      .hint("`fitment catalog check` names all such rows");
}

TEST(RenderError, HasOneLineForEachPart) {
  EXPECT_EQ(render_error(bad_version(), {}),
            "error: not a version: `1..2`\n"
            "  while reading the catalogue\n"
            "  at catalog/torch.toml:12:4\n"
            "\n"
            "hint: write `1.2`\n"
            "hint: `fitment catalog check` names all such rows\n");
  EXPECT_EQ(render_error(fail(ErrorCode::io_error, "disk full"), {}), "error: disk full\n");
}

TEST(RenderError, ColoursWordsThatSayTheSameWithoutColour) {
  EXPECT_EQ(
      render_error(fail(ErrorCode::io_error, "disk full").hint("make room"), {.colour = true}),
      "\x1b[31merror:\x1b[0m disk full\n\n\x1b[36mhint:\x1b[0m make room\n");
}

TEST(RenderError, NeverPassesControlCharactersOn) {
  EXPECT_EQ(
      render_error(
          fail(ErrorCode::parse_error, "bad name `\x1b]0;x\x07`").at({"a\x1b.json", {}, {}, 16}),
          {}),
      "error: bad name `\\x1b]0;x\\x07`\n  at a\\x1b.json+0x10\n");
}

TEST(RenderErrorJson, CarriesEveryPart) {
  EXPECT_EQ(
      render_error_json(bad_version()),
      R"({"schema":"fitment.error/1","error":{"code":"parse_error","message":"not a version: `1..2`",)"
      R"("steps":["reading the catalogue"],"origin":{"source":"catalog/torch.toml","line":12,"column":4},)"
      R"("hints":["write `1.2`","`fitment catalog check` names all such rows"]}})"
      "\n");
  EXPECT_EQ(render_error_json(fail(ErrorCode::internal, "\xff")),
            R"({"schema":"fitment.error/1","error":{"code":"internal","message":")"
            "\xef\xbf\xbd"
            R"(","steps":[],"origin":null,"hints":[]}})"
            "\n");
}

TEST(HumanBytes, UsesDecimalUnitsWithOneDigit) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(1'249), "1.2 kB");
  EXPECT_EQ(human_bytes(1'250), "1.3 kB");
  EXPECT_EQ(human_bytes(999'949), "999.9 kB");
  EXPECT_EQ(human_bytes(999'950), "1.0 MB");
  EXPECT_EQ(human_bytes(85'520'809'984), "85.5 GB");
  EXPECT_EQ(human_bytes(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(HumanCount, KnowsOneFromMany) {
  EXPECT_EQ(human_count(0, "build"), "0 builds");
  EXPECT_EQ(human_count(1, "build"), "1 build");
  EXPECT_EQ(human_count(2, "library", "libraries"), "2 libraries");
}

}  // namespace
}  // namespace fitment
