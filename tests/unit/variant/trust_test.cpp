// SPDX-License-Identifier: Apache-2.0
#include "variant/trust.h"

#include "machine/machine_file.h"
#include "variant/abi_dependency.h"
#include "variant/metadata_reader.h"
#include "variant/nearest.h"
#include "variant/static_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Source = NamespaceAnswer::Source;

Machine h100() {
  return parse_machine(R"({"schema": "fitment.machine/1",
      "system": {"os": "linux", "arch": "x86_64", "libc": {"family": "glibc", "version": "2.35"}},
      "cpu": {"level": "x86-64-v3"}, "gpus": [{"vendor": "nvidia", "target": "sm_90"}],
      "drivers": {"nvidia": {"cuda_api": "12.4"}}, "python": {"version": "3.12.3"}})",
                       "h100")
      .value();
}

VariantProvider provider_of(const std::string& requirement) {
  VariantProvider provider;
  provider.space = "nvidia";
  provider.requirements = {requirement};
  return provider;
}

NamespaceAnswer ask(const VariantProvider* named,
                    bool has_providers,
                    const TrustPolicy& policy = {},
                    std::string_view space = "nvidia") {
  auto answer = answer_namespace(space, named, has_providers, h100(), policy);
  EXPECT_TRUE(answer) << to_string(answer.error());
  return answer.value_or(NamespaceAnswer{});
}

TEST(Trust, AFormatWithoutProvidersGoesByTheNamespace) {
  EXPECT_EQ(ask(nullptr, false).source, Source::native);
  EXPECT_FALSE(ask(nullptr, false).features.empty());
  const NamespaceAnswer nobody = ask(nullptr, false, {}, "tpu");
  EXPECT_EQ(nobody.source, Source::nobody);
  EXPECT_THAT(describe_answer(nobody), HasSubstr("[variant.static.tpu]"));
}

TEST(Trust, AFormatWithProvidersGoesByThePackage) {
  const VariantProvider published = provider_of("Nvidia_Variant.Provider >= 0.0.1");
  EXPECT_EQ(ask(&published, true).source, Source::native);
  const VariantProvider other = provider_of("evil-provider");
  EXPECT_EQ(ask(&other, true).source, Source::nobody);
  EXPECT_TRUE(ask(&other, true).features.empty());
  EXPECT_THAT(describe_answer(ask(&other, true)), HasSubstr("`evil-provider` is not built in"));
  EXPECT_EQ(ask(nullptr, true).source, Source::nobody);
  const VariantProvider broken = provider_of("not a requirement !");
  EXPECT_EQ(ask(&broken, true).source, Source::nobody);
}

TEST(Trust, OptionalProvidersAreOffUntilEnabled) {
  VariantProvider optional = provider_of("nvidia-variant-provider");
  optional.optional = true;
  EXPECT_EQ(ask(&optional, true).source, Source::disabled);
  EXPECT_THAT(describe_answer(ask(&optional, true)), HasSubstr("`--enable nvidia`"));
  EXPECT_EQ(ask(&optional, true, {{}, {"nvidia"}}).source, Source::native);
}

TEST(Trust, ListsAnswerAlone) {
  VariantProvider listed;
  listed.space = "nvidia";
  listed.has_static = true;
  listed.static_properties = {{"sm_arch", {"100_real"}}};
  const NamespaceAnswer publisher = ask(&listed, true);
  EXPECT_EQ(publisher.source, Source::publisher);
  ASSERT_EQ(publisher.features.size(), 1U);
  EXPECT_THAT(describe_answer(publisher), HasSubstr("asserted, not detected"));
  // The user's word beats everybody's, also when it is empty.
  const NamespaceAnswer user = ask(&listed, true, {{{"nvidia", {}}}, {}});
  EXPECT_EQ(user.source, Source::user);
  EXPECT_TRUE(user.features.empty());
}

TEST(StaticLists, KeepTheOrderOfTheFile) {
  const auto policy = parse_trust_policy(R"(
[plan]
requirements = ["torch"]
[variant]
enable = ["nvidia"]
[variant.static.blas_lapack]
provider = ["openblas", "mkl"]
abi = ["lp64"]
[variant.static.x86_64]
)",
                                         "fitment.toml");
  ASSERT_TRUE(policy) << to_string(policy.error());
  EXPECT_THAT(policy->enabled, ElementsAre("nvidia"));
  ASSERT_EQ(policy->lists.size(), 2U);
  ASSERT_EQ(policy->lists[0].features.size(), 2U);
  EXPECT_EQ(policy->lists[0].features[0].name, "provider");
  EXPECT_THAT(policy->lists[0].features[0].values, ElementsAre("openblas", "mkl"));
  EXPECT_EQ(policy->lists[0].features[1].name, "abi");
  EXPECT_TRUE(policy->lists[1].features.empty());
  EXPECT_TRUE(parse_trust_policy("", "fitment.toml").value().lists.empty());
}

TEST(StaticLists, ErrorsHaveTheirPlace) {
  const std::pair<const char*, const char*> cases[]{
      {"[variant", "f:1:"},
      {"variant = 1", "f:1:11"},
      {"[variant]\nenabled = []", "f:2:11"},
      {"[variant]\nenable = 'x'", "f:2:10"},
      {"[variant]\nenable = ['x', 1]", "f:2:16"},
      {"[variant.static.X]", "f:1:"},
      {"[variant.static.x]\nf = ['A']", "f:2:6"},
      {"[variant.static.x]\nf = ['a', 'a']", "f:2:11"},
      {"[variant.static.x]\n'f-g' = ['a']", "f:2:"},
      {"[variant.static]\nx = ['a']", "f:2:5"},
  };
  for (const auto& [text, place] : cases) {
    const auto policy = parse_trust_policy(text, "f");
    ASSERT_FALSE(policy) << text;
    EXPECT_THAT(to_string(policy.error()), HasSubstr(place)) << text;
  }
}

TEST(AbiDependency, ListsTheStartsOfTheRelease) {
  const auto space = abi_dependencies({{"torch", Version::parse("2.8").value()},
                                       {"C.ns-Foo", Version::parse("4.3b1").value()},
                                       {"epochal", Version::parse("1!2.0").value()},
                                       {"long", Version::parse("1.2.3.4.post5+cpu").value()}});
  ASSERT_EQ(space.features.size(), 3U);
  EXPECT_EQ(space.features[0].name, "c_ns_foo");
  EXPECT_THAT(space.features[0].values, ElementsAre("4", "4.3", "4.3.0"));
  EXPECT_THAT(space.features[1].values, ElementsAre("1", "1.2", "1.2.3"));
  EXPECT_THAT(space.features[2].values, ElementsAre("2", "2.8", "2.8.0"));
}

TEST(AbiDependency, LeavesOutItemsThatCannotBeRead) {
  std::vector<std::string> ignored;
  const auto packages =
      parse_abi_dependencies("a==1.2, ,no-version,z>=1.2.3, b == 2 ,-c==1", ignored);
  ASSERT_EQ(packages.size(), 2U);
  EXPECT_EQ(packages[1].name, "b");
  EXPECT_THAT(ignored, ElementsAre("no-version", "z>=1.2.3", "-c==1"));
}

TEST(Nearest, NumbersDecideAmongLikeValues) {
  const auto nearest = [](std::vector<std::string> wanted, std::vector<std::string> supported) {
    const auto found = nearest_value(wanted, supported);
    return found ? found->wanted + " " + found->supported : std::string("none");
  };
  EXPECT_EQ(nearest({"13.0"}, {"12.8", "12.7", "12.0", "12"}), "13.0 12.8");
  EXPECT_EQ(nearest({"100_real", "80_real"}, {"90_real", "90_virtual"}), "100_real 90_real");
  EXPECT_EQ(nearest({"90_virtual"}, {"91_real", "80_virtual"}), "90_virtual 80_virtual");
  EXPECT_EQ(nearest({"mkl"}, {"openblas"}), "mkl openblas");
  EXPECT_EQ(nearest({"x"}, {}), "none");
  EXPECT_EQ(nearest({std::string(300, '9')}, {"1"}), std::string(300, '9') + " 1");
}

TEST(Nearest, ReasonsSayWhatToDo) {
  const auto answers = std::vector{ask(nullptr, false)};
  DroppedVariant dropped{"cu128",
                         DroppedVariant::Why::value_unsupported,
                         "nvidia",
                         "cuda_version_lower_bound",
                         {"12.8"}};
  DropReason reason = explain_drop(dropped, answers);
  EXPECT_EQ(reason.text, "needs nvidia :: cuda_version_lower_bound 12.8; nearest here is 12.4");
  EXPECT_THAT(reason.hint, HasSubstr("the same CUDA major"));
  dropped.wanted = {"13.0"};
  reason = explain_drop(dropped, answers);
  EXPECT_THAT(reason.hint, HasSubstr("13.0 or newer"));
  dropped.feature = "sm_arch";
  dropped.wanted = {"80_virtual"};
  EXPECT_THAT(explain_drop(dropped, answers).hint, HasSubstr("PTX of an older major"));
}

}  // namespace
}  // namespace fitment
