// SPDX-License-Identifier: Apache-2.0
// fitment image audit: where the bytes of an image are, and which need not be there.
#include "cli/exit_code.h"
#include "cli/image_command.h"
#include "cli/image_options.h"
#include "cli/invocation.h"
#include "cli/keep_target_options.h"
#include "cli/streams.h"
#include "image/audit_image.h"
#include "report/human.h"
#include "report/image_audit_json.h"
#include "report/image_audit_text.h"

#include <fmt/format.h>

#include <ostream>

namespace fitment {

namespace {

Result<int> run_image_audit(const Invocation& invocation, Streams& streams) {
  std::optional<WasteLimit> limit;
  if (const auto text = invocation.find("max-wasted")) {
    FITMENT_TRY_ASSIGN(limit, parse_waste_limit(*text));
  }
  ImageProgress progress(streams);
  SurveyOptions options = survey_options(streams, progress);
  if (!invocation.list("for").empty()) {
    SliceOptions slice;
    FITMENT_TRY_ASSIGN(slice.policy.targets, read_keep_targets(invocation, streams));
    options.slice = std::move(slice);
  }
  FITMENT_TRY_ASSIGN(const Image image, open_named_image(invocation));
  FITMENT_TRY_ASSIGN(const ImageSurvey survey, survey_image(image, options));
  const ImageAudit audit = audit_image(
      image, survey, options.slice ? options.slice->policy.targets : std::vector<KeepTarget>());
  progress.end();
  streams.out << (invocation.json() ? image_audit_json(audit)
                                    : image_audit_text(audit, streams.theme));
  if (limit && !limit->is_passed(audit)) {
    streams.warn(fmt::format("{} ({:.1f} %) are wasted, more than `--max-wasted {}` allows",
                             human_bytes(audit.wasted_bytes()),
                             audit.wasted_percent(),
                             invocation.get("max-wasted")));
    return kExitNo;
  }
  return kExitDone;
}

}  // namespace

CommandSpec image_audit_command() {
  return {
      .name = "audit",
      .summary = "where the bytes of an image are, and which need not be there",
      .description =
          "Reads every layer once, in a stream, and verifies every digest. Says for each layer "
          "what "
          "it holds and what made it; which bytes are stored and then deleted, replaced or copied "
          "by later layers; files that are there twice; GPU code by target; and what each fix "
          "would "
          "save.\n\n"
          "With --max-wasted it is a gate: exit code 1 when deleted, replaced, copied and "
          "duplicate "
          "bytes are more than that.",
      .arguments = {image_argument()},
      .options = {platform_option(),
                  [] {
                    OptionSpec option = keep_targets_option();
                    option.help =
                        "also say what slicing GPU code for these would save: targets, a "
                        "machine file, or `this`";
                    return option;
                  }(),
                  {.name = "max-wasted",
                   .help = "fail when more is wasted: bytes (`100MB`) or a share of all files "
                           "(`5%`)",
                   .value = "LIMIT",
                   .group = "Gates"}},
      .examples = {{"fitment image audit oci:build/app:latest", "an OCI layout"},
                   {"fitment image audit app.tar --for sm_86,sm_90",
                    "an archive of `docker save`, and what slicing would save"},
                   {"fitment image audit oci:build/app --max-wasted 5% --json", "a gate in CI"}},
      .exit_codes = {{kExitNo, "more is wasted than --max-wasted allows"}},
      .see_also = {"slim", "audit"},
      .json = true,
      .handler = run_image_audit};
}

}  // namespace fitment
