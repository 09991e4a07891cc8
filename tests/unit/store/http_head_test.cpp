// SPDX-License-Identifier: Apache-2.0
#include "store/http_head.h"

#include "store/retry.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

using std::chrono::milliseconds;

TEST(HttpHead, LaterStatusLinesBeginANewHead) {
  FetchHead head;
  for (const char* line : {"HTTP/1.1 100 Continue\r\n",
                           "ETag: \"interim\"\r\n",
                           "\r\n",
                           "HTTP/2 206\r\n",
                           "content-TYPE:  text/html; charset=utf-8 \r\n",
                           "ETag: \"x\"\r\n",
                           "Content-Length: 5\r\n",
                           "Content-Range: bytes 5-9/10\r\n",
                           "no colon\r\n"}) {
    take_header_line(line, head);
  }
  EXPECT_EQ(head.status, 206);
  EXPECT_EQ(head.etag, "\"x\"");
  EXPECT_EQ(head.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(head.content_length, 5);
  ASSERT_TRUE(head.content_range);
  EXPECT_EQ(head.content_range->first, 5);
  EXPECT_EQ(head.content_range->last, 9);
  EXPECT_EQ(head.content_range->size, 10);
}

TEST(HttpHead, RangesThatMakeNoSense) {
  EXPECT_EQ(parse_content_range("bytes 0-4/*")->size, std::nullopt);
  EXPECT_EQ(parse_content_range("BYTES 0-4/5")->size, 5);
  for (const char* text : {"",
                           "bytes",
                           "bytes */10",
                           "bytes 5-4/10",
                           "bytes 0-10/10",
                           "bytes 0-4",
                           "bytes 0-4/5/6",
                           "bytes -1-4/5",
                           "bytes 0-99999999999999999999/*",
                           "items 0-4/5"}) {
    EXPECT_FALSE(parse_content_range(text)) << text;
  }
}

TEST(HttpHead, WeakETagsValidateNoRange) {
  FetchHead head;
  head.etag = "W/\"x\"";
  EXPECT_EQ(head.strong_validator(), "");
  head.etag = "\"x\"";
  EXPECT_EQ(head.strong_validator(), "\"x\"");
}

TEST(Retry, DelaysDoubleUpToALimitAndEnd) {
  RetrySchedule schedule({.attempts = 4,
                          .first_delay = milliseconds(100),
                          .longest_delay = milliseconds(150),
                          .longest_wished = milliseconds(1000)},
                         7);
  const auto first = schedule.next({});
  ASSERT_TRUE(first);
  EXPECT_GE(*first, milliseconds(50));
  EXPECT_LE(*first, milliseconds(100));
  const auto second = schedule.next({});
  EXPECT_GE(second.value(), milliseconds(75));
  EXPECT_LE(second.value(), milliseconds(150));
  EXPECT_EQ(schedule.next(milliseconds(900)), milliseconds(900));
  EXPECT_FALSE(schedule.next({}));
}

TEST(Retry, AServerThatWantsTooMuchIsGivenUp) {
  RetrySchedule schedule({.longest_wished = milliseconds(1000)}, 7);
  EXPECT_FALSE(schedule.next(milliseconds(1001)));
}

TEST(Retry, AfterSecondsOrADate) {
  const auto now = std::chrono::system_clock::from_time_t(784111777);  // the date of RFC 9110
  EXPECT_EQ(parse_retry_after(" 120 ", now), std::chrono::seconds(120));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:47 GMT", now), std::chrono::seconds(10));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:00 GMT", now), std::chrono::seconds(0));
  EXPECT_EQ(parse_retry_after("99999999999999999", now), std::chrono::hours(366 * 24));
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", now), std::chrono::hours(366 * 24));
  for (const char* text : {"", "-1", "soon", "1.5", "Sun, 06 Nov 1994"}) {
    EXPECT_FALSE(parse_retry_after(text, now)) << text;
  }
}

}  // namespace
}  // namespace fitment
