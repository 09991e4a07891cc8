// SPDX-License-Identifier: Apache-2.0
// How an installer is called. Pure: what --dry-run shows is what is run.
#pragma once

#include "install/installer.h"

#include <string>
#include <vector>

namespace fitment {

struct InstallCall {
  std::string python;                     ///< interpreter of the environment
  std::string index;                      ///< the one index: `http://127.0.0.1:3141/simple/`
  std::vector<std::string> requirements;  ///< `torch==2.8.0+cu128`
  std::string constraints;                ///< a file; empty: none
  std::string report;                     ///< where pip writes what it did; empty: nowhere
  bool is_upgrade = false;
  bool is_dry_run = false;
  std::vector<std::string> arguments;  ///< the user's own, before the requirements
};

std::vector<std::string> install_command(const Installer& installer, const InstallCall& call);

/// What would be installed into an empty environment, into `report`; nothing is changed. `target`
/// is what cross_arguments() gives for another machine. pip alone.
std::vector<std::string> resolve_command(const Installer& pip,
                                         const InstallCall& call,
                                         const std::vector<std::string>& target);

}  // namespace fitment
