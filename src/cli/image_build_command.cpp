// SPDX-License-Identifier: Apache-2.0
// fitment image build: plans, renders and runs a builder.
#include "cli/exit_code.h"
#include "cli/image_job.h"
#include "cli/image_recipe_options.h"
#include "cli/image_runs.h"
#include "cli/invocation.h"

namespace fitment {

namespace {

Result<int> run_image_build(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const ImageBuilder builder, image_builder_of(invocation, streams));
  FITMENT_TRY_ASSIGN(const ImageJob job, read_image_job(invocation, streams, builder));
  const std::string folder = image_folder(invocation);
  FITMENT_TRY_ASSIGN(const bool is_written, write_image_folder(job, folder, streams));
  if (!is_written) {
    return kExitNo;
  }
  return run_image_builds(invocation, streams, job.bake.file(), folder);
}

std::vector<OptionSpec> build_options() {
  std::vector<OptionSpec> options = image_recipe_options();
  options.insert(options.end(), image_run_options().begin(), image_run_options().end());
  return options;
}

}  // namespace

CommandSpec image_build_command() {
  return {.name = "build",
          .summary = "build an image with buildah, docker or podman",
          .description =
              "Writes what `image render` writes and builds the stages from the bottom up. The "
              "framework stage installs, slims, and asks `fitment doctor` in one step: what is "
              "removed is never stored, and an image that would not work is not built.\n\n"
              "Tags are derived from content. A stage that the builder has already is kept, so "
              "after a failure the same command goes on where it stopped. Logs are in "
              "DIR/logs.\n\n"
              "Times in the image are those of SOURCE_DATE_EPOCH, 1980-01-01 without it, so with "
              "buildah and podman the same inputs give the same image.",
          .options = build_options(),
          .examples = {{"fitment image build --profile torch --for sm_90 --tag example/torch:1.0",
                        "from the default base"},
                       {"fitment image build --from root.tar --wheels wheels --profile torch --for "
                        "machine.json --builder buildah",
                        "without a registry and an index"}},
          .exit_codes = {{kExitNo, "nothing fits; the ways out are in the answer"},
                         {kExitWorld, "a build failed; its last lines are in the answer"}},
          .see_also = {"doctor", "slim"},
          .json = true,
          .handler = run_image_build};
}

}  // namespace fitment
