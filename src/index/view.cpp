// SPDX-License-Identifier: Apache-2.0
#include "index/view.h"

#include "catalog/backend.h"
#include "index/view_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

/// Interpreters that may be on a machine beside its own.
constexpr std::array kPythons{
    "3.14", "3.13", "3.12", "3.11", "3.10", "3.9", "3.8", "3.14t", "3.13t"};

std::string interpreter_tag(const Machine& machine) {
  const auto python = parse_python_version(*machine.python.version);
  return python ? fmt::format(
             "{}{}{}", python->implementation == "pypy" ? "pp" : "cp", python->major, python->minor)
                : std::string();
}

std::vector<ViewContext::PythonTags> tags_of(const Machine& machine) {
  std::vector<ViewContext::PythonTags> pythons;
  const auto add = [&pythons](const Machine& variation) {
    auto tags = TagIndex::of_machine(variation);
    const auto is_same = [&](const ViewContext::PythonTags& other) {
      return other.tags.description() == tags->description();
    };
    if (tags && std::none_of(pythons.begin(), pythons.end(), is_same)) {
      pythons.push_back({interpreter_tag(variation), std::move(*tags)});
    }
  };
  if (machine.python.version) {
    add(machine);
  }
  Machine variation = machine;
  variation.python.implementation.set("cpython", "");
  for (const char* version : kPythons) {
    variation.python.version.set(version, "");
    add(variation);
  }
  return pythons;
}

}  // namespace

Result<ViewContext> ViewContext::create(Machine machine,
                                        ViewPolicy policy,
                                        std::shared_ptr<const Catalog> catalog) {
  ViewContext context;
  if (policy.choose.backend) {
    FITMENT_TRY_ASSIGN(context.pin_, parse_backend(*policy.choose.backend));
  }
  context.pythons_ = tags_of(machine);
  context.machine_ = std::make_shared<const Machine>(std::move(machine));
  context.policy_ = std::move(policy);
  context.catalog_ = std::move(catalog);
  return context;
}

const ShownFile* ProjectView::find(std::string_view filename) const {
  const auto found = std::find_if(
      shown.begin(), shown.end(), [&](const ShownFile& file) { return file.filename == filename; });
  return found == shown.end() ? nullptr : &*found;
}

ViewDraft::ViewDraft(const ViewInput& input) : input_(input), fates_(input.project->files.size()) {}

std::size_t ViewDraft::intern(const Reason& reason) {
  const auto [found, is_new] = known_.try_emplace(
      {reason.rule, reason.fact, reason.found, reason.required}, reasons_.size());
  if (is_new) {
    reasons_.push_back(reason);
  }
  return found->second;
}

void ViewDraft::hide(std::size_t file, const Reason& reason) {
  fates_[file].reasons.push_back(intern(reason));
}

void ViewDraft::hide(std::size_t file, const std::vector<Reason>& reasons) {
  for (const Reason& reason : reasons) {
    hide(file, reason);
  }
}

void ViewDraft::pin_only(std::size_t file, std::string why, const std::vector<Reason>& reasons) {
  hide(file, reasons);
  fates_[file].pin = std::move(why);
}

void ViewDraft::show_as(std::size_t file, std::string filename) {
  fates_[file].filename = std::move(filename);
}

void ViewDraft::set_backend(std::size_t file, std::string backend) {
  fates_[file].backend = std::move(backend);
}

ProjectView ViewDraft::finish() && {
  ProjectView view;
  for (std::size_t i = 0; i < fates_.size(); ++i) {
    Fate& fate = fates_[i];
    if (!fate.reasons.empty() && !fate.pin) {
      view.hidden.push_back({i, std::move(fate.reasons)});
      continue;
    }
    const SimpleFile& file = project().files[i].file;
    ShownFile shown;
    shown.file = i;
    shown.filename = std::move(fate.filename);
    if (shown.filename.empty()) {
      shown.filename = file.filename;
    }
    shown.is_pin_only = fate.pin.has_value();
    shown.yanked = std::move(fate.pin);
    if (!shown.is_pin_only) {
      shown.yanked = file.yanked;
    }
    shown.backend = std::move(fate.backend);
    shown.reasons = std::move(fate.reasons);
    view.shown.push_back(std::move(shown));
  }
  view.reasons = std::move(reasons_);
  view.choices = std::move(choices_);
  return view;
}

Result<ProjectView> plan_view(const ViewInput& input) {
  ViewDraft draft(input);
  hide_clutter(draft);
  hide_other_platforms(draft);
  FITMENT_TRY(choose_builds(draft));
  FITMENT_TRY(choose_variants(draft));
  return std::move(draft).finish();
}

FrameworkChoices choices_of(const ProjectView& framework) {
  FrameworkChoices choices;
  for (const VersionChoice& choice : framework.choices) {
    choices.emplace(choice.version, choice.chosen);
  }
  return choices;
}

}  // namespace fitment
