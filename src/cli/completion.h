// SPDX-License-Identifier: Apache-2.0
// Completion scripts, from the tables. Each is self-contained: it needs no helper library and never
// starts fitment.
#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace fitment {

std::string bash_completion(const std::vector<CommandSpec>& commands);
std::string zsh_completion(const std::vector<CommandSpec>& commands);
std::string fish_completion(const std::vector<CommandSpec>& commands);

}  // namespace fitment
