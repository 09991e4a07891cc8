// SPDX-License-Identifier: Apache-2.0
#include "cli/keep_target_options.h"

#include "catalog/catalog.h"
#include "cli/invocation.h"
#include "cli/known_targets.h"
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

Result<NamedTargets> read_named_targets(const Invocation& invocation, const Streams& streams) {
  NamedTargets found;
  const Catalog catalog;
  std::vector<GpuTarget> typed;
  for (const std::string& word : invocation.list("for")) {
    const bool is_file = word.ends_with(".json") || word == "-";
    if (is_file || word == "this") {
      MachineRequest request;
      if (is_file) {
        request.files.push_back(word);
      }
      FITMENT_TRY_ASSIGN(std::vector<Machine> machines, load_machines(request, catalog, streams));
      for (Machine& machine : machines) {
        FITMENT_TRY_ASSIGN(const std::vector<KeepTarget> own, keep_targets_of(machine));
        found.gpus.insert(found.gpus.end(), own.begin(), own.end());
        found.machines.push_back({std::move(machine), !is_file});
      }
    } else {
      FITMENT_TRY_ASSIGN(const std::vector<KeepTarget> own, parse_keep_targets(word));
      for (const KeepTarget& target : own) {
        found.machines.push_back({machine_with(target), false});
        typed.push_back(target.gpu);
      }
      found.gpus.insert(found.gpus.end(), own.begin(), own.end());
    }
  }
  FITMENT_TRY(warn_of_unknown_targets(typed, catalog, streams));
  found.gpus = merge_targets(std::move(found.gpus));
  return found;
}

Result<std::vector<KeepTarget>> read_keep_targets(const Invocation& invocation,
                                                  const Streams& streams) {
  FITMENT_TRY_ASSIGN(NamedTargets found, read_named_targets(invocation, streams));
  if (found.gpus.empty()) {
    return no_targets_named();
  }
  return std::move(found.gpus);
}

Error no_targets_named() {
  return fail(ErrorCode::invalid_argument, "for which GPUs?")
      .hint("`--for sm_86,sm_90+ptx`, `--for gfx942`, `--for machine.json`, `--for this`");
}

KeepPtx read_keep_ptx(const Invocation& invocation) {
  return parse_keep_ptx(invocation.get("keep-ptx")).value_or(KeepPtx::needed);
}

}  // namespace fitment
