// SPDX-License-Identifier: Apache-2.0
// Facts of the catalogue that is compiled in.
#include "catalog/catalog.h"
#include "catalog/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class Embedded : public testing::Test {
 protected:
  const Release& release(std::string_view package, std::string_view version) const {
    for (const Release& each : catalog_.find_framework(package).value()->releases) {
      if (each.version == version) {
        return each;
      }
    }
    throw std::runtime_error("no such release");
  }
  const Build& build(std::string_view version,
                     std::string_view backend,
                     std::string_view arch = "x86_64",
                     std::string_view package = "torch") const {
    for (const Build& each : release(package, version).builds) {
      if (each.backend.text == backend && each.arch == arch) {
        return each;
      }
    }
    throw std::runtime_error("no such build");
  }
  static std::string code(const Build& build) {
    std::string text;
    for (const CudaTarget& target : build.cuda_code.value()) {
      text += to_string(target) + " ";
    }
    return text;
  }

  Catalog catalog_;
};

TEST_F(Embedded, PassesItsOwnCheck) {
  for (const CatalogProblem& problem : check_catalog(catalog_)) {
    ADD_FAILURE() << problem.file << ": " << problem.where << ": " << problem.message;
  }
}

TEST_F(Embedded, ListsFrameworksAndPackages) {
  EXPECT_THAT(
      catalog_.framework_names(),
      ElementsAre("cupy", "jax", "onnxruntime-gpu", "paddlepaddle-gpu", "tensorflow", "torch"));
  EXPECT_THAT(catalog_.package_names().value(),
              ElementsAre("cupy",
                          "cupy-cuda11x",
                          "cupy-cuda12x",
                          "cupy-cuda13x",
                          "jax",
                          "onnxruntime",
                          "onnxruntime-gpu",
                          "paddlepaddle",
                          "paddlepaddle-gpu",
                          "tensorflow",
                          "tensorflow-gpu",
                          "torch",
                          "torchaudio",
                          "torchvision",
                          "triton"));
  EXPECT_EQ(catalog_.find_framework("torchvision").value()->name, "torch");
  EXPECT_EQ(catalog_.find_framework("paddlepaddle").value()->name, "paddlepaddle-gpu");
  EXPECT_EQ(catalog_.find_framework("numpy").value(), nullptr);
  EXPECT_EQ(catalog_.find_framework("").value(), nullptr);
  EXPECT_EQ(catalog_.digest(), Catalog().digest());
}

TEST_F(Embedded, KnowsWhereVoltaWent) {
  EXPECT_THAT(code(build("2.8.0", "cu128")), HasSubstr("sm_70 "));
  EXPECT_THAT(code(build("2.11.0", "cu128")), Not(HasSubstr("sm_70 ")));
  EXPECT_THAT(code(build("2.9.0", "cu130")), HasSubstr("compute_120"));
  EXPECT_EQ(build("2.11.0", "cu129").cuda_code, std::nullopt);
  EXPECT_EQ(code(build("2.8.0", "cu129", "aarch64")), "sm_80 sm_90 sm_100 sm_120 ");
  EXPECT_THAT(code(build("1.12.1", "cu102")), HasSubstr("sm_35 "));
}

TEST_F(Embedded, KnowsWhenMi350Came) {
  const auto serves = [&](std::string_view version, std::string_view backend) {
    const auto& code = build(version, backend).gfx_code.value();
    return std::find(code.begin(), code.end(), parse_gfx_target("gfx950").value()) != code.end();
  };
  EXPECT_FALSE(serves("2.9.1", "rocm6.4"));
  EXPECT_TRUE(serves("2.10.0", "rocm7.0"));
}

TEST_F(Embedded, KnowsWhatGoesTogether) {
  EXPECT_THAT(release("torch", "2.0.0").companions, Contains(Pair("torchaudio", "2.0.1")));
  EXPECT_THAT(release("torch", "2.8.0").companions, Contains(Pair("torchvision", "0.23.0")));
  EXPECT_EQ(release("torch", "2.12.0").companions.count("torchaudio"), 0U);
  EXPECT_EQ(release("torch", "2.12.0").no_companion.count("torchaudio"), 1U);
}

TEST_F(Embedded, KnowsPythonVersions) {
  EXPECT_THAT(release("torch", "2.1.2").python, Not(Contains("3.12")));
  EXPECT_THAT(release("torch", "2.2.0").python, Contains("3.12"));
  EXPECT_THAT(release("torch", "2.5.1").python, Not(Contains("3.8")));
  EXPECT_THAT(release("torch", "2.8.0").python, Not(Contains("3.14")));
  EXPECT_THAT(release("torch", "2.9.0").python, Contains("3.14"));
  EXPECT_THAT(release("jax", "0.11.0").python, Not(Contains("3.11")));
}

TEST_F(Embedded, FillsDefaultsAndTemplates) {
  const Build& cuda = build("2.8.0", "cu128");
  EXPECT_EQ(cuda.index, "https://download.pytorch.org/whl/cu128/");
  EXPECT_THAT(cuda.platforms, ElementsAre("manylinux_2_28_x86_64"));
  EXPECT_EQ(cuda.toolkit->text(), "12.8.1");
  EXPECT_EQ(cuda.size_bytes, 888000000U);
  EXPECT_EQ(build("2.0.1", "cu118").toolkit->text(), "11.8");
  EXPECT_THAT(build("2.9.1", "xpu").platforms, ElementsAre("linux_x86_64"));
  EXPECT_THAT(build("2.0.1", "cpu", "aarch64").index, IsEmpty());
  EXPECT_EQ(build("0.11.0", "cuda12", "x86_64", "jax").toolkit->text(), "12.9");
  EXPECT_THAT(build("2.18.0", "cu125", "x86_64", "tensorflow").extras, ElementsAre("and-cuda"));
  EXPECT_THAT(build("2.18.0", "cpu", "x86_64", "tensorflow").cpu_features, ElementsAre("avx"));
  EXPECT_THAT(build("2.13.0", "cu118", "x86_64", "tensorflow").extras, IsEmpty());
  EXPECT_EQ(build("3.3.0", "cu126", "x86_64", "paddlepaddle-gpu").index,
            "https://www.paddlepaddle.org.cn/packages/stable/cu126/");
}

TEST_F(Embedded, ABuildMayAskForANewerGlibcThanItsRelease) {
  EXPECT_THAT(build("2.6.0", "cu126").platforms, ElementsAre("manylinux_2_28_x86_64"));
  EXPECT_THAT(build("2.6.0", "cu124").platforms, IsEmpty());
}

TEST_F(Embedded, KnowsPackagesOfSomeBuilds) {
  EXPECT_EQ(catalog_.find_framework("cupy-cuda12x").value()->name, "cupy");
  EXPECT_EQ(catalog_.find_framework("cupy-cuda99x").value(), nullptr);
}

TEST_F(Embedded, EveryRowHasASource) {
  for (const std::string& name : catalog_.framework_names()) {
    for (const Release& each : catalog_.find_framework(name).value()->releases) {
      EXPECT_THAT(each.source, Not(IsEmpty())) << name << " " << each.version;
      for (const Build& row : each.builds) {
        EXPECT_THAT(row.source, Not(IsEmpty()))
            << name << " " << each.version << " " << row.backend.text;
      }
    }
  }
}

TEST_F(Embedded, NamesGpus) {
  const GpuTable& gpus = *catalog_.gpus().value();
  const auto name_and_target = [&](std::uint16_t vendor, std::uint16_t device) {
    const GpuRow* row = gpus.find(vendor, device);
    return row == nullptr ? "unknown"
                          : row->name + " " + (row->target ? to_string(*row->target) : "?");
  };
  EXPECT_EQ(name_and_target(0x10de, 0x102d), "Tesla K80 sm_37");
  EXPECT_EQ(name_and_target(0x10de, 0x2204), "NVIDIA GeForce RTX 3090 sm_86");
  EXPECT_EQ(name_and_target(0x10de, 0x2330), "NVIDIA H100 SXM5 80GB sm_90");
  EXPECT_EQ(name_and_target(0x10de, 0x26b9), "NVIDIA L40S sm_89");
  EXPECT_EQ(name_and_target(0x10de, 0x2901), "NVIDIA B200 sm_100");
  EXPECT_EQ(name_and_target(0x10de, 0x3182), "NVIDIA B300 SXM6 AC sm_103");
  EXPECT_EQ(name_and_target(0x10de, 0x2b85), "NVIDIA GeForce RTX 5090 sm_120");
  EXPECT_EQ(name_and_target(0x10de, 0x2e12), "NVIDIA GB10 sm_121");
  EXPECT_EQ(name_and_target(0x1002, 0x74a1), "AMD Instinct MI300X gfx942");
  EXPECT_EQ(name_and_target(0x1002, 0x75a3), "AMD Instinct MI355X gfx950");
  EXPECT_EQ(name_and_target(0x1002, 0x73bf), "AMD Radeon RX 6800/6800 XT / 6900 XT gfx1030");
  EXPECT_EQ(name_and_target(0x8086, 0xe20b), "Intel Arc B580 20.1.0");
  EXPECT_EQ(name_and_target(0x8086, 0x56a0), "Intel Arc A770 12.55.8");
  EXPECT_EQ(name_and_target(0x1002, 0x2204), "unknown");
  EXPECT_TRUE(gpus.find(0x10de, 0x2e12)->integrated);
  EXPECT_TRUE(gpus.find(0x1002, 0x1586)->integrated);
  EXPECT_TRUE(gpus.find(0x8086, 0x46a6)->integrated);
  EXPECT_FALSE(gpus.find(0x8086, 0xe20b)->integrated);
}

TEST_F(Embedded, KnowsMicroarchitectures) {
  const CpuTable& cpus = *catalog_.cpus().value();
  const MicroarchitectureRow& cascadelake = *cpus.find("cascadelake");
  EXPECT_THAT(cascadelake.parents, Contains("skylake_avx512"));
  EXPECT_THAT(cascadelake.parents, Contains("x86_64_v4"));
  EXPECT_EQ(cascadelake.parents.front(), "skylake_avx512");
  EXPECT_THAT(cascadelake.features, Contains("avx512f"));
  EXPECT_THAT(cascadelake.features, Contains("sse4_2"));
  ASSERT_EQ(cascadelake.models.size(), 1U);
  EXPECT_EQ(cascadelake.models[0].first, 85U);
  EXPECT_EQ(cascadelake.models[0].stepping_first, 5U);
  EXPECT_THAT(cpus.find("zen4")->features, Contains("avx512_bf16"));
  EXPECT_EQ(cpus.find("neoverse_v2")->models[0].first, 0xd4fU);
  EXPECT_EQ(cpus.find("neoverse_v2")->vendor, "0x41");
  EXPECT_EQ(cpus.find("z80"), nullptr);
  for (const char* name :
       {"a64fx",        "alderlake",  "broadwell",      "cortex_a72", "cortex_a78ae",
        "cortex_x925",  "haswell",    "icelake",        "nehalem",    "neoverse_n1",
        "neoverse_v1",  "raptorlake", "sapphirerapids", "skylake",    "skylake_avx512",
        "tremont",      "zen2",       "zen3",           "zen5",       "graniterapids",
        "sierraforest", "bulldozer",  "thunderx2",      "m1",         "m2",
        "x86_64_v3"}) {
    EXPECT_NE(cpus.find(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace fitment
