// SPDX-License-Identifier: Apache-2.0
#include "stack/file_closure.h"

#include "base/parallel.h"
#include "stack/wheel_view.h"

#include <filesystem>

namespace fitment {

namespace {

bool is_loaded(const AuditedFile& file) {
  return file.kind == BinaryKind::program || file.kind == BinaryKind::library;
}

std::string absolute_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

}  // namespace

std::vector<Closure> compute_closures(const Audit& audit,
                                      const SearchOptions& search,
                                      const ScratchOptions& scratch) {
  const DirectoryView host("/");
  WheelView installed(host, kWheelSitePackages, scratch);
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

}  // namespace fitment
