// SPDX-License-Identifier: Apache-2.0
#include "doctor/diagnose.h"

#include "catalog/catalog.h"
#include "elf/system_libraries.h"
#include "machine/machine_file.h"
#include "support/stack_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kModule = ".cpython-312-x86_64-linux-gnu.so";

Machine machine(const std::string& json) {
  return *parse_machine(
      R"({"schema":"fitment.machine/1","system":{"os":"linux","arch":"x86_64"},)" + json + "}",
      "test");
}

Machine h100(const std::string& driver) {
  return machine(R"("toolkits":[],"cpu":{"level":"x86-64-v4"},"gpus":[{"vendor":"nvidia",
      "target":"sm_90","name":"H100"}],"drivers":{"nvidia":)"
                 + driver + "}");
}

EnvironmentDiagnosis diagnose_on(StackBuilder& builder,
                                 const Machine& on,
                                 const Environment& variables = {}) {
  static const Catalog kCatalog;
  return *diagnose(
      {.view = &builder.view(), .machine = &on, .catalog = &kCatalog, .variables = variables},
      *read_python_environment(builder.view(), "/v", variables));
}

auto finding(const std::string& rule, Severity severity) {
  return AllOf(Field(&Finding::rule, rule), Field(&Finding::severity, severity));
}

void add_torch_for(StackBuilder& builder, const std::string& soname) {
  builder.add("torch",
              "2.12.0+cu130",
              {{"torch/lib/" + soname, {.soname = soname}},
               {std::string("torch/_C") + kModule, {.needed = {soname}, .rpath = "$ORIGIN/lib"}}});
}

TEST(Diagnose, DriverIsJudgedByWhatLibrariesNeed) {
  StackBuilder builder;
  add_torch_for(builder, "libcudart.so.13");
  const auto verdict = [&](const std::string& driver) {
    const auto diagnosis = diagnose_on(builder, h100(driver));
    return diagnosis.health;
  };
  EXPECT_EQ(verdict(R"({"version":"535.161.08","cuda_api":"12.2"})"), Health::broken);
  EXPECT_EQ(verdict(R"({"version":"580.95.05","cuda_api":"13.0"})"), Health::works);
  EXPECT_EQ(verdict(R"({"version":"580.95.05"})"), Health::works) << "the version stands in";
  EXPECT_EQ(verdict(R"({"version":"570.10"})"), Health::broken);
  EXPECT_EQ(verdict("null"), Health::unsure) << "unknown is a value";
  EXPECT_EQ(verdict(R"({"version":"535.161.08","cuda_api":"12.2","forward_compat":"13.0"})"),
            Health::works)
      << "a cuda-compat package lifts the floor";
}

TEST(Diagnose, UnknownFactsMakeItUnsure) {
  StackBuilder builder;
  add_torch_for(builder, "libcudart.so.13");
  const Machine unknown = machine(R"("cpu":{"level":"x86-64-v4"})");
  const auto diagnosis = diagnose_on(builder, unknown);
  EXPECT_EQ(diagnosis.health, Health::unsure);
  EXPECT_THAT(diagnosis.unknowns, ElementsAre(HasSubstr("which GPUs it has")));
}

TEST(Diagnose, PartsOfCudnnMustBeOfOneVersion) {
  StackBuilder builder;
  builder
      .add("nvidia-cudnn-cu12",
           "9.10.2",
           {{"nvidia/cudnn/lib/libcudnn.so.9", {.soname = "libcudnn.so.9", .runpath = "$ORIGIN"}}})
      .add("strange",
           "9.1.0",
           {{"nvidia/cudnn/lib/libcudnn_ops.so.9.1.0", {.soname = "libcudnn_ops.so.9"}}})
      .add("app",
           "1",
           {{std::string("_a") + kModule,
             {.needed = {"libcudnn.so.9"}, .rpath = "$ORIGIN/nvidia/cudnn/lib"}}});
  builder.view().add_link(std::string(StackBuilder::kSite) + "/nvidia/cudnn/lib/libcudnn_ops.so.9",
                          "libcudnn_ops.so.9.1.0");
  const auto diagnosis = diagnose_on(builder, h100(R"({"version":"580.95.05","cuda_api":"13.0"})"));
  EXPECT_THAT(diagnosis.findings, Contains(finding("cudnn-mismatch", Severity::error)));
}

TEST(Diagnose, LibrariesOfAnotherSystemAreNotMissed) {
  StackBuilder builder;
  builder.add("pillow",
              "11",
              {{std::string("PIL/_i") + kModule,
                {.needed = {"libc.so.6", "libGL.so.1", "libstdc++.so.6"}}}});
  const auto diagnosis = diagnose_on(builder, h100(R"({"version":"580.95.05","cuda_api":"13.0"})"));
  EXPECT_EQ(diagnosis.health, Health::works);
  EXPECT_THAT(diagnosis.findings, ElementsAre(finding("missing-library", Severity::note)));
  EXPECT_THAT(diagnosis.findings[0].subject, HasSubstr("libGL.so.1"));
}

TEST(Diagnose, NvidiasLibrariesAreMissedUnlessTheMachineMayHaveThem) {
  StackBuilder builder;
  builder.add("app", "1", {{std::string("_a") + kModule, {.needed = {"libcudart.so.12"}}}});
  const char* gpu = R"("gpus":[],"cpu":{"level":"x86-64-v4"},"toolkits":)";
  const Machine without = machine(std::string(gpu) + "[]");
  const Machine with =
      machine(std::string(gpu) + R"([{"kind":"cuda","version":"12.8","root":"/usr/local/cuda"}])");
  EXPECT_THAT(diagnose_on(builder, without).findings,
              Contains(finding("missing-library", Severity::error)));
  EXPECT_THAT(diagnose_on(builder, with).findings,
              Contains(finding("missing-library", Severity::note)));
}

TEST(Diagnose, LibraryPathThatChangesACopyIsForeign) {
  StackBuilder builder;
  builder
      .add("nvidia-nvjitlink-cu12",
           "12.8.93",
           {{"nvidia/nvjitlink/lib/libnvJitLink.so.12", {.soname = "libnvJitLink.so.12"}}})
      .add("app",
           "1",
           {{std::string("_a") + kModule,
             {.needed = {"libnvJitLink.so.12"}, .runpath = "$ORIGIN/nvidia/nvjitlink/lib"}}});
  builder.view().add_file("/opt/cuda/libnvJitLink.so.12",
                          build_elf_image({.soname = "libnvJitLink.so.12"}));
  const Machine on = h100(R"({"version":"580.95.05","cuda_api":"13.0"})");
  EXPECT_THAT(diagnose_on(builder, on).findings,
              Not(Contains(finding("foreign-library", Severity::warning))));
  const auto with = diagnose_on(builder, on, {{"LD_LIBRARY_PATH", "/opt/cuda"}});
  EXPECT_THAT(with.findings, Contains(finding("foreign-library", Severity::warning)));
  ASSERT_EQ(with.libraries.size(), 1U) << "by name, the loaded copy serves everybody";
  EXPECT_EQ(with.libraries[0].path, "/opt/cuda/libnvJitLink.so.12");
  EXPECT_THAT(with.libraries[0].copies,
              ElementsAre(Field(&ReachableLibrary::Copy::found_by, "place")))
      << "the wheel's own copy";
}

TEST(Diagnose, DistributorsMayStripWhatTheyInstall) {
  StackBuilder builder;
  builder.add("crypto", "1", {{std::string("_c") + kModule, {}}});
  const std::string path = std::string(StackBuilder::kSite) + "/_c" + kModule;
  builder.view().add_file(path, build_elf_image({.extra = "another size"}));
  const Machine on = machine(R"("gpus":[],"cpu":{"level":"x86-64-v4"})");
  EXPECT_EQ(diagnose_on(builder, on).health, Health::broken);
  builder.view().add_file(std::string(StackBuilder::kSite) + "/crypto-1.dist-info/INSTALLER",
                          "debian\n");
  EXPECT_EQ(diagnose_on(builder, on).health, Health::works);
}

TEST(Diagnose, LibrariesForAnotherProcessorAreTold) {
  StackBuilder builder;
  builder.add("app", "1", {{std::string("_a") + kModule, {.machine = 183}}});
  const auto diagnosis = diagnose_on(builder, machine(R"("gpus":[],"cpu":{"level":"x86-64-v4"})"));
  EXPECT_THAT(diagnosis.findings, Contains(finding("platform-tag", Severity::error)));
}

TEST(Diagnose, ExtrasThatPackagesAskOfEachOtherCount) {
  StackBuilder builder;
  builder.add("torch", "2.12.0", {}, {"cuda-toolkit[cublas]==13.0.2"})
      .add("cuda-toolkit",
           "13.0.2",
           {},
           {R"(nvidia-cublas==13.0.*; extra == "cublas")", R"(nvidia-npp; extra == "npp")"});
  const auto diagnosis = diagnose_on(builder, machine(R"("gpus":[],"cpu":{"level":"x86-64-v4"})"));
  std::vector<std::string> subjects;
  for (const Finding& one : diagnosis.findings) {
    subjects.push_back(one.subject);
  }
  EXPECT_THAT(subjects, ElementsAre("cuda-toolkit requires nvidia-cublas"));
}

TEST(RankFindings, PutsCausesFirstAndDropsRepeats) {
  const auto make = [](const char* rule, Severity severity) {
    return Finding{.rule = rule,
                   .severity = severity,
                   .subject = "s",
                   .cause = "c",
                   .evidence = {},
                   .fix = {}};
  };
  std::vector<Finding> findings{make("ptx-jit", Severity::note),
                                make("symbol-missing", Severity::error),
                                make("duplicate-owner", Severity::error),
                                make("symbol-missing", Severity::error),
                                make("foreign-library", Severity::warning)};
  rank_findings(findings);
  std::vector<std::string> rules;
  for (const Finding& one : findings) {
    rules.push_back(one.rule);
  }
  EXPECT_THAT(rules,
              ElementsAre("duplicate-owner", "symbol-missing", "foreign-library", "ptx-jit"));
  findings.clear();
  rank_findings(findings);
  EXPECT_THAT(findings, IsEmpty());
}

// A missing library of the driver is no fault of an image: none of these may come with a wheel.
TEST(DriverLibraries, NoWheelBringsOne) {
  const Catalog catalog;
  for (const NvidiaLibrary& library : (*catalog.libraries())->libraries) {
    EXPECT_FALSE(comes_with_driver(library.soname)) << library.soname;
    for (const std::string& part : library.parts) {
      EXPECT_FALSE(comes_with_driver(part)) << part;
    }
  }
}

}  // namespace
}  // namespace fitment
