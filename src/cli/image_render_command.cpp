// SPDX-License-Identifier: Apache-2.0
// fitment image render: plain Containerfiles and what they mount, for any builder.
#include "cli/exit_code.h"
#include "cli/image_job.h"
#include "cli/image_recipe_options.h"
#include "cli/invocation.h"

#include <fmt/format.h>

#include <ostream>

namespace fitment {

namespace {

Result<int> run_image_render(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const ImageJob job, read_image_job(invocation, streams));
  if (invocation.find("output") || invocation.json()) {
    const std::string folder = image_folder(invocation);
    FITMENT_TRY_ASSIGN(const bool is_written, write_image_folder(job, folder, streams));
    if (!is_written) {
      return kExitNo;
    }
    if (invocation.json()) {
      streams.out << image_plan_json(job.images);
      return kExitDone;
    }
    for (const auto& [name, text] : job.bake.containerfiles()) {
      streams.out << fmt::format("{}/{}\n", folder, name);
    }
    streams.out << fmt::format("{0}/docker-bake.hcl\n{0}/docker-bake.json\n", folder);
    return kExitDone;
  }
  if (!job.fits()) {
    tell_misfits(job, streams);
    return kExitNo;
  }
  bool is_first = true;
  for (const BakeTarget& target : job.bake.file().targets) {
    streams.out << (is_first ? "" : "\n") << job.bake.containerfiles().at(target.containerfile);
    is_first = false;
  }
  return kExitDone;
}

}  // namespace

CommandSpec image_render_command() {
  return {.name = "render",
          .summary = "write the Containerfiles of an image",
          .description =
              "Writes one plain Containerfile a stage, a docker-bake file in both forms, and the "
              "inputs that steps mount. Without --output the Containerfiles are printed.\n\n"
              "Each stage names its parent by the argument BASE_IMG, so that a stage can be put on "
              "another base by hand: `buildah build --build-arg BASE_IMG=... --file "
              "DIR/atom-debian-12.Containerfile DIR`.",
          .options = image_recipe_options(),
          .examples = {{"fitment image render --profile torch --for sm_90", "to look at"},
                       {"fitment image render --profile torch --for sm_90 --output image",
                        "for a builder"}},
          .exit_codes = {{kExitNo, "nothing fits; the ways out are in the answer"}},
          .see_also = {"plan"},
          .json = true,
          .handler = run_image_render};
}

}  // namespace fitment
