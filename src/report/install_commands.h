// SPDX-License-Identifier: Apache-2.0
// A choice as commands and configuration that other installers take: pip, uv, conda, a Dockerfile,
// pyproject.toml.
#pragma once

#include "choose/choose.h"

#include <string>
#include <vector>

namespace fitment {

struct InstallCommands {
  std::vector<std::string> pip;  ///< one line an index: each name comes from one place only
  std::vector<std::string> uv;
  std::vector<std::string> pixi;
  std::vector<std::string>
      conda;  ///< conda-forge builds its own packages; versions there are not checked
  std::vector<std::string> dockerfile;  ///< RUN instructions
  std::string tool_uv;                  ///< TOML for pyproject.toml
};

/// Empty where nothing was chosen.
InstallCommands install_commands(const Plan& plan);

}  // namespace fitment
