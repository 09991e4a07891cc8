// SPDX-License-Identifier: Apache-2.0
#include "image/image_plan.h"

#include "base/text.h"
#include "catalog/gpu_table.h"
#include "choose/wheel_stock.h"
#include "image/image_machine.h"
#include "image/image_program.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr const char* kFallbackPython = "3.12";

/// Frameworks and ordinary packages of all profiles, each once, in order.
struct WantedPackages {
  std::vector<PackageRequest> frameworks;
  std::vector<std::string> packages;
};

/// What is said of one framework in several places must all hold: `torch` of a profile and
/// `torch<2.9` of the user.
Status join_framework(PackageRequest more, std::vector<PackageRequest>& frameworks) {
  const auto known =
      std::find_if(frameworks.begin(), frameworks.end(), [&](const PackageRequest& request) {
        return normalize_name(request.requirement.name) == normalize_name(more.requirement.name);
      });
  if (known == frameworks.end()) {
    frameworks.push_back(std::move(more));
    return {};
  }
  Requirement& requirement = known->requirement;
  requirement.extras.insert(
      requirement.extras.end(), more.requirement.extras.begin(), more.requirement.extras.end());
  if (requirement.specifiers.empty()) {
    requirement.specifiers = std::move(more.requirement.specifiers);
  } else if (!more.requirement.specifiers.empty()) {
    FITMENT_TRY_ASSIGN(requirement.specifiers,
                       SpecifierSet::parse(to_string(requirement.specifiers) + ","
                                           + to_string(more.requirement.specifiers)));
  }
  known->text = to_string(requirement);
  return {};
}

Result<WantedPackages> gather_packages(const ImageOrder& order,
                                       const ImageRecipes& recipes,
                                       const Catalog& catalog) {
  WantedPackages wanted;
  const auto add = [&](const std::string& text) -> Status {
    FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(text, {text, 1, 1, {}}));
    FITMENT_TRY_ASSIGN(const Framework* framework,
                       catalog.find_framework(normalize_name(requirement.name)));
    if (framework == nullptr) {
      if (std::find(wanted.packages.begin(), wanted.packages.end(), text)
          == wanted.packages.end()) {
        wanted.packages.push_back(text);
      }
      return {};
    }
    return join_framework({std::move(requirement), text}, wanted.frameworks);
  };
  for (const std::string& name : order.profiles) {
    FITMENT_TRY_ASSIGN(const ImageProfile* profile, recipes.find_profile(name));
    for (const std::string& text : profile->frameworks) {
      FITMENT_TRY(add(text));
    }
    for (const std::string& text : profile->packages) {
      FITMENT_TRY(add(text));
    }
  }
  for (const std::string& text : order.requirements) {
    FITMENT_TRY(add(text));
  }
  return wanted;
}

/// The distribution's own Python where it is the one that is asked for, else one by uv.
void settle_python(const ImageOrder& order, ImagePlan& plan) {
  const BaseSystem* system = plan.base.system;
  const std::string own = system == nullptr ? "" : system->python;
  plan.python = order.python.value_or(own.empty() ? kFallbackPython : own);
  plan.python_from = order.python_from;
  if (plan.python_from.empty()) {
    plan.python_from = plan.python == own ? "system" : "uv";
  }
}

Status check_python(const ImagePlan& plan) {
  const BaseSystem* system = plan.base.system;
  if (plan.python_from == "system" && system != nullptr && system->python != plan.python) {
    return fail(ErrorCode::invalid_argument,
                fmt::format(
                    "{} brings Python {}, not {}", system->name, system->python, plan.python))
        .hint("leave `python-from` out, and uv brings the Python that is asked for");
  }
  return {};
}

std::string arch_of(const ImageOrder& order, const ImagePlan& plan) {
  if (!order.arch.empty()) {
    return order.arch;
  }
  return plan.machines->empty() ? "x86_64" : plan.machines->front().system.arch.value_or("x86_64");
}

/// Some profiles are for one kind of processor, and so is a base.
Status check_arch(const ImagePlan& plan, const ImageRecipes& recipes) {
  if (plan.base.layout && !plan.base.layout->arch.empty() && plan.base.layout->arch != plan.arch) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} is for {}, and the image is for {}",
                            plan.base.reference,
                            platform_of_arch(plan.base.layout->arch),
                            platform_of_arch(plan.arch)))
        .hint("take a base for that platform, or name the base's: `--platform "
              + platform_of_arch(plan.base.layout->arch) + "`");
  }
  for (const std::string& name : plan.profiles) {
    FITMENT_TRY_ASSIGN(const ImageProfile* profile, recipes.find_profile(name));
    if (!profile->arch.empty() && profile->arch != plan.arch) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the profile `{}` is for {}, and the image is for {}",
                              name,
                              platform_of_arch(profile->arch),
                              platform_of_arch(plan.arch)))
          .hint("leave that profile out");
    }
  }
  return {};
}

/// Monitoring comes with an NVIDIA image; how, depends on the base and on what was given.
Status settle_monitor(const ImageOrder& order, ImagePlan& plan) {
  const bool is_nvidia =
      std::any_of(plan.targets.begin(), plan.targets.end(), [](const KeepTarget& target) {
        return vendor_of(target.gpu) == GpuVendor::nvidia;
      });
  if (!is_nvidia) {
    return {};
  }
  plan.monitor = order.monitor;
  if (order.monitor == "source" && !order.has_monitor_source) {
    return fail(ErrorCode::invalid_argument, "nvtop is to be built from source, and none was given")
        .hint("give its source archive: `--nvtop nvtop-3.3.2.tar.gz`");
  }
  if (order.monitor != "auto") {
    return {};
  }
  if (order.has_monitor_source) {
    plan.monitor = "source";
  } else if (plan.base.system != nullptr && plan.base.system->monitor == "package") {
    plan.monitor = "package";
  } else {
    plan.monitor = "none";
    plan.notes.push_back(
        fmt::format("nvtop is left out: {} has no package of it that is new enough and enabled; "
                    "give its source "
                    "archive with `--nvtop`",
                    plan.base.system == nullptr ? plan.base.reference : plan.base.system->name));
  }
  return {};
}

const Build* build_of(const PackagePlan& package) {
  if (!package.choice) {
    return nullptr;
  }
  for (const Candidate& candidate : package.candidates) {
    if (candidate.version == package.choice->version
        && candidate.backend.text == package.choice->backend) {
      return candidate.build;
    }
  }
  return nullptr;
}

/// Builds that bring no CUDA libraries of their own need those of the base.
bool needs_cuda_of_base(const Framework& framework, const Build& build) {
  return build.backend.kind == Backend::Kind::cuda && build.extras.empty()
         && (framework.selector == BuildSelector::extra || framework.selector == BuildSelector::name
             || framework.selector == BuildSelector::version);
}

Status check_cuda_of_base(const ImagePlan& plan, const Catalog& catalog) {
  for (const PackagePlan& package : plan.choice.packages) {
    const Build* build = build_of(package);
    if (build == nullptr) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const Framework* framework, catalog.find_framework(package.name));
    if (framework == nullptr || !needs_cuda_of_base(*framework, *build)) {
      continue;
    }
    const DottedVersion& wanted = build->toolkit ? *build->toolkit : build->backend.level;
    const auto& found = plan.base.cuda_toolkit;
    if (!found || found->major() != wanted.major() || found->minor() < wanted.minor()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format(
                      "{} needs the libraries of CUDA toolkit {}.{}{} in its base, and {} {}",
                      package.choice->requirement,
                      wanted.major(),
                      wanted.minor(),
                      build->cudnn ? fmt::format(" and cuDNN {}", to_string(*build->cudnn)) : "",
                      plan.base.reference,
                      found ? "has CUDA toolkit " + to_string(*found)
                            : std::string("has none that is known")))
          .hint(
              "take an nvidia/cuda image of that version with cuDNN as `--from`, or a version of "
              "the package that brings its own");
    }
  }
  return {};
}

void settle_outside(const ImageOrder& order, const CudaTables& cuda, ImagePlan& plan) {
  for (const PackagePlan& package : plan.choice.packages) {
    const Build* build = build_of(package);
    if (build == nullptr) {
      continue;
    }
    if (plan.backend.empty()) {
      plan.backend = package.choice->backend;
    }
    // Of several frameworks, the one with the highest floor decides.
    const auto floor = image_driver_floor(*build, plan.targets, cuda);
    if (floor && (!plan.driver_floor || *floor > *plan.driver_floor)) {
      plan.driver_floor = floor;
      plan.require = nvidia_require(*build, plan.targets, order.slim, cuda);
    }
  }
}

bool is_same_choice(const Plan& left, const Plan& right) {
  const auto is_same = [](const PackagePlan& one, const PackagePlan& other) {
    return one.choice && other.choice && one.choice->requirement == other.choice->requirement
           && one.choice->backend == other.choice->backend;
  };
  return std::equal(left.packages.begin(),
                    left.packages.end(),
                    right.packages.begin(),
                    right.packages.end(),
                    is_same);
}

/// Targets tell no driver. The choice is made as if it were the newest; then the image is judged
/// for the oldest that it admits, here and by the doctor in its last step.
Status judge_for_oldest_driver(const ChooseInput& input, ImagePlan& plan) {
  for (Machine& machine : *plan.machines) {
    assume_driver(machine, *plan.driver_floor, plan.require->cuda_api);
  }
  FITMENT_TRY_ASSIGN(Plan again, choose(input));
  if (is_same_choice(plan.choice, again)) {
    plan.choice = std::move(again);
  }
  return {};
}

void add_notes(const ImageOrder& order, const ImageRecipes& recipes, ImagePlan& plan) {
  if (plan.choice.packages.empty() && plan.requirements.empty()) {
    plan.notes.push_back("no profile is named, so this is a base with Python alone; profiles are "
                         + join(profile_names(recipes), ", "));
  }
  const BaseImage& base = plan.base;
  if (base.moves) {
    plan.notes.push_back(fmt::format(
        "{} has no fixed tag, so the same recipe is another image later: name a tag or a digest",
        base.reference));
  }
  if (base.system == nullptr) {
    plan.notes.push_back(fmt::format(
        "the system of {} is not known, so nothing is said of its C library", base.reference));
  }
  for (const std::string& conflict : base.conflicts) {
    plan.notes.push_back(fmt::format("{}: {}", base.reference, conflict));
  }
  if (order.assumes_driver && !plan.targets.empty() && plan.driver_floor) {
    plan.notes.push_back(
        fmt::format("no driver is known, only targets: the image asks for driver {} or newer, and "
                    "is judged for that one",
                    to_string(*plan.driver_floor)));
  }
  if (!plan.size.missing.empty()) {
    plan.notes.push_back(
        fmt::format("the folder of wheels has no {}, which {} needed: unless the base brings {}, "
                    "the last stage "
                    "fails",
                    join(plan.size.missing, ", "),
                    plan.size.missing.size() == 1 ? "is" : "are",
                    plan.size.missing.size() == 1 ? "it" : "them"));
  }
  if (base.cuda_toolkit && plan.require) {
    plan.notes.push_back(
        fmt::format("{} brings CUDA toolkit {}{}, and the wheels bring their own libraries: on a "
                    "plain base the "
                    "image is smaller",
                    base.reference,
                    to_string(*base.cuda_toolkit),
                    base.flavour.empty() ? "" : " (" + base.flavour + ")"));
  }
}

}  // namespace

Result<ImagePlan> plan_image(const ImageOrder& order,
                             const ImageRecipes& recipes,
                             const Catalog& catalog) {
  ImagePlan plan;
  FITMENT_TRY_ASSIGN(plan.base, read_base_image(order.base, recipes));
  FITMENT_TRY_ASSIGN(WantedPackages wanted, gather_packages(order, recipes, catalog));
  FITMENT_TRY_ASSIGN(const CudaTables* cuda, catalog.cuda());
  plan.profiles = order.profiles;
  plan.machine_words = order.machine_words;
  plan.targets = order.targets;
  plan.slim = order.slim && !order.targets.empty();
  plan.has_wheels = order.wheels.has_value();
  plan.requirements = std::move(wanted.packages);
  plan.packages = order.packages;
  plan.user = order.user;
  plan.env = order.env;
  plan.labels = order.labels;
  settle_python(order, plan);
  FITMENT_TRY(check_python(plan));
  FITMENT_TRY(settle_monitor(order, plan));
  plan.machines = std::make_unique<std::vector<Machine>>();
  for (const Machine& machine : order.machines) {
    plan.machines->push_back(inside_image(machine, plan.base, plan.python, order.arch));
  }
  plan.arch = arch_of(order, plan);
  FITMENT_TRY(check_arch(plan, recipes));
  if (!wanted.frameworks.empty()) {
    ChooseInput input;
    for (const Machine& machine : *plan.machines) {
      input.machines.push_back(&machine);
    }
    input.requests = std::move(wanted.frameworks);
    input.catalog = &catalog;
    input.policy = order.policy;
    if (order.wheels) {
      std::vector<std::string> names;
      for (const StockedWheel& wheel : *order.wheels) {
        names.push_back(wheel.filename);
      }
      FITMENT_TRY_ASSIGN(input.stock, wheel_stock(names, plan.machines->front()));
    }
    FITMENT_TRY_ASSIGN(plan.choice, choose(input));
    FITMENT_TRY(check_cuda_of_base(plan, catalog));
    settle_outside(order, *cuda, plan);
    if (order.assumes_driver && plan.fits() && plan.require) {
      FITMENT_TRY(judge_for_oldest_driver(input, plan));
    }
  }
  FITMENT_TRY_ASSIGN(plan.size, expect_image_size(order, plan));
  add_notes(order, recipes, plan);
  return plan;
}

}  // namespace fitment
