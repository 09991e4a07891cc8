// SPDX-License-Identifier: Apache-2.0
// fitment image: its subcommands, gathered.
#include "cli/image_command.h"

#include "cli/commands.h"

namespace fitment {

CommandSpec image_command() {
  return {.name = "image",
          .group = "Images",
          .summary = "images of containers: what is in them, and smaller ones",
          .description =
              "Works on images as they lie on the disk, without a daemon: OCI layouts, their "
              "archives, and archives of `docker save`.",
          .subcommands = {image_audit_command(), image_slim_command()}};
}

}  // namespace fitment
