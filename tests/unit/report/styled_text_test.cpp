// SPDX-License-Identifier: Apache-2.0
#include "report/styled_text.h"

#include "report/display_width.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;

std::vector<std::string> wrapped(const StyledText& text, std::size_t width) {
  std::vector<std::string> lines;
  for (const StyledText& line : wrap(text, width)) {
    lines.push_back(line.plain());
  }
  return lines;
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("naïve"), 5U);
  EXPECT_EQ(display_width("e\u0301"), 1U);  // a combining accent
  EXPECT_EQ(display_width("語"), 2U);
  EXPECT_EQ(display_width("\U0001f600"), 2U);
  EXPECT_EQ(display_width("├──"), 3U);
  EXPECT_EQ(display_width("a\xff"), 2U);
}

TEST(DisplayWidth, RefusesMalformedUtf8) {
  for (const std::string_view bytes :
       {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe8\xaa", "\xf4\x90\x80\x80"}) {
    EXPECT_FALSE(decode_utf8(bytes).valid);
  }
  EXPECT_TRUE(decode_utf8("\xf4\x8f\xbf\xbf").valid);
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("tab\tline\nend\r"), "tab    line\nend\\x0d");
  EXPECT_EQ(printable("\xff\xc2\x9b"),
            "\\xff\\x9b");                          // a stray byte, and the 8-bit form of an escape
  EXPECT_EQ(printable("a\u202eb"), "a\\u{202e}b");  // right-to-left override
  EXPECT_EQ(printable("naïve 語"), "naïve 語");
}

TEST(Wrap, BreaksAtBlanksAndNeverCutsAWord) {
  EXPECT_THAT(wrapped("the quick brown fox", 9), ElementsAre("the quick", "brown fox"));
  EXPECT_THAT(wrapped("a https://example.org/very/long b", 10),
              ElementsAre("a", "https://example.org/very/long", "b"));
  EXPECT_THAT(wrapped("", 10), ElementsAre(""));
  EXPECT_THAT(wrapped("two  blanks ", 80), ElementsAre("two blanks"));
  EXPECT_THAT(wrapped("語語 語語", 5), ElementsAre("語語", "語語"));
}

TEST(Wrap, KeepsLineEnds) {
  EXPECT_THAT(wrapped("one\ntwo three\n\nfour", 80), ElementsAre("one", "two three", "", "four"));
}

TEST(Wrap, KeepsRolesAcrossLines) {
  StyledText text("run ");
  text.add("fitment probe", Role::literal).add(" now");
  const Theme colour{.colour = true};
  std::vector<std::string> lines;
  for (const StyledText& line : wrap(text, 12)) {
    lines.push_back(line.render(colour));
  }
  EXPECT_THAT(lines, ElementsAre("run \x1b[36mfitment\x1b[0m", "\x1b[36mprobe\x1b[0m now"));
}

TEST(WrapParagraphs, KeepsParagraphsAndExamples) {
  EXPECT_EQ(wrap_paragraphs("one two\nthree\n\n  an   example\nfour", 9),
            "one two\nthree\n\n  an   example\nfour\n");
  EXPECT_EQ(wrap_paragraphs("one two three", 10, "  "), "  one two\n  three\n");
  EXPECT_EQ(wrap_paragraphs("", 10), "");
}

}  // namespace
}  // namespace fitment
