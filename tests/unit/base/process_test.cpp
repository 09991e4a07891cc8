// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace fitment {
namespace {

TEST(Process, ReturnsOutputAndStatus) {
  const auto outcome = run_process({"sh", "-c", "cat; echo err >&2; exit 3"}, {.input = "in"});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out, "in");
  EXPECT_EQ(outcome->err, "err\n");
  EXPECT_EQ(outcome->code, 3);
}

TEST(Process, KillsWhatHangs) {
  const auto outcome = run_process({"sleep", "60"}, {.timeout = std::chrono::milliseconds(50)});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, ProcessOutcome::End::timed_out);
}

TEST(Process, MissingProgramIsAnError) {
  const auto outcome = run_process({"fitment-no-such-program"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::external_tool);
}

TEST(Process, ChildThatCrashesIsSeen) {
  const auto outcome = run_in_child(
      [](int fd) {
        [[maybe_unused]] const auto put = ::write(fd, "half", 4);
        std::abort();
        return 0;
      },
      std::chrono::seconds(5));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, ProcessOutcome::End::signalled);
  EXPECT_EQ(outcome->out, "half");
}

TEST(Process, AChildDiesOfABrokenPipeAlthoughTheParentIgnoresIt) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const auto outcome = run_process({"sh", "-c", "kill -PIPE $$; echo still here"});
  std::signal(SIGPIPE, before);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->end, ProcessOutcome::End::signalled);
  EXPECT_EQ(outcome->code, SIGPIPE);
  EXPECT_EQ(outcome->out, "");
}

}  // namespace
}  // namespace fitment
