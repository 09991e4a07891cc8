// SPDX-License-Identifier: Apache-2.0
#include "stack/file_closure.h"

#include "base/parallel.h"
#include "stack/wheel_view.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace fitment {

namespace {

constexpr const char* kSitePackages =
    "/site-packages";  // of no real system: it would be in /usr/lib

bool is_loaded(const AuditedFile& file) {
  return file.kind == BinaryKind::program || file.kind == BinaryKind::library;
}

std::string absolute_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

template <std::size_t N>
bool starts_with_one(std::string_view name, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) {
    return name.starts_with(prefix);
  });
}

}  // namespace

std::vector<Closure> compute_closures(const Audit& audit,
                                      const SearchOptions& search,
                                      const ScratchOptions& scratch) {
  const DirectoryView host("/");
  WheelView installed(host, kSitePackages, scratch);
  for (const AuditedWheel& wheel : audit.wheels) {
    static_cast<void>(installed.add(wheel.path));  // it was read a moment ago
  }
  std::vector<Closure> closures(audit.files.size());
  for_each_index(audit.files.size(), 0, [&](std::size_t i) {
    const AuditedFile& file = audit.files[i];
    if (!is_loaded(file)) {
      return;
    }
    closures[i] =
        file.wheel.empty()
            ? compute_closure(host, {{absolute_path(file.path), std::nullopt, false}}, search)
            : compute_closure(
                installed, {{installed.path_of(file.member), std::nullopt, false}}, search);
  });
  return closures;
}

bool comes_with_driver(std::string_view soname) {
  constexpr std::array<std::string_view, 5> kDriver{
      "libcuda.so.", "libnvidia-", "libnvcuvid.so.", "libnvoptix.so.", "libcudadebugger.so."};
  return starts_with_one(soname, kDriver);
}

bool is_runtime_library(std::string_view soname) {
  constexpr std::array<std::string_view, 12> kRuntime{"libc.so.",
                                                      "libm.so.",
                                                      "libdl.so.",
                                                      "libpthread.so.",
                                                      "librt.so.",
                                                      "libutil.so.",
                                                      "libgcc_s.so.",
                                                      "libstdc++.so.",
                                                      "ld-linux",
                                                      "libc.musl-",
                                                      "libresolv.so.",
                                                      "libmvec.so."};
  return starts_with_one(soname, kRuntime);
}

}  // namespace fitment
