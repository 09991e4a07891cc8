// SPDX-License-Identifier: Apache-2.0
// Records: reading, writing, comparing, holding, exports.
#include "record/chosen_file.h"
#include "record/compare.h"
#include "record/hold.h"
#include "record/pylock.h"
#include "record/record_file.h"
#include "record/record_installed.h"
#include "record/requirements_export.h"
#include "support/machines.h"
#include "wheel/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::nvidia_machine;

const std::string kDigest(64, 'a');
const std::string kOther(64, 'b');

RecordedPackage torch_package() {
  RecordedPackage package;
  package.name = "torch";
  package.request = "torch>=2.8";
  package.version = "2.8.0";
  package.backend = "cu128";
  package.requirement = "torch==2.8.0+cu128";
  package.index = "https://download.pytorch.org/whl/cu128";
  package.file = RecordedFile{"torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl",
                              "https://files.example/torch.whl",
                              123,
                              kDigest,
                              {}};
  package.why = {"native kernels for sm_90 \"H100\""};
  package.warnings = {{"minor-version", "text"}};
  return package;
}

LockRecord one_record() {
  LockRecord record;
  record.catalog = kDigest;
  record.rules = {"driver-floor"};
  record.requests = {"torch>=2.8"};
  RecordedTarget target;
  target.machine = nvidia_machine({"sm_90"}, "12.8");
  target.digest = facts_digest(target.machine);
  target.packages = {torch_package()};
  target.outside = {"numpy"};
  record.targets.push_back(std::move(target));
  return record;
}

TEST(RecordFormat, WritingAndReadingLosesNothing) {
  LockRecord record = one_record();
  record.policy.gpu = GpuVendor::nvidia;
  record.targets[0].packages[0].variant = "cu128";
  record.targets[0].packages[0].properties = {{"nvidia", "sm_arch", "90_real"}};
  record.targets[0].packages[0].file->derived_from = kOther;
  const std::string text = write_record_file(record);
  const auto read = parse_record_file(text, "fitment.lock.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(write_record_file(*read), text);
  EXPECT_THAT(compare_records(record, *read), IsEmpty());
  EXPECT_EQ(read->targets[0].machine.gpus.value_or({}).size(), 1U);
  EXPECT_EQ(read->targets[0].packages[0].file, record.targets[0].packages[0].file);
}

std::string error_of(const std::string& from, const std::string& to) {
  std::string text = write_record_file(one_record());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto record = parse_record_file(text, "x.json");
  return record ? "none" : to_string(record.error());
}

TEST(RecordFormat, ErrorsHaveTheirPlace) {
  EXPECT_THAT(to_string(parse_record_file("{", "x.json").error()), HasSubstr("x.json:1:"));
  EXPECT_THAT(to_string(parse_record_file(std::string(100, '['), "x.json").error()),
              HasSubstr("nest deeper"));
  EXPECT_THAT(error_of("fitment.lock/1", "fitment.lock/9"), HasSubstr("`fitment.lock/9`"));
  EXPECT_THAT(error_of("\"requests\"", "\"wishes\""), HasSubstr("`requests` is missing"));
  EXPECT_THAT(error_of("\"2.8.0\"", "\"2..8\""), HasSubstr("targets.0.packages.0"));
  EXPECT_THAT(error_of("\"size\": 123", "\"size\": -1"), HasSubstr("a size in bytes"));
  EXPECT_THAT(error_of("\"size\": 123", "\"size\": 1e999"), HasSubstr("too large"));
  EXPECT_THAT(error_of("sha256:a", "sha257:a"), HasSubstr("is not a digest"));
  EXPECT_THAT(error_of("\"verdict\": \"fits\"", "\"verdict\": \"no\""), HasSubstr("no verdict"));
  EXPECT_THAT(error_of("fitment.machine/1", "fitment.machine/9"), HasSubstr("x.json:"));
  EXPECT_THAT(error_of("\"prefer\": \"driver\"", "\"prefer\": \"x\""), HasSubstr("policy"));
  EXPECT_THAT(error_of("\"allow_cpu\": false", "\"allow_cpu\": 0"), HasSubstr("true or false"));
}

TEST(RecordCompare, NamesWhatDiffers) {
  const LockRecord before = one_record();
  LockRecord after = before;
  after.targets[0].machine = nvidia_machine({"sm_90", "sm_80"}, "13.0");
  after.targets[0].packages[0].backend = "cu130";
  after.targets[0].packages.push_back(torch_package());
  after.targets[0].packages[1].name = "torchvision";
  std::vector<std::string> words;
  for (const RecordChange& change : compare_records(before, after)) {
    words.push_back(change.package + " " + change.what + " " + std::string(to_string(change.kind)));
  }
  EXPECT_THAT(words,
              testing::IsSupersetOf({" drivers.nvidia.cuda_api changed",
                                     "torch backend changed",
                                     "torchvision package only-after"}));
}

Plan plan_with(Verdict verdict, const Machine& machine) {
  Plan plan;
  plan.machines = {&machine};
  PackagePlan& package = plan.packages.emplace_back();
  package.name = "torch";
  package.request = "torch>=2.8";
  Candidate candidate;
  candidate.version = Version::parse("2.8.0").value();
  candidate.backend = parse_backend("cu128").value();
  candidate.verdict = verdict;
  if (verdict != Verdict::fits) {
    candidate.reasons = {
        {"driver-floor", verdict, "drivers.nvidia.cuda_api", "11.8", ">= 12.0", ""}};
  } else {
    package.choice.emplace();
    package.choice->version = candidate.version;
    package.choice->backend = "cu128";
  }
  package.candidates.push_back(std::move(candidate));
  return plan;
}

TEST(RecordHold, HoldsWhileTheBuildFits) {
  const LockRecord record = one_record();
  const RecordedTarget& target = record.targets.front();
  EXPECT_EQ(find_target(record, target.machine), &target);
  const HoldReport report =
      compare_with_plan(record, target, plan_with(Verdict::fits, target.machine), kDigest);
  EXPECT_TRUE(report.holds());
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(RecordHold, TellsWhatBreaksAndWhatOnlyDiffers) {
  const LockRecord record = one_record();
  const RecordedTarget& target = record.targets.front();
  const Machine older = nvidia_machine({"sm_90"}, "11.8");
  const HoldReport report =
      compare_with_plan(record, target, plan_with(Verdict::does_not_fit, older), kOther);
  EXPECT_FALSE(report.holds());
  std::vector<std::string> rules;
  for (const HoldFinding& finding : report.findings) {
    rules.push_back(finding.rule);
  }
  EXPECT_THAT(rules,
              ElementsAre("does-not-fit", "choice-differs", "fact-changed", "catalog-changed"));
  EXPECT_THAT(report.findings.front().text, HasSubstr("driver-floor"));
  Plan empty;
  empty.machines = {&older};
  EXPECT_EQ(compare_with_plan(record, target, empty, kDigest).findings.front().rule,
            "build-unknown");
}

TEST(RecordHold, ComparesFilesWithTheIndex) {
  const RecordedPackage package = torch_package();
  SimpleFile file;
  file.filename = package.file->name;
  file.url = package.file->url;
  file.hashes = {{"sha256", kDigest}};
  EXPECT_FALSE(compare_with_index(package.name, *package.file, {file}));
  EXPECT_EQ(compare_with_index(package.name, *package.file, {})->rule, "file-gone");
  file.hashes["sha256"] = kOther;
  EXPECT_EQ(compare_with_index(package.name, *package.file, {file})->rule, "file-differs");
  file.hashes.clear();
  file.url += "x";
  EXPECT_EQ(compare_with_index(package.name, *package.file, {file})->rule, "address-changed");
  file.yanked = "bad";
  EXPECT_EQ(compare_with_index(package.name, *package.file, {file})->rule, "file-yanked");
}

TEST(ChosenFile, KeepsNoCredentials) {
  EXPECT_EQ(without_credentials("https://user:pass@x.example/simple/"),
            "https://x.example/simple/");
  EXPECT_EQ(without_credentials("https://x.example/a@b"), "https://x.example/a@b");
  EXPECT_EQ(without_credentials("wheels/a@b"), "wheels/a@b");
}

TEST(ChosenFile, TakesTheBackendAndThePython) {
  const Machine machine = nvidia_machine({"sm_90"}, "12.8");
  const TagIndex tags = TagIndex::of_machine(machine).value();
  std::vector<SimpleFile> files;
  for (const char* name : {"torch-2.8.0+cu130-cp312-cp312-manylinux_2_28_x86_64.whl",
                           "torch-2.8.0+cu128-cp311-cp311-manylinux_2_28_x86_64.whl",
                           "torch-2.9.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl",
                           "torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl"}) {
    files.emplace_back().filename = name;
  }
  RecordedPackage package = torch_package();
  package.file.reset();
  EXPECT_TRUE(record_file({&files, nullptr, {}}, tags, package));
  EXPECT_EQ(package.file->name, "torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl");
  package.version = "2.7.0";
  EXPECT_FALSE(record_file({&files, nullptr, {}}, tags, package));
}

TEST(Pylock, HasEveryDigestOrRefuses) {
  LockRecord record = one_record();
  const auto text = write_pylock(record, record.targets[0]);
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_THAT(*text, HasSubstr("lock-version = \"1.0\""));
  EXPECT_THAT(*text, HasSubstr("hashes = { sha256 = \"" + kDigest + "\" }"));
  EXPECT_THAT(*text, HasSubstr("why = [\"native kernels for sm_90 \\\"H100\\\"\"]"));
  record.targets[0].packages[0].file->sha256.reset();
  EXPECT_THAT(to_string(write_pylock(record, record.targets[0]).error()),
              HasSubstr("does not know the digest of torch==2.8.0+cu128"));
  record.targets[0].machine.name = "a.b c";
  EXPECT_EQ(pylock_name(record.targets[0]), "pylock.a-b-c.toml");
}

TEST(Requirements, NamesAddressesWhereTheyAreKnown) {
  LockRecord record = one_record();
  EXPECT_THAT(write_requirements(record.targets[0]),
              HasSubstr("torch @ https://files.example/torch.whl#sha256=" + kDigest));
  record.targets[0].packages[0].file.reset();
  EXPECT_THAT(write_requirements(record.targets[0]),
              HasSubstr("--index-url https://download.pytorch.org/whl/cu128\ntorch==2.8.0+cu128"));
}

RecordedDependency sympy() {
  return {"sympy",
          "1.13",
          "https://pypi.example/simple",
          RecordedFile{
              "sympy-1.13-py3-none-any.whl", "https://files.example/sympy.whl", {}, kOther, {}}};
}

TEST(RecordDependencies, AreWrittenReadAndCompared) {
  LockRecord record = one_record();
  EXPECT_THAT(write_record_file(record), HasSubstr("\"dependencies\": null"));
  record.targets[0].dependencies = {sympy()};
  const std::string text = write_record_file(record);
  const auto read = parse_record_file(text, "x.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->targets[0].dependencies, record.targets[0].dependencies);
  LockRecord other = record;
  other.targets[0].dependencies->front().file->sha256 = kDigest;
  other.targets[0].dependencies->push_back({"mpmath", "1.3", "", {}});
  std::vector<std::string> words;
  for (const RecordChange& change : compare_records(record, other)) {
    words.push_back(change.package + " " + change.what);
  }
  EXPECT_THAT(words, ElementsAre("sympy file.sha256", "mpmath package"));
  // Where one of two does not know them there is nothing to compare.
  EXPECT_THAT(compare_records(one_record(), record), IsEmpty());
}

TEST(RecordDependencies, WrongOnesAreErrors) {
  LockRecord record = one_record();
  record.targets[0].dependencies = {sympy()};
  const std::string good = write_record_file(record);
  const auto error_with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const auto read = parse_record_file(text, "x.json");
    return read ? "none" : to_string(read.error());
  };
  EXPECT_THAT(error_with("\"name\": \"sympy\"", "\"name\": \"Sym.Py\""),
              HasSubstr("no name in normal form"));
  EXPECT_THAT(error_with("\"1.13\"", "\"1..3\""), HasSubstr("targets.0.dependencies.0"));
  EXPECT_THAT(error_with(kOther, "zz"), HasSubstr("no SHA-256"));
  EXPECT_THAT(error_with("\"dependencies\": [", "\"dependencies\": {}, \"x\": ["),
              HasSubstr("a list is expected"));
}

TEST(RecordExports, HoldEverythingThatIsKnown) {
  LockRecord record = one_record();
  RecordedTarget& target = record.targets[0];
  EXPECT_EQ(write_run_instruction(target), "");
  EXPECT_EQ(write_uv_constraints(target), "");
  target.dependencies = {sympy()};
  EXPECT_THAT(write_requirements(target),
              HasSubstr("sympy @ https://files.example/sympy.whl#sha256=" + kOther));
  EXPECT_THAT(write_run_instruction(target),
              HasSubstr("'sympy @ https://files.example/sympy.whl#sha256="));
  EXPECT_EQ(write_uv_constraints(target),
            "[tool.uv]\nconstraint-dependencies = [\n  \"sympy==1.13\",\n]\n");
  EXPECT_THAT(write_pylock(record, target).value(),
              HasSubstr("name = \"sympy\"\nversion = \"1.13\""));
  target.dependencies->front().file.reset();
  EXPECT_EQ(write_run_instruction(target), "");
  EXPECT_THAT(write_requirements(target), HasSubstr("\nsympy==1.13\n"));
  EXPECT_THAT(to_string(write_pylock(record, target).error()),
              HasSubstr("the file of sympy==1.13"));
}

TEST(RecordInstalled, KnowsFilesAndWhatIsNeeded) {
  RecordedTarget target = one_record().targets[0];
  FrozenEnvironment installed;
  installed.packages.push_back({.name = "mpmath", .version = "1.3"});
  installed.packages.push_back({.name = "sympy", .version = "1.13"});
  installed.packages.push_back({.name = "torch", .version = "2.8.1+cu128", .backend = "cu128"});
  InstalledSources sources;
  sources["sympy"] = {*sympy().file, sympy().index, {}};
  sources["torch"] = {RecordedFile{"torch.whl", "https://x.example/torch.whl", {}, kDigest, {}},
                      "https://x.example",
                      {}};
  record_installed(installed, {"torch", "sympy", "mpmath", "gone"}, sources, target);
  EXPECT_EQ(target.packages[0].requirement, "torch==2.8.1+cu128");
  EXPECT_EQ(target.packages[0].index, "https://x.example");
  ASSERT_EQ(target.dependencies->size(), 2);
  EXPECT_EQ(target.dependencies->at(0), (RecordedDependency{"mpmath", "1.3", "", {}}));
  EXPECT_EQ(target.dependencies->at(1), sympy());
  RecordedTarget older = target;
  older.dependencies->at(0).file = sympy().file;
  take_known_files(older, target);
  EXPECT_EQ(target.dependencies->at(0).file, sympy().file);
  older.dependencies->at(0).version = "1.2";
  target.dependencies->at(0).file.reset();
  take_known_files(older, target);
  EXPECT_FALSE(target.dependencies->at(0).file);
}

}  // namespace
}  // namespace fitment
