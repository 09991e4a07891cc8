// SPDX-License-Identifier: Apache-2.0
// fitment image: its subcommands, gathered.
#include "cli/image_command.h"

#include "cli/commands.h"

namespace fitment {

CommandSpec image_command() {
  return {.name = "image",
          .group = "Images",
          .summary = "GPU images that are right, small and repeatable",
          .description =
              "Plans, renders and builds images for named machines on builders that have no GPU; "
              "tells what is in images that exist, as they lie on the disk, and makes them smaller "
              "without a daemon.",
          .subcommands = {image_plan_command(),
                          image_render_command(),
                          image_build_command(),
                          image_bake_command(),
                          image_sbom_command(),
                          image_audit_command(),
                          image_slim_command()}};
}

}  // namespace fitment
