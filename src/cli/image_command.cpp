// SPDX-License-Identifier: Apache-2.0
// fitment image: the table that collects its subcommands; each lives in a file of its own.
#include "cli/commands.h"
#include "cli/image_options.h"

namespace fitment {

CommandSpec image_command() {
  return {.name = "image",
          .group = "Build images",
          .summary = "GPU images that are right, small and repeatable",
          .description =
              "Plans, renders and builds images for named machines on builders that have "
              "no GPU.",
          .subcommands = {image_plan_command(),
                          image_render_command(),
                          image_build_command(),
                          image_bake_command(),
                          image_sbom_command()}};
}

}  // namespace fitment
