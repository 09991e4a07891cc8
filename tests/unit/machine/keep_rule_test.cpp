// SPDX-License-Identifier: Apache-2.0
#include "machine/keep_rule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace fitment {
namespace {

CudaTarget target(std::string_view text) {
  return parse_cuda_target(text).value();
}
Runs runs(std::string_view code, std::string_view gpu) {
  return code_runs_on(target(code), target(gpu));
}

// Rows: a cubin; columns: the GPUs that nvlink 13.0 accepted it for. Everything else it refused.
TEST(KeepRule, MatchesWhatNvlinkAccepts) {
  const std::vector<std::string> gpus{"sm_75",
                                      "sm_80",
                                      "sm_86",
                                      "sm_87",
                                      "sm_88",
                                      "sm_89",
                                      "sm_90",
                                      "sm_100",
                                      "sm_103",
                                      "sm_110",
                                      "sm_120",
                                      "sm_121"};
  const std::map<std::string, std::set<std::string>> accepted{
      {"sm_75", {"sm_75"}},
      {"sm_80", {"sm_80", "sm_86", "sm_89"}},
      {"sm_86", {"sm_86", "sm_89"}},
      {"sm_89", {"sm_89"}},
      {"sm_90", {"sm_90"}},
      {"sm_90a", {"sm_90"}},
      {"sm_100", {"sm_100", "sm_103"}},
      {"sm_100f", {"sm_100", "sm_103"}},
      {"sm_100a", {"sm_100"}},
      {"sm_103f", {"sm_103"}},
      {"sm_110", {"sm_110"}},
      {"sm_110f", {"sm_110"}},
      {"sm_120", {"sm_120", "sm_121"}},
      {"sm_120f", {"sm_120", "sm_121"}},
      {"sm_120a", {"sm_120"}},
      {"sm_121", {"sm_121"}},
  };
  for (const auto& [code, fits] : accepted) {
    for (const std::string& gpu : gpus) {
      EXPECT_EQ(runs(code, gpu) == Runs::native, fits.count(gpu) == 1) << code << " on " << gpu;
    }
  }
}

TEST(KeepRule, DesktopCodeOnAnEmbeddedGpuIsUnsure) {
  EXPECT_EQ(runs("sm_80", "sm_87"), Runs::unsure);
  EXPECT_EQ(runs("sm_86", "sm_87"), Runs::unsure);
  EXPECT_EQ(runs("sm_70", "sm_72"), Runs::unsure);
  EXPECT_EQ(runs("sm_87", "sm_87"), Runs::native);
  EXPECT_EQ(runs("sm_89", "sm_87"), Runs::no);
  EXPECT_EQ(runs("sm_87", "sm_89"), Runs::no);
  EXPECT_EQ(runs("sm_90", "sm_110"), Runs::no);
}

TEST(KeepRule, PtxCompilesForwardOnly) {
  EXPECT_EQ(runs("compute_90", "sm_120"), Runs::jit);
  EXPECT_EQ(runs("compute_90", "sm_90"), Runs::jit);
  EXPECT_EQ(runs("compute_90", "sm_89"), Runs::no);
  EXPECT_EQ(runs("compute_80", "sm_87"), Runs::jit);
  EXPECT_EQ(runs("compute_90a", "sm_90"), Runs::jit);
  EXPECT_EQ(runs("compute_90a", "sm_100"), Runs::no);
  EXPECT_EQ(runs("compute_100f", "sm_103"), Runs::jit);
  EXPECT_EQ(runs("compute_100f", "sm_120"), Runs::no);
}

TEST(KeepRule, PrefersMachineCodeThenTheHighestTarget) {
  const BestCode best =
      best_code_for({target("sm_80"), target("compute_86"), target("sm_86")}, target("sm_89"));
  EXPECT_EQ(best.runs, Runs::native);
  EXPECT_EQ(best.code, target("sm_86"));
  EXPECT_EQ(best_code_for({}, target("sm_89")).runs, Runs::no);
}

TEST(KeepRule, AmdNeedsTheExactTarget) {
  const auto gfx = [](std::string_view text) { return parse_gfx_target(text).value(); };
  EXPECT_EQ(code_runs_on(gfx("gfx90a"), gfx("gfx90a")), Runs::native);
  EXPECT_EQ(code_runs_on(gfx("gfx90a:xnack-"), gfx("gfx90a:sramecc+:xnack-")), Runs::native);
  EXPECT_EQ(code_runs_on(gfx("gfx90a:xnack+"), gfx("gfx90a:xnack-")), Runs::no);
  EXPECT_EQ(code_runs_on(gfx("gfx1030"), gfx("gfx1031")), Runs::no);
}

TEST(GpuTarget, ReadsTheSpellingsOfTheField) {
  EXPECT_EQ(target("9.0"), target("sm_90"));
  EXPECT_EQ(target("120"), target("sm_120"));
  EXPECT_EQ(target("10.3").capability(), "10.3");
  EXPECT_EQ(to_string(target("compute_100f")), "compute_100f");
  for (const char* text :
       {"", "sm_", "sm_9", "sm90", "sm_90b", "compute", "0.1", "sm_-90", "9.10", "sm_1000"}) {
    EXPECT_FALSE(parse_cuda_target(text)) << text;
  }
  for (const char* text : {"gfx", "gfx90", "gfxzzz", "90a", "gfx90a:xnack", "gfx1234567"}) {
    EXPECT_FALSE(parse_gfx_target(text)) << text;
  }
}

// What a file holds is judged against a GPU of any vendor.
TEST(KeepRule, TargetsOfDifferentVendorsNeverRunOnEachOther) {
  const GpuTarget cuda = parse_gpu_target(GpuVendor::nvidia, "sm_90").value();
  const GpuTarget gfx = parse_gpu_target(GpuVendor::amd, "gfx942").value();
  EXPECT_EQ(code_runs_on(cuda, gfx), Runs::no);
  EXPECT_EQ(code_runs_on(gfx, cuda), Runs::no);
  EXPECT_EQ(code_runs_on(cuda, cuda), Runs::native);
  EXPECT_EQ(code_runs_on(gfx, gfx), Runs::native);
  EXPECT_EQ(code_runs_on(GpuTarget(target("compute_80")), cuda), Runs::jit);
}

}  // namespace
}  // namespace fitment
