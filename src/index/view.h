// SPDX-License-Identifier: Apache-2.0
// What one machine sees of a project: which files, under which names, and for each file that is
// left out the reasons. Pure: no disk, no network, no clock.
//
// Files are filtered, not versions: of several builds of one version an installer takes the one
// whose local label sorts last, whatever the machine. So of each version one backend stays. The
// others can still be had by naming their label: they are listed as yanked (PEP 592), which
// installers take for an exact pin alone, and the reason that they print says what this machine
// would have got. Python versions are left to the installer, since several may share a machine.
#pragma once

#include "catalog/catalog.h"
#include "choose/policy.h"
#include "choose/verdict.h"
#include "index/project.h"
#include "index/route.h"
#include "machine/machine.h"
#include "variant/select.h"
#include "variant/trust.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct ViewPolicy {
  ChoosePolicy choose;
  TrustPolicy trust;
  bool pass_pins = true;  ///< other builds can be had by an exact label
};

/// A machine with what every one of its pages needs.
class ViewContext {
 public:
  /// Error: what reading the catalogue gives, a backend in the policy that cannot be read.
  static Result<ViewContext> create(Machine machine,
                                    ViewPolicy policy,
                                    std::shared_ptr<const Catalog> catalog);

  /// Tags of one Python that may run on the machine.
  struct PythonTags {
    std::string interpreter;  ///< tag that its own wheels have: `cp312`
    TagIndex tags;
  };

  [[nodiscard]] const Machine& machine() const { return *machine_; }
  [[nodiscard]] const ViewPolicy& policy() const { return policy_; }
  [[nodiscard]] const Catalog& catalog() const { return *catalog_; }
  [[nodiscard]] const std::optional<Backend>& pin() const { return pin_; }
  /// The machine's own first, where it is known; none where the machine does not say its
  /// architecture.
  [[nodiscard]] const std::vector<PythonTags>& pythons() const { return pythons_; }
  [[nodiscard]] bool knows_python() const { return machine_->python.version.has_value(); }

 private:
  ViewContext() = default;

  std::shared_ptr<const Machine> machine_;
  ViewPolicy policy_;
  std::shared_ptr<const Catalog> catalog_;
  std::optional<Backend> pin_;
  std::vector<PythonTags> pythons_;
};

struct ShownFile {
  std::size_t file = 0;               ///< in Project::files
  std::string filename;               ///< that it is listed under
  std::optional<std::string> yanked;  ///< the reason, which may be empty
  std::string backend;                ///< of a build for some backend
  bool is_pin_only = false;           ///< another build: `yanked` says which one and why
  std::vector<std::size_t> reasons;   ///< of a build that can be had by a pin only
};

struct HiddenFile {
  std::size_t file = 0;
  std::vector<std::size_t> reasons;  ///< in ProjectView::reasons; never empty
};

/// What was chosen for one version.
struct VersionChoice {
  std::string version;  ///< public, normal form
  std::string chosen;   ///< backend or variant label; empty: nothing fits
  std::vector<Warning> warnings;
  std::string note;  ///< what the judgement rests on, where that is not the catalogue's own row
};

struct ProjectView {
  std::vector<ShownFile> shown;  ///< in the order of the project
  std::vector<HiddenFile> hidden;
  std::vector<Reason> reasons;         ///< each once
  std::vector<VersionChoice> choices;  ///< newest first; versions without a choice to make lack

  /// The file that is listed under this name; nullptr: none.
  [[nodiscard]] const ShownFile* find(std::string_view filename) const;
};

/// Backends by public version of a framework: what its companions have to agree with.
using FrameworkChoices = std::map<std::string, std::string>;

struct ViewInput {
  const Project* project = nullptr;
  const ViewContext* context = nullptr;
  const std::vector<Placeholder>* placeholders = nullptr;
  const FrameworkChoices* framework = nullptr;  ///< null: the project is no companion
};

/// Error: what reading the catalogue gives; an override of a variant provider that cannot be read.
Result<ProjectView> plan_view(const ViewInput& input);

/// The framework that this project must agree with, such as torch for torchvision; empty: none.
Result<std::string> framework_to_agree_with(const Catalog& catalog, std::string_view project);

FrameworkChoices choices_of(const ProjectView& framework);

}  // namespace fitment
