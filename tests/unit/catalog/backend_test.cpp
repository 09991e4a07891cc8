// SPDX-License-Identifier: Apache-2.0
#include "catalog/backend.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Backend, ReadsCudaLabels) {
  for (const auto& [text, level] : std::vector<std::pair<const char*, const char*>>{
           {"cu80", "8.0"},
           {"cu92", "9.2"},
           {"cu102", "10.2"},
           {"cu118", "11.8"},
           {"cu128", "12.8"},
           {"cu1210", "12.10"},
           {"cuda12", "12"},
           {"cuda13", "13"},
       }) {
    const auto backend = parse_backend(text);
    ASSERT_TRUE(backend) << text;
    EXPECT_EQ(backend->kind, Backend::Kind::cuda);
    EXPECT_EQ(backend->level.text(), level);
    EXPECT_EQ(backend->text, text);
    EXPECT_EQ(backend->vendor(), GpuVendor::nvidia);
  }
}

TEST(Backend, ReadsTheOthers) {
  EXPECT_EQ(parse_backend("rocm6.2.4").value().level.text(), "6.2.4");
  EXPECT_EQ(parse_backend("rocm6.4").value().vendor(), GpuVendor::amd);
  EXPECT_EQ(parse_backend("xpu").value().vendor(), GpuVendor::intel);
  EXPECT_EQ(parse_backend("cpu").value().vendor(), std::nullopt);
  EXPECT_EQ(parse_backend("cpu").value().kind, Backend::Kind::cpu);
}

TEST(Backend, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "cu",
                           "cu1",
                           "cu012",
                           "cu1201",
                           "cu12345",
                           "cu12x",
                           "cuda",
                           "cuda0",
                           "cuda100",
                           "cuda12.8",
                           "rocm",
                           "rocm6",
                           "rocm6.",
                           "CPU",
                           "cpu ",
                           "gpu",
                           "xpu1"}) {
    const auto backend = parse_backend(text);
    ASSERT_FALSE(backend) << text;
    EXPECT_EQ(backend.error().hints().size(), 1U);
  }
}

TEST(Backend, LabelsAToolkit) {
  EXPECT_EQ(cuda_label({12, 8, 1}), "cu128");
  EXPECT_EQ(cuda_label({9, 2}), "cu92");
  for (const char* label : {"cu92", "cu102", "cu118", "cu128", "cu1210"}) {
    EXPECT_EQ(cuda_label(parse_backend(label).value().level), label);
  }
}

}  // namespace
}  // namespace fitment
