// SPDX-License-Identifier: Apache-2.0
// The subcommands of `fitment image`, each beside its handler.
#pragma once

#include "cli/command.h"

namespace fitment {

CommandSpec image_plan_command();
CommandSpec image_render_command();
CommandSpec image_build_command();
CommandSpec image_bake_command();
CommandSpec image_sbom_command();
CommandSpec image_audit_command();
CommandSpec image_slim_command();

}  // namespace fitment
