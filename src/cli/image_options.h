// SPDX-License-Identifier: Apache-2.0
// Options that `fitment image plan`, `render`, `build` and `bake` share.
#pragma once

#include "cli/command.h"

#include <vector>

namespace fitment {

const std::vector<OptionSpec>& image_options();

/// The specs of the subcommands of `fitment image`, each beside its handler.
CommandSpec image_plan_command();
CommandSpec image_render_command();
CommandSpec image_build_command();
CommandSpec image_bake_command();
CommandSpec image_sbom_command();

}  // namespace fitment
