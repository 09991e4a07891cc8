// SPDX-License-Identifier: Apache-2.0
#include "report/install_commands.h"

#include "base/shell.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fitment {

namespace {

constexpr std::string_view kPypi = "https://pypi.org/simple";

/// What comes from one index.
struct IndexGroup {
  std::string index;  ///< without a slash at the end; empty: PyPI
  std::vector<const ChosenBuild*> choices;
};

std::string without_slash(std::string url) {
  while (url.ends_with('/')) {
    url.pop_back();
  }
  return url;
}

std::vector<IndexGroup> group_by_index(const Plan& plan) {
  std::vector<IndexGroup> groups;
  for (const PackagePlan& package : plan.packages) {
    if (!package.choice) {
      continue;
    }
    const std::string index = without_slash(package.choice->index);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const IndexGroup& known) {
      return known.index == index;
    });
    if (group == groups.end()) {
      groups.push_back({index, {}});
      group = std::prev(groups.end());
    }
    group->choices.push_back(&*package.choice);
  }
  return groups;
}

std::string requirements_of(const IndexGroup& group) {
  std::string text;
  for (const ChosenBuild* choice : group.choices) {
    text += " " + shell_word(choice->requirement);
  }
  return text;
}

std::string pip_line(const IndexGroup& group, std::string_view options) {
  const std::string index = group.index.empty() ? std::string() : " --index-url " + group.index;
  // Paddle's index holds Paddle alone; its dependencies come from PyPI.
  const bool needs_pypi = group.index.find("paddlepaddle.org") != std::string::npos;
  return fmt::format("pip install{}{}{}{}",
                     options,
                     requirements_of(group),
                     index,
                     needs_pypi ? fmt::format(" --extra-index-url {}", kPypi) : "");
}

std::string uv_line(const IndexGroup& group) {
  const std::string index =
      group.index.empty() ? std::string() : fmt::format(" --index {}", group.index);
  return fmt::format("uv pip install{}{}", requirements_of(group), index);
}

/// Names on conda-forge, where GPU builds carry another name.
struct CondaNames {
  std::string_view name;
  std::string_view gpu;
  std::string_view cpu;
};
constexpr std::array kCondaNames{
    CondaNames{"torch", "pytorch-gpu", "pytorch-cpu"},
    CondaNames{"torchvision", "torchvision", "torchvision"},
    CondaNames{"torchaudio", "torchaudio", "torchaudio"},
    CondaNames{"tensorflow", "tensorflow-gpu", "tensorflow-cpu"},
};

/// conda-forge has builds for CUDA and for the CPU. Nothing when a chosen package is not among
/// them.
std::vector<std::string> conda_specs(const Plan& plan) {
  std::vector<std::string> specs;
  std::optional<std::uint32_t> cuda_major;
  for (const PackagePlan& package : plan.packages) {
    const auto backend = package.choice ? parse_backend(package.choice->backend)
                                        : Result<Backend>(fail(ErrorCode::not_found, "no choice"));
    const auto names =
        std::find_if(kCondaNames.begin(), kCondaNames.end(), [&](const CondaNames& known) {
          return known.name == package.name;
        });
    const bool known_kind =
        backend && (backend->kind == Backend::Kind::cuda || backend->kind == Backend::Kind::cpu);
    if (names == kCondaNames.end() || !known_kind) {
      return {};
    }
    const bool cuda = backend->kind == Backend::Kind::cuda;
    if (cuda) {
      cuda_major = backend->level.major();
    }
    specs.push_back(
        fmt::format("{}={}", cuda ? names->gpu : names->cpu, to_string(package.choice->version)));
  }
  if (cuda_major) {
    specs.push_back(fmt::format("cuda-version={}", *cuda_major));
  }
  return specs;
}

/// The driver's CUDA API version as conda must be told where the machine is not the one it runs on.
std::string conda_override(const Plan& plan) {
  const auto& nvidia = plan.machines.front()->drivers.nvidia;
  return nvidia.is_present() && nvidia.driver.cuda_api
             ? fmt::format("CONDA_OVERRIDE_CUDA={} ", to_string(*nvidia.driver.cuda_api))
             : "";
}

std::string index_name(const IndexGroup& group) {
  const std::size_t slash = group.index.rfind('/');
  const std::string last = slash == std::string::npos ? group.index : group.index.substr(slash + 1);
  const std::string owner = group.index.find("pytorch.org") != std::string::npos ? "pytorch-"
                            : group.index.find("paddle") != std::string::npos    ? "paddle-"
                                                                                 : "";
  return owner + last;
}

std::string tool_uv_toml(const std::vector<IndexGroup>& groups) {
  std::string dependencies;
  std::string indexes;
  std::string sources;
  for (const IndexGroup& group : groups) {
    for (const ChosenBuild* choice : group.choices) {
      dependencies += fmt::format("  \"{}\",\n", choice->requirement);
      if (!group.index.empty()) {
        sources += fmt::format("{} = {{ index = \"{}\" }}\n", choice->name, index_name(group));
      }
    }
    if (!group.index.empty()) {
      indexes += fmt::format("[[tool.uv.index]]\nname = \"{}\"\nurl = \"{}\"\nexplicit = true\n\n",
                             index_name(group),
                             group.index);
    }
  }
  if (dependencies.empty()) {
    return {};
  }
  std::string text = fmt::format("[project]\ndependencies = [\n{}]\n", dependencies);
  if (!indexes.empty()) {
    text += fmt::format("\n{}[tool.uv.sources]\n{}", indexes, sources);
  }
  return text;
}

}  // namespace

InstallCommands install_commands(const Plan& plan) {
  InstallCommands commands;
  const std::vector<IndexGroup> groups = group_by_index(plan);
  for (const IndexGroup& group : groups) {
    commands.pip.push_back(pip_line(group, ""));
    commands.uv.push_back(uv_line(group));
    commands.dockerfile.push_back("RUN " + pip_line(group, " --no-cache-dir"));
  }
  if (const std::vector<std::string> specs = conda_specs(plan); !specs.empty()) {
    commands.conda.push_back(conda_override(plan) + "conda install -c conda-forge "
                             + join(specs, " "));
    commands.pixi.push_back(conda_override(plan) + "pixi add " + join(specs, " "));
  }
  commands.tool_uv = tool_uv_toml(groups);
  return commands;
}

}  // namespace fitment
