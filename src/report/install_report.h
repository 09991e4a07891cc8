// SPDX-License-Identifier: Apache-2.0
// What `fitment install` and `fitment wheelhouse` tell when they are done.
#pragma once

#include "doctor/diagnose.h"
#include "install/apply_install.h"
#include "install/wheelhouse.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct InstallReport {
  bool is_applied = false;  ///< false: --dry-run
  std::string prefix;       ///< of the environment
  std::string machine;      ///< its name
  Installer installer;
  std::string index;
  std::vector<std::string> command;
  std::vector<std::string> dropped;  ///< settings that had no effect
  InstallOutcome outcome;
  std::optional<Health> health;
};

struct WheelhouseReport {
  bool is_applied = false;
  std::string folder;
  std::string machine;
  std::string index;
  std::vector<WheelhouseFile> files;
  std::vector<std::string> command;  ///< for the other machine
};

}  // namespace fitment
