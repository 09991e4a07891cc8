// SPDX-License-Identifier: Apache-2.0
#include "base/shell.h"

#include "base/process.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Shell, words_that_need_no_quotes_have_none) {
  for (const char* plain : {"torch",
                            "torch==2.8.0+cu128",
                            "--index-url",
                            "http://127.0.0.1:80/simple/",
                            "a@b,c%20_d"}) {
    EXPECT_EQ(shell_word(plain), plain);
  }
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("jax[cuda12]"), "'jax[cuda12]'");
  EXPECT_EQ(shell_line({}), "");
  EXPECT_EQ(shell_line({"pip", "install", "torch>=2", ""}), "pip install 'torch>=2' ''");
}

TEST(Shell, a_shell_reads_every_byte_back) {
  std::vector<std::string> command = {
      "printf", "%s\\0", "~", "#", "a b", "$HOME", "`id`", "!", "\\", "a\nb", "''", "\xff\xc3"};
  for (int byte = 1; byte < 256; ++byte) {
    command.push_back(std::string("x") + static_cast<char>(byte));
    command.emplace_back(1, static_cast<char>(byte));
  }
  std::string expected;
  for (std::size_t i = 2; i < command.size(); ++i) {
    expected += command[i];
    expected += '\0';
  }
  const auto ran = run_process({"/bin/sh", "-c", shell_line(command)});
  ASSERT_TRUE(ran) << to_string(ran.error());
  EXPECT_EQ(ran->out, expected);
}

}  // namespace
}  // namespace fitment
