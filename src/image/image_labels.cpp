// SPDX-License-Identifier: Apache-2.0
#include "image/image_labels.h"

#include "base/text.h"
#include "slim/targets.h"

#include <fmt/format.h>

namespace fitment {

std::map<std::string, std::string> image_labels(const ImagePlan& plan,
                                                std::string_view record_folder) {
  std::map<std::string, std::string> labels = plan.labels;
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty()) {
      labels.emplace(name, std::move(value));
    }
  };
  std::string packages;
  for (const PackagePlan& package : plan.choice.packages) {
    if (package.choice) {
      packages += (packages.empty() ? "" : " ") + package.choice->requirement;
    }
  }
  if (plan.base.layout) {
    add("org.opencontainers.image.base.digest", plan.base.layout->digest);
  } else {
    add("org.opencontainers.image.base.name", plan.base.parent());
  }
  add("org.opencontainers.image.title", join(plan.profiles, ", "));
  add("fitment.python", plan.python);
  add("fitment.packages", packages);
  add("fitment.backend", plan.backend);
  add("fitment.targets", to_string(plan.targets));
  add("fitment.driver-floor", plan.driver_floor ? to_string(*plan.driver_floor) : "");
  if (!plan.choice.packages.empty() || !plan.requirements.empty()) {
    add("fitment.record", fmt::format("{}/image.json", record_folder));
    add("fitment.sbom", fmt::format("{}/sbom.spdx.json", record_folder));
  }
  return labels;
}

}  // namespace fitment
