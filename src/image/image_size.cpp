// SPDX-License-Identifier: Apache-2.0
#include "image/image_size.h"

#include "choose/marker_facts.h"
#include "choose/wheel_stock.h"
#include "image/image_plan.h"
#include "stack/needed_distributions.h"
#include "wheel/name.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <map>

namespace fitment {

namespace {

/// What an installer would take: of a chosen package its version, of others the newest, and of
/// several wheels of one version the one whose tag the machine likes best.
class WheelPick {
 public:
  WheelPick(const ImagePlan& plan, std::vector<Tag> tags) : tags_(std::move(tags)) {
    for (const PackagePlan& package : plan.choice.packages) {
      if (package.choice) {
        chosen_.emplace(normalize_name(package.choice->name), &*package.choice);
      }
    }
  }

  void offer(const StockedWheel& wheel) {
    const auto name = parse_wheel_filename(wheel.filename);
    const auto rank = name ? best_rank(*name, tags_) : std::nullopt;
    const std::string key = normalize_name(wheel.metadata.name);
    const Version& version = wheel.metadata.version;
    const auto chosen = chosen_.find(key);
    if (!rank || (chosen != chosen_.end() && !is_wheel_of(*chosen->second, key, version))) {
      return;
    }
    Offer& best = best_[key];
    if (best.wheel == nullptr || version > best.wheel->metadata.version
        || (version == best.wheel->metadata.version && *rank < best.rank)) {
      best = {&wheel, *rank};
    }
  }

  [[nodiscard]] std::vector<const StockedWheel*> take() const {
    std::vector<const StockedWheel*> taken;
    for (const auto& [name, best] : best_) {
      taken.push_back(best.wheel);
    }
    return taken;
  }

 private:
  struct Offer {
    const StockedWheel* wheel = nullptr;
    std::size_t rank = 0;
  };
  std::vector<Tag> tags_;
  std::map<std::string, const ChosenBuild*> chosen_;
  std::map<std::string, Offer> best_;
};

Result<std::vector<Requirement>> wanted_packages(const ImagePlan& plan) {
  std::vector<Requirement> wanted;
  const auto add = [&](const std::string& text) -> Status {
    FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(text));
    wanted.push_back(std::move(requirement));
    return {};
  };
  for (const PackagePlan& package : plan.choice.packages) {
    if (package.choice) {
      FITMENT_TRY(add(package.choice->requirement));
    }
  }
  for (const std::string& text : plan.requirements) {
    FITMENT_TRY(add(text));
  }
  return wanted;
}

Status add_wheels(const std::vector<StockedWheel>& wheels, const ImagePlan& plan, ImageSize& size) {
  const Machine& machine = plan.machines->front();
  FITMENT_TRY_ASSIGN(std::vector<Tag> tags, wheel_tags_of(machine));
  WheelPick pick(plan, std::move(tags));
  for (const StockedWheel& wheel : wheels) {
    pick.offer(wheel);
  }
  const std::vector<const StockedWheel*> taken = pick.take();
  std::vector<InstalledDistribution> distributions(taken.size());
  for (std::size_t i = 0; i < taken.size(); ++i) {
    distributions[i].metadata = taken[i]->metadata;
    distributions[i].name = normalize_name(taken[i]->metadata.name);
  }
  FITMENT_TRY_ASSIGN(const std::vector<Requirement> wanted, wanted_packages(plan));
  NeededDistributions needed =
      find_needed_distributions(distributions, wanted, marker_facts(machine));
  size.download_bytes = 0;
  size.installed_bytes = 0;
  for (const InstalledDistribution* distribution : needed.found) {
    const StockedWheel& wheel =
        *taken[static_cast<std::size_t>(distribution - distributions.data())];
    *size.download_bytes += wheel.bytes;
    *size.installed_bytes += wheel.unpacked_bytes;
  }
  size.missing = std::move(needed.missing);
  return {};
}

/// Wheel sizes of the catalogue, of one build with or without what it pulls in.
void add_catalogue(const ImagePlan& plan, ImageSize& size) {
  for (const PackagePlan& package : plan.choice.packages) {
    if (!package.choice) {
      continue;
    }
    const ChosenBuild& choice = *package.choice;
    if (const auto bytes = choice.total_bytes ? choice.total_bytes : choice.size_bytes) {
      size.download_bytes = size.download_bytes.value_or(0) + *bytes;
    }
    if (!choice.total_bytes) {
      size.unknown.push_back(choice.size_bytes
                                 ? fmt::format("what {} needs", choice.requirement)
                                 : fmt::format("{} and what it needs", choice.requirement));
    }
  }
  size.unknown.insert(size.unknown.end(), plan.requirements.begin(), plan.requirements.end());
}

}  // namespace

Result<ImageSize> expect_image_size(const ImageOrder& order, const ImagePlan& plan) {
  ImageSize size;
  size.base_bytes = order.base.bytes;
  if (!size.base_bytes) {
    size.unknown.emplace_back("the base");
  }
  if (order.wheels && !plan.machines->empty()) {
    FITMENT_TRY(add_wheels(*order.wheels, plan, size));
  } else {
    add_catalogue(plan, size);
  }
  return size;
}

}  // namespace fitment
