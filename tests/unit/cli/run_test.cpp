// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include "cli/exit_code.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fitment {
namespace {

Result<int> answer_no(const Invocation& /*invocation*/, Streams& streams) {
  streams.out << "no\n";
  streams.note("talk");
  streams.warn("careful");
  streams.detail("detail");
  return kExitNo;
}

Result<int> fail_to_read(const Invocation& /*invocation*/, Streams& /*streams*/) {
  return fail(ErrorCode::io_error, "cannot read `x`");
}

struct Ran {
  int code;
  std::string out;
  std::string err;
};

Ran run(const std::vector<std::string>& words, const Environment& environment = {}) {
  const std::vector<CommandSpec> commands{
      {.name = "ask", .summary = "ask", .json = true, .handler = answer_no},
      {.name = "read", .summary = "read", .json = true, .handler = fail_to_read}};
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_program({words, environment, {}}, commands, out, err);
  return {code, out.str(), err.str()};
}

TEST(RunProgram, KeepsTheAnswerApartFromTalk) {
  const Ran asked = run({"ask"});
  EXPECT_EQ(asked.code, kExitNo);
  EXPECT_EQ(asked.out, "no\n");
  EXPECT_EQ(asked.err, "talk\nwarning: careful\n");
}

TEST(RunProgram, TalksAsMuchAsAskedFor) {
  EXPECT_EQ(run({"ask", "-q"}).err, "warning: careful\n");
  EXPECT_EQ(run({"ask", "-qq"}).err, "");
  EXPECT_EQ(run({"ask", "-v"}).err, "talk\nwarning: careful\ndetail\n");
}

TEST(RunProgram, RendersErrorsAsTextOrDocument) {
  const Ran text = run({"read"});
  EXPECT_EQ(text.code, kExitWorld);
  EXPECT_EQ(text.err, "error: cannot read `x`\n");
  const Ran document = run({"read", "--json"});
  EXPECT_EQ(document.code, kExitWorld);
  EXPECT_EQ(document.err.front(), '{');
  EXPECT_EQ(document.out, "");
}

TEST(MakeTheme, DecidesByOptionThenVariablesThenTerminal) {
  const Terminal terminal{.out_is_terminal = true, .columns = 120};
  const auto colour = [&terminal](
                          const Environment& environment, bool is_terminal, ColourChoice choice) {
    return make_theme(environment, terminal, is_terminal, choice).colour;
  };
  EXPECT_TRUE(colour({}, true, ColourChoice::automatic));
  EXPECT_FALSE(colour({}, false, ColourChoice::automatic));
  EXPECT_FALSE(colour({{"TERM", "dumb"}}, true, ColourChoice::automatic));
  EXPECT_FALSE(colour({{"NO_COLOR", "1"}}, true, ColourChoice::automatic));
  EXPECT_TRUE(colour({{"NO_COLOR", ""}}, true, ColourChoice::automatic));
  EXPECT_TRUE(colour({{"CLICOLOR_FORCE", "1"}}, false, ColourChoice::automatic));
  EXPECT_FALSE(colour({{"CLICOLOR_FORCE", "0"}}, false, ColourChoice::automatic));
  EXPECT_TRUE(colour({{"NO_COLOR", "1"}}, false, ColourChoice::always));
  EXPECT_FALSE(colour({{"CLICOLOR_FORCE", "1"}}, true, ColourChoice::never));
}

TEST(MakeTheme, TakesWidthAndDrawingFromTheEnvironment) {
  const Terminal terminal{.out_is_terminal = true, .columns = 120};
  const auto theme = [&terminal](const Environment& environment, bool is_terminal) {
    return make_theme(environment, terminal, is_terminal, ColourChoice::never);
  };
  EXPECT_EQ(theme({}, true).width, 120U);
  EXPECT_EQ(theme({}, false).width, 80U);
  EXPECT_EQ(theme({{"COLUMNS", "60"}}, true).width, 60U);
  EXPECT_EQ(theme({{"COLUMNS", "3"}}, true).width, 40U);
  EXPECT_EQ(theme({{"COLUMNS", "wide"}}, true).width, 120U);
  EXPECT_FALSE(theme({}, true).unicode);
  EXPECT_TRUE(theme({{"LANG", "de_DE.UTF-8"}}, true).unicode);
  EXPECT_FALSE(theme({{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}}, true).unicode);
}

TEST(ExitCode, SaysWhoCanHelp) {
  EXPECT_EQ(exit_code(ErrorCode::invalid_argument), 2);
  EXPECT_EQ(exit_code(ErrorCode::parse_error), 2);
  EXPECT_EQ(exit_code(ErrorCode::network_error), 3);
  EXPECT_EQ(exit_code(ErrorCode::internal), 70);
}

}  // namespace
}  // namespace fitment
