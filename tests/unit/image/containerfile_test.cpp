// SPDX-License-Identifier: Apache-2.0
#include "image/containerfile.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Containerfile, ScriptsBecomeOneCommand) {
  EXPECT_EQ(join_script("# why\n\na\nb\n"), "a; b");
  EXPECT_EQ(join_script("if x; then\n  a\nelse\n  b\nfi\nc"), "if x; then a; else b; fi; c");
  EXPECT_EQ(join_script("for i in 1 2; do\n  a\ndone"), "for i in 1 2; do a; done");
  EXPECT_EQ(join_script("case $x in\n  a) b ;;\nesac"), "case $x in a) b ;; esac");
  EXPECT_EQ(join_script("a &&\n  b ||\n  c"), "a && b || c");
}

TEST(Containerfile, AStepStopsAtItsFirstFailure) {
  EXPECT_EQ(run_instruction({}, "a\nb"), "RUN set -eu; \\\n    a; \\\n    b\n");
  EXPECT_EQ(run_instruction({bind_mount("inputs/x", "/run/x")}, "a"),
            "RUN --mount=type=bind,source=inputs/x,target=/run/x \\\n    set -eu; \\\n    a\n");
}

TEST(Containerfile, ValuesAreQuoted) {
  EXPECT_EQ(env_instruction({{"A", "x \"y\""}, {"PATH", "/a:${PATH}"}}),
            "ENV A=\"x \\\"y\\\"\" \\\n    PATH=\"/a:${PATH}\"\n");
  EXPECT_EQ(label_instruction({{"a.b", "costs $5"}}), "LABEL a.b=\"costs \\$5\"\n");
  EXPECT_EQ(env_instruction({}), "");
}

TEST(Containerfile, WordsAreFilledIn) {
  EXPECT_EQ(fill_in("x @python@ @other@", {{"python", "3.12"}}), "x 3.12 @other@");
}

}  // namespace
}  // namespace fitment
