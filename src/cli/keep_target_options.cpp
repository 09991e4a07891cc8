// SPDX-License-Identifier: Apache-2.0
#include "cli/keep_target_options.h"

#include "catalog/catalog.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "slim/targets.h"

namespace fitment {

const OptionSpec& keep_targets_option() {
  static const OptionSpec kOption{
      .name = "for",
      .help =
          "GPUs that must be served: targets with commas between (`+ptx` keeps PTX "
          "too), a machine file, or `this`",
      .value = "WHAT",
      .repeatable = true,
      .completes = Completes::file,
      .group = "What"};
  return kOption;
}

const OptionSpec& keep_ptx_option() {
  static const OptionSpec kOption{
      .name = "keep-ptx",
      .help =
          "which PTX stays: where a GPU has no machine code, the newest as well, "
          "all, or none",
      .value = "WHICH",
      .choices = {"none", "needed", "newest", "all"},
      .default_value = "needed",
      .group = "What"};
  return kOption;
}

Result<std::vector<KeepTarget>> read_keep_targets(const Invocation& invocation,
                                                  const Streams& streams) {
  std::vector<KeepTarget> targets;
  for (const std::string& word : invocation.list("for")) {
    std::vector<KeepTarget> more;
    const bool is_file = word.ends_with(".json") || word == "-";
    if (is_file || word == "this") {
      MachineRequest request;
      if (is_file) {
        request.files.push_back(word);
      }
      FITMENT_TRY_ASSIGN(const std::vector<Machine> machines,
                         load_machines(request, Catalog(), streams));
      for (const Machine& machine : machines) {
        FITMENT_TRY_ASSIGN(const std::vector<KeepTarget> own, keep_targets_of(machine));
        more.insert(more.end(), own.begin(), own.end());
      }
    } else {
      FITMENT_TRY_ASSIGN(more, parse_keep_targets(word));
    }
    targets.insert(targets.end(), more.begin(), more.end());
  }
  if (targets.empty()) {
    return fail(ErrorCode::invalid_argument, "for which GPUs?")
        .hint("`--for sm_86,sm_90+ptx`, `--for gfx942`, `--for machine.json`, `--for this`");
  }
  return merge_targets(std::move(targets));
}

KeepPtx read_keep_ptx(const Invocation& invocation) {
  return parse_keep_ptx(invocation.get("keep-ptx")).value_or(KeepPtx::needed);
}

}  // namespace fitment
