// SPDX-License-Identifier: Apache-2.0
// fitment image bake: a matrix of images as a docker-bake document, for BuildKit, or built without
// a daemon.
#include "base/files.h"
#include "cli/exit_code.h"
#include "cli/image_job.h"
#include "cli/image_recipe_options.h"
#include "cli/image_runs.h"
#include "cli/invocation.h"

#include <ostream>

namespace fitment {

namespace {

/// A document that was written before, built as it stands.
Result<int> run_document(const std::string& path, const Invocation& invocation, Streams& streams) {
  const auto text = read_file(path);
  if (!text) {
    return Error(text.error())
        .hint("`fitment image bake --output DIR` writes DIR/docker-bake.json");
  }
  FITMENT_TRY_ASSIGN(const BakeFile file, parse_bake_json(*text, path));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return run_image_builds(invocation, streams, file, folder.empty() ? "." : folder);
}

Result<int> run_image_bake(const Invocation& invocation, Streams& streams) {
  if (const auto document = invocation.find("DOCUMENT")) {
    return run_document(*document, invocation, streams);
  }
  if (!invocation.find("builder")
      && (!invocation.list("target").empty() || invocation.flag("rebuild"))) {
    return fail(ErrorCode::invalid_argument,
                "`--target` and `--rebuild` are about building, and nothing is built here")
        .hint("name a builder, `--builder buildah`, or a document that was written before");
  }
  FITMENT_TRY_ASSIGN(const ImageJob job, read_image_job(invocation, streams));
  if (invocation.find("builder") || invocation.find("output")) {
    const std::string folder = image_folder(invocation);
    FITMENT_TRY_ASSIGN(const bool is_written, write_image_folder(job, folder, streams));
    if (!is_written) {
      return kExitNo;
    }
    if (invocation.find("builder")) {
      return run_image_builds(invocation, streams, job.bake.file(), folder);
    }
  } else if (!job.fits()) {
    tell_misfits(job, streams);
    return kExitNo;
  }
  streams.out << (invocation.json() ? bake_json(job.bake.file()) : bake_hcl(job.bake.file()));
  return kExitDone;
}

std::vector<OptionSpec> bake_options() {
  std::vector<OptionSpec> options = image_recipe_options();
  options.insert(options.end(), image_run_options().begin(), image_run_options().end());
  return options;
}

}  // namespace

CommandSpec image_bake_command() {
  return {
      .name = "bake",
      .summary = "a matrix of images as a docker-bake document",
      .description =
          "Commas join within one image, a repeated option multiplies: two profiles for three "
          "targets are six images. Stages that are equal are one target, and each target names "
          "the one it stands on, so BuildKit builds every stage once and in the right order. "
          "Tags are derived from content; none is `latest`.\n\n"
          "Without --output the document is printed, as HCL or with --json as JSON. With "
          "--builder it is built, without a daemon where the builder has none: independent "
          "stages at the same time. A document that was written before is built by its name.",
      .arguments = {{.name = "DOCUMENT",
                     .help = "a docker-bake.json that `image bake --output` wrote",
                     .count = ArgumentSpec::Count::optional,
                     .completes = Completes::file}},
      .options = bake_options(),
      .examples = {{"fitment image bake --profile torch --profile jax --for sm_80 --for sm_90",
                    "four images as HCL"},
                   {"fitment image bake --profile torch --python 3.12 --python 3.13 --for sm_90 "
                    "--output images",
                    "files for `docker buildx bake`"},
                   {"fitment image bake images/docker-bake.json --builder buildah --jobs 4",
                    "the same file without a daemon"}},
      .exit_codes = {{kExitNo, "nothing fits one of the images; the ways out are in the answer"},
                     {kExitWorld, "a build failed; its last lines are in the answer"}},
      .see_also = {"plan"},
      .json = true,
      .handler = run_image_bake};
}

}  // namespace fitment
