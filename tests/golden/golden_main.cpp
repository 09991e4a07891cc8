// SPDX-License-Identifier: Apache-2.0
// Golden cases: fitment run as users run it. A case is a folder, named in words for the behaviour
// that it shows:
//
//   tests/golden/<area>/<behaviour>/
//     cmd       a sh script; `fitment` is the built program, $TESTS the folder tests/
//     input/    copied into the (else empty) folder in which cmd runs
//     stdout    what must be printed; absent: nothing
//     stderr    the same for standard error
//     exit      the exit code; absent: 0
//     files/    the folder's files afterwards; absent: as in input/
//
// HOME, caches, locale, width, colour and clock are fixed; nothing else of the environment is
// passed on. In outputs the names [TMP], [TESTS], [VERSION], [TIME], [DIGEST] and [TAG] stand for
// what differs between runs (filters.h). A document with a "schema" key, on either stream, is
// validated against schemas/ as well.
//
// FITMENT_ACCEPT=1 rewrites the expectations; look at the difference before you commit it. One case
// or area alone: GTEST_FILTER='*explain*' ./dev test golden
#include "base/files.h"
#include "golden/golden_case.h"
#include "golden/json_schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace fitment::golden {
namespace {

class Golden : public testing::TestWithParam<Case> {};

void expect_same(std::string_view what, const std::string& expected, const std::string& actual) {
  EXPECT_TRUE(expected == actual) << what << " differs:\n" << diff_texts(expected, actual);
}

TEST_P(Golden, Case) {
  const Case& golden_case = GetParam();
  const Result<RunResult> run = run_case(golden_case);
  ASSERT_TRUE(run) << to_string(run.error());
  for (const std::string& text : {run->raw_out, run->raw_err}) {
    for (const std::string& problem : schema_problems(text)) {
      ADD_FAILURE() << "does not follow its schema: " << problem;
    }
  }
  const Outcome& actual = run->outcome;
  const char* accepting =
      std::getenv("FITMENT_ACCEPT");  // NOLINT(concurrency-mt-unsafe): one thread
  if (accepting != nullptr && std::string_view(accepting) == "1") {
    accept(golden_case, actual);
    return;
  }
  const Outcome expected = read_expected(golden_case);
  EXPECT_EQ(expected.exit, actual.exit) << "exit code";
  expect_same("stdout", expected.out, actual.out);
  expect_same("stderr", expected.err, actual.err);
  expect_same("the tree of files", to_text(expected.files), to_text(actual.files));
  if (HasFailure()) {
    fmt::print("case {}\n  $ {}\n",
               golden_case.folder.string(),
               read_file(golden_case.folder / "cmd").value_or(""));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         Golden,
                         testing::ValuesIn(find_cases(FITMENT_TESTS_DIR "/golden")),
                         [](const testing::TestParamInfo<Case>& of) { return of.param.name; });

}  // namespace
}  // namespace fitment::golden
