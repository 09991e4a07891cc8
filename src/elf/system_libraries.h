// SPDX-License-Identifier: Apache-2.0
// Libraries that are part of every system or of the host's driver, by soname: nobody packs them,
// and their absence in a tree says nothing.
#pragma once

#include <string_view>

namespace fitment {

/// The C library with its loader and companions, of glibc or musl.
bool is_libc_library(std::string_view soname);
/// The C library, or the run time of a compiler: libgcc_s, libstdc++, libgomp.
bool is_runtime_library(std::string_view soname);
/// Comes with an NVIDIA driver, or is mounted by a container toolkit: libcuda.so.1.
bool comes_with_driver(std::string_view soname);

}  // namespace fitment
