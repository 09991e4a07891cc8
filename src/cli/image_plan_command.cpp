// SPDX-License-Identifier: Apache-2.0
// fitment image plan: what an image will be, before a byte is pulled.
#include "cli/exit_code.h"
#include "cli/image_job.h"
#include "cli/image_recipe_options.h"
#include "cli/invocation.h"
#include "report/image_plan_text.h"

#include <ostream>

namespace fitment {

namespace {

Result<int> run_image_plan(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const ImageJob job, read_image_job(invocation, streams));
  streams.out << (invocation.json() ? image_plan_json(job.images)
                                    : image_plan_text(job.images, streams.theme));
  return job.fits() ? kExitDone : kExitNo;
}

}  // namespace

CommandSpec image_plan_command() {
  return {.name = "plan",
          .summary = "what an image will hold and where it will run",
          .description =
              "Chooses the builds for the machines that the image is for, never for the one that "
              "builds it, and says which drivers and GPUs it will run on, what it will demand of "
              "the host and which stages it is made of. Nothing is pulled or built.\n\n"
              "In fitment.toml the table [image] takes: from, profile, for, python, python-from, "
              "requirements, packages, monitor, nvtop, wheels, tag, slim, env, labels.",
          .options = image_recipe_options(),
          .examples = {{"fitment image plan --profile torch --for sm_86,sm_90",
                        "for two generations of GPUs"},
                       {"fitment image plan --profile torch,nlp --for h100.json --json",
                        "for a machine that described itself"},
                       {"fitment image plan --from nvidia/cuda:12.8.1-runtime-ubuntu24.04 "
                        "--profile jax --for sm_90",
                        "on top of an image of NVIDIA's"}},
          .exit_codes = {{kExitNo, "nothing fits; the ways out are in the answer"}},
          .see_also = {"plan", "slim", "doctor"},
          .json = true,
          .handler = run_image_plan};
}

}  // namespace fitment
