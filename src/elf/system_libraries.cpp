// SPDX-License-Identifier: Apache-2.0
#include "elf/system_libraries.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

template <std::size_t Size>
bool starts_with_one(std::string_view soname, const std::array<std::string_view, Size>& starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) {
    return soname.starts_with(start);
  });
}

}  // namespace

bool is_libc_library(std::string_view soname) {
  constexpr std::array<std::string_view, 12> kFamily{"libc.so.",
                                                     "libm.so.",
                                                     "libdl.so.",
                                                     "libpthread.so.",
                                                     "librt.so.",
                                                     "libutil.so.",
                                                     "libresolv.so.",
                                                     "libanl.so.",
                                                     "libmvec.so.",
                                                     "libcrypt.so.",
                                                     "ld-linux",
                                                     "libc.musl-"};
  return starts_with_one(soname, kFamily);
}

bool is_runtime_library(std::string_view soname) {
  constexpr std::array<std::string_view, 3> kCompilers{
      "libgcc_s.so.", "libstdc++.so.", "libgomp.so."};
  return is_libc_library(soname) || starts_with_one(soname, kCompilers);
}

bool comes_with_driver(std::string_view soname) {
  constexpr std::array<std::string_view, 6> kDriver{"libcuda.so.",
                                                    "libnvidia-",
                                                    "libnvcuvid.so.",
                                                    "libnvoptix.so.",
                                                    "libcudadebugger.so.",
                                                    "libnvtegra"};
  return starts_with_one(soname, kDriver);
}

}  // namespace fitment
