// SPDX-License-Identifier: Apache-2.0
// Real CUDA libraries and NVIDIA's own linker as judges, where the machine has them.
#include "gpucode/recompress.h"
#include "slim/slice.h"
#include "slim/targets.h"
#include "support/cuda_toolkit.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

namespace fitment {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The answer of a version function of a library that a child process loads with RTLD_NOW.
std::string version_of(const std::string& path,
                       const std::string& function,
                       const std::filesystem::path& toolkit) {
  const auto outcome = run_in_child(
      [&](int fd) {
        // The driver is a stub that answers nothing, which is enough to load.
        ::dlopen((toolkit / "stubs/libcuda.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
        void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
          const std::string text = ::dlerror();
          return ::write(fd, text.data(), text.size()) > 0 ? 1 : 2;
        }
        void* symbol = ::dlsym(handle, function.c_str());
        int version = 0;
        if (symbol != nullptr) {
          reinterpret_cast<int (*)(int*)>(symbol)(&version);
        }
        const std::string text = std::to_string(version);
        return ::write(fd, text.data(), text.size()) > 0 ? 0 : 2;
      },
      std::chrono::seconds(60));
  return outcome && outcome->ok() ? outcome->out
                                  : "not loaded: " + (outcome ? outcome->out : std::string());
}

class RealLibrary : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RealLibrary, LoadsAsBeforeAndAfterStrip) {
  const auto toolkit = cuda_toolkit_libraries();
  const auto [name, function] = GetParam();
  if (!toolkit || !std::filesystem::exists(*toolkit / name)) {
    GTEST_SKIP() << "no CUDA libraries beside nvcc";
  }
  const Workshop shop;
  SliceOptions options;
  options.policy.targets = parse_keep_targets("sm_86").value();
  const auto source = open_file_source(*toolkit / name);
  ASSERT_TRUE(source);
  const auto plan = plan_slice(**source, options);
  ASSERT_TRUE(plan) << to_string(plan.error());
  EXPECT_LT(plan->after_bytes, plan->before_bytes);
  EXPECT_EQ(plan->holes_left, 0U);
  const auto proof =
      apply_slice(*toolkit / name, *plan, options, {.output = shop.path(name), .syncs = false});
  ASSERT_TRUE(proof) << to_string(proof.error());
  const std::string before = version_of((*toolkit / name).string(), function, *toolkit);
  EXPECT_EQ(version_of(shop.path(name), function, *toolkit), before);
  if (have_program("strip")) {
    static_cast<void>(shop.run({"strip", "-o", shop.path("stripped.so"), shop.path(name)}));
    EXPECT_EQ(version_of(shop.path("stripped.so"), function, *toolkit), before);
  }
}

INSTANTIATE_TEST_SUITE_P(Cuda13,
                         RealLibrary,
                         testing::Values(std::pair{"libcudnn_cnn.so.9", "none"},
                                         std::pair{"libcublas.so.13", "none"},
                                         std::pair{"libcurand.so.10", "curandGetVersion"}),
                         [](const auto& param) { return fmt::format("n{}", param.index); });

/// nvcc compiles for several targets; nvlink takes what a GPU needs out of a container.
class Nvlink : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_program("nvcc") || !have_program("nvlink")) {
      GTEST_SKIP() << "nvcc and nvlink are not on PATH";
    }
    shop_.write("k.cu", "__global__ void k(float* x) { x[threadIdx.x] *= 2; }\n");
    static_cast<void>(shop_.run({"nvcc",
                                 "-fatbin",
                                 "-rdc=true",
                                 "--compress-mode=none",
                                 "-gencode=arch=compute_80,code=[sm_80,compute_80]",
                                 "-gencode=arch=compute_86,code=sm_86",
                                 "-gencode=arch=compute_90,code=sm_90",
                                 shop_.path("k.cu"),
                                 "-o",
                                 shop_.path("k.fatbin")}));
  }

  /// What nvlink links for the target, or what it says.
  std::string link(const std::string& name, const std::string& target) const {
    const auto outcome =
        run_process({"nvlink", "-arch=" + target, shop_.path(name), "-o", shop_.path("out.cubin")},
                    {.timeout = std::chrono::seconds(60)});
    if (!outcome || !outcome->ok() || !outcome->err.empty()) {
      return "nvlink: " + (outcome ? outcome->out + outcome->err : std::string("cannot run"));
    }
    return read_file(shop_.path("out.cubin")).value();
  }

  void slice(const std::string& target, const std::string& name) {
    options_.policy.targets = parse_keep_targets(target).value();
    const auto source = open_file_source(shop_.path("k.fatbin"));
    const auto plan = plan_slice(**source, options_);
    ASSERT_TRUE(plan) << to_string(plan.error());
    const auto proof = apply_slice(
        shop_.path("k.fatbin"), *plan, options_, {.output = shop_.path(name), .syncs = false});
    ASSERT_TRUE(proof) << to_string(proof.error());
  }

  Workshop shop_;
  SliceOptions options_;
};

TEST_F(Nvlink, LinksFromASliceWhatItLinkedBeforeAndRefusesDamagedCode) {
  for (const std::string target : {"sm_89", "sm_90"}) {
    const std::string before = link("k.fatbin", target);
    EXPECT_THAT(before.substr(0, 6), Not(HasSubstr("nvlink"))) << before.substr(0, 300);
    slice(target, "s.fatbin");
    const bool is_equal = link("s.fatbin", target) == before;
    EXPECT_TRUE(is_equal) << target;
  }
  const std::string before = link("k.fatbin", "sm_86");
  options_.recompresses = true;
  slice("sm_86", "s.fatbin");
  const bool is_equal = link("s.fatbin", "sm_86") == before;
  EXPECT_TRUE(is_equal) << "recompressed";
  std::string bytes = read_file(shop_.path("s.fatbin")).value();
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  shop_.write("s.fatbin", bytes);
  EXPECT_THAT(link("s.fatbin", "sm_86").substr(0, 6), HasSubstr("nvlink"));
}

}  // namespace
}  // namespace fitment
