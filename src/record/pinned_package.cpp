// SPDX-License-Identifier: Apache-2.0
#include "record/pinned_package.h"

#include "wheel/wheel_filename.h"

#include <algorithm>

namespace fitment {

namespace {

/// With the local label, which the record keeps apart as the backend.
std::string version_of(const RecordedPackage& package) {
  const auto wheel = read_wheel_filename(package.file ? package.file->name : std::string());
  return wheel ? to_string(wheel->version) : package.version;
}

const RecordedFile* pointer(const std::optional<RecordedFile>& file) {
  return file ? &*file : nullptr;
}

}  // namespace

bool PinnedPackage::has_address() const {
  return file != nullptr && !file->url.empty() && file->sha256;
}

std::vector<PinnedPackage> pinned_packages(const RecordedTarget& target) {
  std::vector<PinnedPackage> all;
  for (const RecordedPackage& package : target.packages) {
    all.push_back({package.name,
                   package.extras,
                   version_of(package),
                   package.requirement,
                   package.index,
                   pointer(package.file),
                   &package});
  }
  if (target.dependencies) {
    for (const RecordedDependency& dependency : *target.dependencies) {
      all.push_back({dependency.name,
                     {},
                     dependency.version,
                     dependency.name + "==" + dependency.version,
                     dependency.index,
                     pointer(dependency.file),
                     nullptr});
    }
  }
  return all;
}

bool is_whole(const RecordedTarget& target) {
  const std::vector<PinnedPackage> all = pinned_packages(target);
  return target.dependencies
         && std::all_of(all.begin(), all.end(), [](const auto& one) { return one.has_address(); });
}

}  // namespace fitment
