// SPDX-License-Identifier: Apache-2.0
#include "report/image_plan_text.h"

#include "base/text.h"
#include "image/image_machine.h"
#include "image/image_program.h"
#include "report/human.h"
#include "report/machine_text.h"
#include "report/plan_text.h"
#include "report/styled_text.h"
#include "report/table.h"
#include "slim/targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

std::string base_words(const BaseImage& base) {
  std::string words = base.reference;
  if (base.cuda_toolkit) {
    words += fmt::format(", CUDA toolkit {} (by its {})",
                         to_string(*base.cuda_toolkit),
                         base.cuda_toolkit.evidence());
  }
  return words;
}

std::string machine_words(const ImagePlan& plan) {
  std::string words;
  for (const Machine& machine : *plan.machines) {
    words += (words.empty() ? "" : " and ") + machine.name;
    if (!plan.targets.empty() && !is_assumed(machine)) {
      words += " (" + gpus_and_driver(machine) + ")";
    }
  }
  return words;
}

std::string python_words(const ImagePlan& plan) {
  if (plan.python_from == "system") {
    return plan.python + " of the distribution";
  }
  return plan.python + (plan.python_from == "uv" ? " by uv" : " from conda-forge");
}

std::string monitor_words(const std::string& monitor) {
  if (monitor == "package") {
    return "nvtop of the distribution";
  }
  return monitor == "source" ? "nvtop, built from source in a stage that is thrown away" : "none";
}

/// What is known, and plainly what is not.
std::string size_words(const ImagePlan& plan) {
  const ImageSize& size = plan.size;
  std::vector<std::string> words;
  if (size.base_bytes && size.installed_bytes) {
    words.push_back(fmt::format("about {}{}",
                                human_bytes(*size.base_bytes + *size.installed_bytes),
                                plan.slim ? " before slimming" : ""));
  }
  if (size.base_bytes) {
    words.push_back("base " + human_bytes(*size.base_bytes));
  }
  if (size.download_bytes) {
    words.push_back("wheels " + human_bytes(*size.download_bytes));
  }
  if (size.installed_bytes) {
    words.push_back(human_bytes(*size.installed_bytes) + " installed");
  }
  if (!size.unknown.empty()) {
    words.push_back("not known beforehand: " + join(size.unknown, ", "));
  }
  return join(words, "; ");
}

/// What holds for several packages of a group stands there once.
std::vector<std::string> warnings_of(const ImagePlan& plan) {
  std::vector<std::string> texts;
  for (const PackagePlan& package : plan.choice.packages) {
    for (const Warning& warning : package.warnings) {
      std::string text = warning.id + ": " + warning.text;
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
        texts.push_back(std::move(text));
      }
    }
  }
  return texts;
}

/// Labels on the left, words on the right.
std::string facts_table(const ImagePlan& plan, const Theme& theme) {
  Table table;
  table.column("").column("", Table::Align::left, Table::Wrap::words);
  const auto row = [&](const char* label, const std::string& words) {
    if (!words.empty()) {
      table.row({StyledText(label, Role::dim), words});
    }
  };
  row("for", machine_words(plan));
  row("base", base_words(plan.base));
  row("platform", platform_of_arch(plan.arch));
  row("python", python_words(plan));
  row("also", join(plan.requirements, ", "));
  row("user", plan.user);
  row("monitor", plan.monitor.empty() ? "" : monitor_words(plan.monitor));
  row("size", size_words(plan));
  row("driver", plan.driver_floor ? to_string(*plan.driver_floor) + " or newer" : std::string());
  row("demands",
      plan.require ? fmt::format(
          "NVIDIA_REQUIRE_CUDA={}, NVIDIA_REQUIRE_ARCH={}", plan.require->cuda, plan.require->arch)
                   : "");
  row("slim", plan.slim ? "to " + to_string(plan.targets) : "");
  for (const std::string& warning : warnings_of(plan)) {
    table.row({StyledText("warning", Role::warning), warning});
  }
  for (const std::string& note : plan.notes) {
    table.row({StyledText("note", Role::warning), note});
  }
  return table.render(theme);
}

std::string stages_table(const std::vector<ImageStage>& stages, const Theme& theme) {
  Table table;
  table.indent(2).column("").column("", Table::Align::left, Table::Wrap::words);
  for (const ImageStage& stage : stages) {
    table.row({StyledText(stage.name, Role::strong), stage.summary});
    table.span(StyledText(stage.tag, Role::dim), 2);
  }
  return table.render(theme);
}

}  // namespace

std::string image_misfit_text(const ImagePlan& plan, const Theme& theme) {
  std::string text = plan_text({plan.choice}, theme, {.all_candidates = false, .commands = false});
  if (plan.base.system == nullptr) {
    text += fmt::format("\nThe system of {} is not known: `--base-system ubuntu-24.04` tells it.\n",
                        plan.base.reference);
  }
  return text;
}

std::string image_plan_text(const std::vector<PlannedImage>& images, const Theme& theme) {
  std::string text;
  for (const PlannedImage& image : images) {
    const ImagePlan& plan = image.plan;
    text += text.empty() ? "" : "\n";
    if (!plan.fits()) {
      text += image_misfit_text(plan, theme);
      continue;
    }
    for (const PackagePlan& package : plan.choice.packages) {
      text +=
          StyledText(package.choice->name, Role::strong)
              .add(" ")
              .add(to_string(package.choice->version) + "+" + package.choice->backend, Role::good)
              .render(theme)
          + "\n";
    }
    text += plan.choice.packages.empty() ? "" : "\n";
    text += facts_table(plan, theme) + "\n" + paint("stages", Role::heading, theme) + "\n"
            + stages_table(image.stages, theme);
  }
  return text;
}

}  // namespace fitment
