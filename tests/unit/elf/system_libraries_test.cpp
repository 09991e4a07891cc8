// SPDX-License-Identifier: Apache-2.0
#include "elf/system_libraries.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(SystemLibraries, WhatADriverBrings) {
  for (const char* soname : {"libcuda.so.1",
                             "libnvidia-ml.so.1",
                             "libnvcuvid.so.1",
                             "libnvidia-encode.so.1",
                             "libnvidia-fbc.so.1",
                             "libnvidia-opticalflow.so.1",
                             "libnvoptix.so.1",
                             "libnvidia-nvvm.so.4",
                             "libnvidia-ptxjitcompiler.so.1",
                             "libcudadebugger.so.1",
                             "libnvidia-opencl.so.1"}) {
    EXPECT_TRUE(comes_with_driver(soname)) << soname;
  }
  for (const char* soname :
       {"libcudart.so.13", "libcudnn.so.9", "libnvrtc.so.13", "libnvJitLink.so.13", "libc.so.6"}) {
    EXPECT_FALSE(comes_with_driver(soname)) << soname;
  }
}

}  // namespace
}  // namespace fitment
