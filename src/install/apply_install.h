// SPDX-License-Identifier: Apache-2.0
// Runs an installer, then looks at what it did: which packages changed, from where, and whether
// every file on disk is the one that was meant.
#pragma once

#include "install/install_call.h"
#include "install/installed_changes.h"
#include "install/installed_check.h"
#include "install/pip_report.h"
#include "wheel/requirement.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct InstallRun {
  Installer installer;
  InstallCall call;                  ///< its `report` is filled in here
  Environment variables;             ///< clean ones
  std::string prefix;                ///< of the environment
  std::vector<Requirement> planned;  ///< that must hold afterwards
  std::optional<int> talk;  ///< descriptor for what the installer prints; otherwise it is kept for
                            ///< an error alone
};

/// A planned package that is there in another version, or not at all.
struct UnmetRequirement {
  std::string requirement;               ///< `torch==2.8.0+cu128`
  std::optional<std::string> installed;  ///< version
};

struct InstallOutcome {
  std::vector<InstalledChange> changes;
  std::vector<ReportedPackage> packages;  ///< of pip's report; uv has none
  std::size_t checked_files = 0;          ///< of the packages that changed
  std::vector<InstalledFault> faults;
  std::vector<UnmetRequirement> unmet;           ///< of what was planned
  std::vector<InstalledDistribution> installed;  ///< all of the environment, afterwards
};

/// Errors: external_tool (the installer failed, with its last words), io_error.
Result<InstallOutcome> apply_install(InstallRun run);

/// What pip would install into an empty environment. Errors: as above.
Result<PipReport> resolve_with_pip(InstallRun run, const std::vector<std::string>& target);

}  // namespace fitment
