// SPDX-License-Identifier: Apache-2.0
// fitment image slim: an image without what its machines never read, as a new OCI layout.
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/image_command.h"
#include "cli/image_options.h"
#include "cli/invocation.h"
#include "cli/keep_target_options.h"
#include "cli/slim_classes.h"
#include "cli/source_date.h"
#include "cli/streams.h"
#include "cli/version.h"
#include "image/layout_writer.h"
#include "image/slim_apply.h"
#include "report/image_slim.h"
#include "slim/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

constexpr std::string_view kHidden = "hidden";

/// Words of --only or --skip without `hidden`, which is a class of images alone.
std::vector<std::string> without_hidden(std::vector<std::string> words) {
  std::erase(words, kHidden);
  return words;
}

Result<ImageSlimWishes> read_wishes(const Invocation& invocation) {
  const std::vector<std::string>& only = invocation.list("only");
  const std::vector<std::string>& skip = invocation.list("skip");
  const auto names_hidden = [](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), kHidden) != words.end();
  };
  ImageSlimWishes wishes;
  wishes.drops_hidden = (only.empty() || names_hidden(only)) && !names_hidden(skip);
  if (only.empty() || !without_hidden(only).empty()) {
    FITMENT_TRY_ASSIGN(wishes.classes,
                       read_slim_classes(without_hidden(only), without_hidden(skip)));
  }
  if (const auto text = invocation.find("keep-layers")) {
    const auto count = parse_unsigned(*text);
    if (!count) {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no number of layers", *text))
          .hint("write `--keep-layers 2`; `fitment image audit` lists the layers, lowest first");
    }
    wishes.kept_layers = *count;
  }
  return wishes;
}

/// What the image says of itself afterwards.
void mark(const Image& image, const ImageSlimReport& report, ImageSlimOptions& options) {
  options.step = "fitment image slim";
  if (!report.targets.empty()) {
    const std::string targets = replace_all(to_string(report.targets), " ", "");
    options.step += " --for " + targets;
    options.marks["fitment.slim.targets"] = targets;
  }
  options.marks["fitment.slim.generator"] = fmt::format("fitment {}", program_version());
  if (!image.manifest_digest.empty()) {
    options.marks["fitment.slim.original"] = image.manifest_digest;
  }
}

Result<int> run_image_slim(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const ImageSlimWishes wishes, read_wishes(invocation));
  const auto output = invocation.find("output");
  if (output) {
    FITMENT_TRY(check_layout_place(*output));
  }
  ImageSlimOptions options;
  FITMENT_TRY_ASSIGN(options.created, source_date_text(streams.environment));
  ImageProgress progress(streams);
  SurveyOptions survey_wishes = survey_options(streams, progress);
  survey_wishes.keeps_text = tells_of_python;
  survey_wishes.reads_binaries = wishes.classes.count(SlimClass::gpu_code) > 0;
  survey_wishes.wants_results = output.has_value();
  SliceOptions slice;
  if (survey_wishes.reads_binaries) {
    FITMENT_TRY_ASSIGN(slice.policy.targets, read_keep_targets(invocation, streams));
    slice.policy.ptx = read_keep_ptx(invocation);
    slice.is_aggressive = invocation.flag("aggressive");
    slice.generator = fmt::format("fitment {}", program_version());
    survey_wishes.slice = slice;
  }
  if (const auto word = invocation.find("compression")) {
    options.compression = parse_layer_compression(*word);
  }
  FITMENT_TRY_ASSIGN(const Image image, open_named_image(invocation));
  FITMENT_TRY_ASSIGN(const ImageSurvey survey, survey_image(image, survey_wishes));
  FITMENT_TRY_ASSIGN(const ImageSlimPlan plan, plan_image_slim(survey, wishes));
  ImageSlimReport report{.image = image,
                         .survey = survey,
                         .plan = plan,
                         .targets = slice.policy.targets,
                         .keep_ptx = slice.policy.ptx,
                         .output = output,
                         .written = {}};
  if (output) {
    mark(image, report, options);
    options.progress = survey_wishes.progress;
    FITMENT_TRY_ASSIGN(report.written, apply_image_slim(image, survey, plan, options, *output));
  }
  progress.end();
  streams.out << (invocation.json() ? image_slim_json(report)
                                    : image_slim_text(report, streams.theme));
  if (!output) {
    streams.note("nothing was written: `--output DIR` makes a new OCI layout");
  }
  const bool is_refused =
      std::any_of(plan.files.begin(), plan.files.end(), [](const SlimFile& file) {
        return file.action == SlimAction::refuse;
      });
  return is_refused ? kExitNo : kExitDone;
}

OptionSpec class_option(std::string_view name, std::string_view help) {
  return {.name = name,
          .help = help,
          .value = "CLASS",
          .repeatable = true,
          .choices = {kHidden, "gpu-code", "static-archives", "build-files", "caches"},
          .group = "What"};
}

}  // namespace

CommandSpec image_slim_command() {
  return {
      .name = "slim",
      .summary = "a smaller image for named GPUs, as a new OCI layout",
      .description =
          "Plans, and with --output writes, an image whose layers do not hold what nothing reads: "
          "files that later layers delete or replace, GPU code for other GPUs, and in Python "
          "environments what `fitment slim` takes away. No daemon is needed and nothing is "
          "unpacked. Layers in which nothing changes keep their digest; entries that nobody "
          "touched "
          "keep their bytes.\n\n"
          "The new image is read again before it takes its place: every digest, every piece of GPU "
          "code that stays, and that its tree is the old one except for what the plan names. The "
          "same image and options give the same digest; SOURCE_DATE_EPOCH dates the new line of "
          "the "
          "history.",
      .arguments = {image_argument()},
      .options = {platform_option(),
                  keep_targets_option(),
                  keep_ptx_option(),
                  {.name = "aggressive",
                   .help = "cut .cask_resource as well, whose use is not documented",
                   .group = "What"},
                  class_option("only", "take away this class alone"),
                  class_option("skip", "leave this class alone"),
                  {.name = "keep-layers",
                   .help =
                       "leave so many of the lowest layers as they are, such as those of a base "
                       "that other images share",
                   .value = "N",
                   .group = "What"},
                  {.name = "compression",
                   .help = "of layers that are written; otherwise as each was",
                   .value = "HOW",
                   .choices = {"zstd", "gzip", "none"},
                   .group = "Do it"},
                  {.name = "output",
                   .help = "write the new OCI layout here",
                   .value = "DIR",
                   .completes = Completes::folder,
                   .group = "Do it"}},
      .examples = {{"fitment image slim oci:build/app:latest --for sm_86", "what would go"},
                   {"fitment image slim oci:build/app --for h100.json --output build/small",
                    "do it, for the GPUs of a machine file"},
                   {"fitment image slim app.tar --only hidden --output small --compression gzip",
                    "only what later layers hide"}},
      .exit_codes = {{kExitNo, "a file was refused; the answer says why"}},
      .see_also = {"slim"},
      .json = true,
      .handler = run_image_slim};
}

}  // namespace fitment
