// SPDX-License-Identifier: Apache-2.0
#include "cli/machine_options.h"

#include "base/files.h"
#include "cli/invocation.h"
#include "machine/machine_file.h"
#include "wheel/tags.h"

#include <fmt/format.h>

namespace fitment {

namespace {

Result<Machine> read_machine(const std::string& file) {
  Result<std::string> text = file == "-" ? read_stdin() : read_file(file);
  if (!text) {
    return std::move(text).error().hint("`fitment probe --json` writes a machine file on the machine that is meant");
  }
  FITMENT_TRY_ASSIGN(Machine machine, parse_machine(*text, file == "-" ? "standard input" : file));
  if (machine.name.empty()) {
    machine.name = file == "-" ? "standard input" : std::filesystem::path(file).stem().string();
  }
  return machine;
}

}  // namespace

const std::vector<OptionSpec>& machine_options() {
  static const std::vector<OptionSpec> kOptions{
      {.name = "machine",
       .help = "a machine file instead of the machine this runs on (`-`: standard input); several "
               "give one answer each",
       .value = "FILE",
       .letter = 'm',
       .repeatable = true,
       .completes = Completes::file,
       .group = "Machine"},
      {.name = "set",
       .help = "override a fact: `drivers.nvidia.cuda_api=12.4`, `gpus=sm_90`, `gpus=[]`",
       .value = "KEY=VALUE",
       .repeatable = true,
       .group = "Machine"},
      {.name = "python",
       .help = "the Python to plan for: a version or the path of an interpreter",
       .value = "PYTHON",
       .completes = Completes::file,
       .group = "Machine"}};
  return kOptions;
}

const OptionSpec& catalog_option() {
  static const OptionSpec kOption{.name = "catalog",
                                  .help = "a folder of catalogue files laid over the embedded ones",
                                  .value = "DIR",
                                  .environment = "FITMENT_CATALOG",
                                  .completes = Completes::folder,
                                  .group = "Catalogue"};
  return kOption;
}

MachineRequest machine_request(const Invocation& invocation) {
  return {invocation.list("machine"), invocation.list("set"), invocation.find("python")};
}

Result<std::vector<Machine>> load_machines(const MachineRequest& request,
                                           const Catalog& /*catalog*/,
                                           const Streams& /*streams*/) {
  std::vector<Machine> machines;
  for (const std::string& file : request.files) {
    FITMENT_TRY_ASSIGN(Machine machine, read_machine(file));
    machines.push_back(std::move(machine));
  }
  return machines;
}

Result<Catalog> load_catalog(const Invocation& invocation) {
  if (const auto folder = invocation.find("catalog")) {
    return Catalog::with_folder(*folder);
  }
  return Catalog();
}

std::vector<std::string> package_words() {
  const Catalog catalog;
  return catalog.package_names().value_or(std::vector<std::string>{});
}

}  // namespace fitment
