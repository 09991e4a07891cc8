// SPDX-License-Identifier: Apache-2.0
#include "wheel/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(RecordFile, IsReadAsPythonWritesIt) {
  const auto record = parse_record(
      "torch/lib/libc10.so,sha256=nYGY4ilu,13224\r\n\"a,\"\"b\"\".txt\",,\n\n"
      "\"two\nlines\",sha256=x,0\nt.dist-info/RECORD,,",
      "RECORD");
  ASSERT_TRUE(record.has_value()) << to_string(record.error());
  EXPECT_THAT(*record,
              ElementsAre(RecordEntry{"torch/lib/libc10.so", "sha256", "nYGY4ilu", 13224},
                          RecordEntry{"a,\"b\".txt", "", "", {}},
                          RecordEntry{"two\nlines", "sha256", "x", 0},
                          RecordEntry{"t.dist-info/RECORD", "", "", {}}));
  const std::string text = write_record(*record);
  EXPECT_EQ(*parse_record(text, "RECORD"), *record) << "writing and reading loses nothing";
}

TEST(RecordFile, ADigestCannotAddLines) {
  const auto record = parse_record("a,\"sha256=x,1\n\"\"/etc/passwd\"\",,\",2\n", "RECORD");
  ASSERT_TRUE(record.has_value()) << to_string(record.error());
  EXPECT_THAT(*record, ElementsAre(RecordEntry{"a", "sha256", "x,1\n\"/etc/passwd\",,", 2}));
  EXPECT_EQ(parse_record(write_record(*record), "RECORD").value(), *record);
}

TEST(RecordFile, ErrorsNameTheLine) {
  const auto error = [](std::string_view text) {
    const auto record = parse_record(text, "RECORD");
    return record ? std::string("none") : to_string(record.error());
  };
  EXPECT_THAT(error("a,,\n\"open,,\n"), HasSubstr("RECORD:2"));
  EXPECT_THAT(error("\"two\nlines\",,\nb,sha256,\n"), HasSubstr("RECORD:3"));
  EXPECT_THAT(error("a,,many\n"), HasSubstr("`many` is not a size"));
  EXPECT_THAT(error("a,,-1\n"), HasSubstr("not a size"));
  EXPECT_THAT(error(",,\n"), HasSubstr("a path is empty"));
  EXPECT_THAT(error("a,b=c,1,2\n"), HasSubstr("4 fields"));
  EXPECT_THAT(error("\"a\"b,,\n"), HasSubstr("after a closing quote"));
  EXPECT_EQ(error(""), "none");
}

TEST(RecordFile, PathsNeverClimbAboveTheRoot) {
  EXPECT_EQ(record_path("/v/lib/python3.12/site-packages", "../../../bin/x"), "/v/bin/x");
  EXPECT_EQ(record_path("/a", "./b//c"), "/a/b/c");
  EXPECT_EQ(record_path("/a", "../../../../etc/passwd"), "/etc/passwd");
  EXPECT_EQ(record_path("/a", "/opt/x"), "/opt/x");
  EXPECT_EQ(record_path("/", ".."), "/");
}

}  // namespace
}  // namespace fitment
