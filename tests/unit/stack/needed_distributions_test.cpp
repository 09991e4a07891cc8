// SPDX-License-Identifier: Apache-2.0
#include "stack/needed_distributions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

InstalledDistribution distribution(const std::string& name, const std::vector<std::string>& needs) {
  InstalledDistribution made;
  made.name = name;
  made.metadata.name = name;
  for (const std::string& text : needs) {
    made.metadata.requires_dist.push_back(parse_requirement(text).value());
  }
  return made;
}

NeededDistributions find(const std::vector<InstalledDistribution>& installed,
                         const std::vector<std::string>& wanted) {
  std::vector<Requirement> requirements;
  for (const std::string& text : wanted) {
    requirements.push_back(parse_requirement(text).value());
  }
  MarkerEnvironment markers;
  markers.platform_machine = "x86_64";
  markers.sys_platform = "linux";
  return find_needed_distributions(installed, requirements, markers);
}

std::vector<std::string> needed(const std::vector<InstalledDistribution>& installed,
                                const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const InstalledDistribution* found : find(installed, wanted).found) {
    names.push_back(found->name);
  }
  return names;
}

TEST(NeededDistributions, FollowsWhatHolds) {
  const std::vector<InstalledDistribution> installed{
      distribution("torch",
                   {"SymPy>=1",
                    "gone",
                    "triton; platform_machine == 'x86_64'",
                    "win; sys_platform == 'win32'",
                    "tool; extra == 'opt'"}),
      distribution("sympy", {"mpmath"}),
      distribution("mpmath", {"sympy"}),  // a circle
      distribution("triton", {}),
      distribution("win", {}),
      distribution("tool", {"torch[other]"}),
      distribution("unrelated", {})};
  EXPECT_THAT(needed(installed, {"Torch"}), ElementsAre("mpmath", "sympy", "torch", "triton"));
  EXPECT_THAT(needed(installed, {"torch[OPT]"}),
              ElementsAre("mpmath", "sympy", "tool", "torch", "triton"));
  EXPECT_THAT(needed(installed, {"gone"}), IsEmpty());
  EXPECT_THAT(find(installed, {"Torch", "Not_Here"}).missing, ElementsAre("gone", "not-here"));
  EXPECT_THAT(find(installed, {"unrelated"}).missing, IsEmpty());
}

TEST(NeededDistributions, TellsTheExtrasThatWereAskedForOnTheWay) {
  const std::vector<InstalledDistribution> installed{
      distribution("app", {"jax[CUDA_12]"}),
      distribution("jax", {"plugin[with-cuda]; extra == 'cuda-12'", "other[x]; extra == 'cpu'"}),
      distribution("plugin", {}),
      distribution("other", {})};
  const auto extras = find(installed, {"app", "jax", "plugin", "other"}).extras;
  EXPECT_EQ(extras,
            (std::map<std::string, std::set<std::string>>{{"jax", {"cuda-12"}},
                                                          {"plugin", {"with-cuda"}}}));
}

TEST(NeededDistributions, TheFirstOfOneNameCounts) {
  const std::vector<InstalledDistribution> installed{distribution("a", {"b"}),
                                                     distribution("a", {"c"}),
                                                     distribution("b", {}),
                                                     distribution("c", {})};
  EXPECT_THAT(needed(installed, {"a"}), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace fitment
