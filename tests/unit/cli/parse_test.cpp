// SPDX-License-Identifier: Apache-2.0
// The parser on tables made for the test, with everything that a table can say.
#include "cli/parse.h"

#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Source = Invocation::Source;

Result<int> do_nothing(const Invocation& /*invocation*/, Streams& /*streams*/) {
  return 0;
}

std::vector<CommandSpec> tables() {
  return {
      {.name = "plan",
       .group = "Choose",
       .summary = "pick the build",
       .arguments = {{.name = "REQUIREMENT", .help = "what", .count = ArgumentSpec::Count::any}},
       .options =
           {{.name = "machine",
             .help = "facts",
             .value = "FILE",
             .letter = 'm',
             .repeatable = true,
             .completes = Completes::file},
            {.name = "backend",
             .help = "pin",
             .value = "NAME",
             .choices = {"cpu", "cu128"},
             .environment = "FITMENT_BACKEND"},
            {.name = "python", .help = "version", .value = "VERSION", .default_value = "3.12"},
            {.name = "allow-cpu", .help = "accept a CPU build"}},
       .json = true,
       .handler = do_nothing},
      {.name = "probe", .group = "Choose", .summary = "look", .handler = do_nothing},
      {.name = "copy",
       .group = "Files",
       .summary = "copy",
       .arguments = {{.name = "FROM", .help = "files", .count = ArgumentSpec::Count::at_least_one},
                     {.name = "TO", .help = "a folder", .completes = Completes::folder}},
       .handler = do_nothing},
      {.name = "catalog",
       .group = "Choose",
       .summary = "known builds",
       .subcommands = {
           {.name = "show",
            .summary = "rows",
            .arguments =
                {{.name = "NAME", .help = "a package"},
                 {.name = "VERSION", .help = "a version", .count = ArgumentSpec::Count::optional}},
            .handler = do_nothing},
           {.name = "check", .summary = "find contradictions", .handler = do_nothing}}}};
}

ParseOutcome parse(const std::vector<std::string>& words, const Environment& environment = {}) {
  static const std::vector<CommandSpec> kTables = tables();
  return parse_arguments(words, kTables, environment);
}

std::string message(const std::vector<std::string>& words, const Environment& environment = {}) {
  const ParseOutcome outcome = parse(words, environment);
  return outcome.error ? to_string(*outcome.error) : "no error";
}

TEST(Parse, FillsInValuesAndWhereTheyCameFrom) {
  const ParseOutcome outcome = parse({"plan", "torch", "-m", "a.json", "--machine=b.json", "numpy"},
                                     {{"FITMENT_BACKEND", "cu128"}});
  ASSERT_TRUE(outcome.invocation);
  const Invocation& plan = *outcome.invocation;
  EXPECT_THAT(plan.list("REQUIREMENT"), ElementsAre("torch", "numpy"));
  EXPECT_THAT(plan.list("machine"), ElementsAre("a.json", "b.json"));
  EXPECT_EQ(plan.get("backend"), "cu128");
  EXPECT_EQ(plan.source("backend"), Source::environment);
  EXPECT_EQ(plan.get("python"), "3.12");
  EXPECT_EQ(plan.source("python"), Source::default_value);
  EXPECT_FALSE(plan.flag("allow-cpu"));
  EXPECT_EQ(plan.source("allow-cpu"), Source::not_given);
  EXPECT_FALSE(plan.json());
}

TEST(Parse, TheCommandLineBeatsTheEnvironment) {
  const ParseOutcome outcome = parse({"plan", "--backend", "cpu"}, {{"FITMENT_BACKEND", "cu128"}});
  ASSERT_TRUE(outcome.invocation);
  EXPECT_EQ(outcome.invocation->get("backend"), "cpu");
  EXPECT_EQ(outcome.invocation->source("backend"), Source::command_line);
}

TEST(Parse, TakesGlobalOptionsAnywhereAndNamesOfCommandsAsWords) {
  const ParseOutcome outcome =
      parse({"-vv", "--offline", "plan", "probe", "catalog", "--json", "-q", "-"});
  ASSERT_TRUE(outcome.invocation);
  EXPECT_EQ(outcome.invocation->verbosity(), 1);
  EXPECT_TRUE(outcome.invocation->offline());
  EXPECT_TRUE(outcome.invocation->json());
  EXPECT_THAT(outcome.invocation->list("REQUIREMENT"), ElementsAre("probe", "catalog", "-"));
}

TEST(Parse, WordsAfterTwoDashesAreArguments) {
  const ParseOutcome outcome = parse({"plan", "torch", "--", "--json", "-x"});
  ASSERT_TRUE(outcome.invocation);
  EXPECT_THAT(outcome.invocation->list("REQUIREMENT"), ElementsAre("torch", "--json", "-x"));
  EXPECT_FALSE(outcome.invocation->json());
}

TEST(Parse, DealsArgumentsOut) {
  const ParseOutcome copy = parse({"copy", "a", "b", "c"});
  ASSERT_TRUE(copy.invocation);
  EXPECT_THAT(copy.invocation->list("FROM"), ElementsAre("a", "b"));
  EXPECT_EQ(copy.invocation->get("TO"), "c");
  EXPECT_THAT(message({"copy", "a"}), HasSubstr("needs TO: a folder"));
  EXPECT_THAT(message({"copy"}), HasSubstr("needs FROM: files"));
  const ParseOutcome show = parse({"catalog", "show", "torch"});
  ASSERT_TRUE(show.invocation);
  EXPECT_THAT(show.invocation->path(), ElementsAre("catalog", "show"));
  EXPECT_EQ(show.invocation->find("VERSION"), std::nullopt);
}

TEST(Parse, SaysWhatIsWrong) {
  EXPECT_EQ(message({"porbe"}), "unknown command `porbe`\nhint: did you mean `fitment probe`?");
  EXPECT_EQ(message({"catalog", "shw"}),
            "unknown command `catalog shw`\nhint: did you mean `fitment catalog show`?");
  EXPECT_EQ(
      message({"catalog", "frobnicate"}),
      "unknown command `catalog frobnicate`\nhint: `fitment catalog --help` lists the commands");
  EXPECT_EQ(message({"catalog", "probe"}),
            "unknown command `catalog probe`\nhint: `fitment catalog --help` lists the commands");
  EXPECT_EQ(message({"plan", "--machin", "x"}),
            "unknown option `--machin` of `fitment plan`\nhint: did you mean `--machine`?");
  EXPECT_EQ(message({"plan", "--backend"}),
            "`--backend` needs a value\nhint: `--backend NAME`: pin: cpu, cu128 (variable: "
            "FITMENT_BACKEND)");
  EXPECT_EQ(message({"plan", "--python", "--json"}),
            "`--python` needs a value\nhint: `--python VERSION`: version (default: 3.12)");
  EXPECT_EQ(
      message({"plan", "--backend", "cu129"}),
      "`--backend` cannot be `cu129`\nhint: did you mean `cu128`?\nhint: choose one of cpu, cu128");
  EXPECT_EQ(message({"plan"}, {{"FITMENT_BACKEND", "rocm"}}),
            "`FITMENT_BACKEND` cannot be `rocm`\nhint: choose one of cpu, cu128");
  EXPECT_EQ(message({"plan", "--python", "3", "--python", "4"}),
            "`--python` is given more than once\nhint: keep one of them");
  EXPECT_EQ(message({"plan", "--allow-cpu=no"}),
            "`--allow-cpu` takes no value\nhint: write `--allow-cpu` alone");
  EXPECT_EQ(message({"probe", "--json"}),
            "`fitment probe` has no JSON answer\nhint: leave `--json` out: what it prints has a "
            "form of its own");
  EXPECT_EQ(message({"probe", "x"}),
            "`fitment probe` does not take `x`\nhint: `fitment probe --help` shows what it takes");
}

TEST(Parse, RemembersThatErrorsShallBeDocuments) {
  EXPECT_TRUE(parse({"plan", "--json", "--backend", "x"}).json);
  EXPECT_FALSE(parse({"plan", "--backend", "x"}).json);
}

TEST(Parse, ShowsHelpForGroupsAndOnRequest) {
  EXPECT_EQ(parse({}).kind, ParseOutcome::Kind::help);
  const ParseOutcome group = parse({"catalog"});
  EXPECT_EQ(group.kind, ParseOutcome::Kind::help);
  EXPECT_THAT(group.path, ElementsAre("catalog"));
  const ParseOutcome wrong = parse({"plan", "--frobnicate", "-h"});
  EXPECT_EQ(wrong.kind, ParseOutcome::Kind::help);
  EXPECT_THAT(wrong.path, ElementsAre("plan"));
  EXPECT_EQ(parse({"--version"}).kind, ParseOutcome::Kind::version);
}

TEST(Invocation, ANameThatIsNotInTheTableIsABug) {
  const ParseOutcome outcome = parse({"plan"});
  ASSERT_TRUE(outcome.invocation);
  EXPECT_THROW((void)outcome.invocation->flag("no-such-option"), std::logic_error);
}

TEST(Completion, KnowsSubcommandsValuesAndFolders) {
  const std::string bash = bash_completion(tables());
  EXPECT_THAT(bash, HasSubstr("'') echo 'plan probe copy catalog' ;;"));
  EXPECT_THAT(bash, HasSubstr("'catalog') echo 'show check' ;;"));
  EXPECT_THAT(bash, HasSubstr("'plan --machine'|'plan -m') echo '@files' ;;"));
  EXPECT_THAT(bash, HasSubstr("'plan --backend') echo 'cpu cu128' ;;"));
  EXPECT_THAT(bash, HasSubstr("'copy') echo '@folders' ;;"));
  EXPECT_THAT(zsh_completion(tables()), HasSubstr("'--backend=[pin]:NAME:(cpu cu128)'"));
  EXPECT_THAT(fish_completion(tables()), HasSubstr("-l backend -xa 'cpu cu128'"));
}

}  // namespace
}  // namespace fitment
