// SPDX-License-Identifier: Apache-2.0
// fitment freeze: what is installed, with what pip freeze leaves out.
#include "cli/audit_options.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/environment_root.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "report/record_json.h"
#include "report/record_text.h"

#include <ostream>

namespace fitment {

namespace {

Result<int> run_freeze(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  FITMENT_TRY_ASSIGN(const EnvironmentRoot root,
                     find_environment_root(invocation.get("ENV"), catalog, streams));
  const MachineRequest request = machine_request(invocation);
  FITMENT_TRY_ASSIGN(
      const Machine machine,
      load_one_machine(
          request, catalog, streams, "the machine tells driver and toolkits of the system"));
  FITMENT_TRY_ASSIGN(const OpenedRoot opened,
                     open_environment_root(root, {}, scratch_options(streams)));
  std::vector<FrozenEnvironment> environments;
  for (const PythonEnvironment& environment : opened.environments) {
    environments.push_back(freeze_environment(opened.view(), environment, catalog));
    if (!root.is_whole()) {
      environments.back().path = root.shown;
    }
    for (const std::string& problem : environments.back().problems) {
      streams.warn(problem);
    }
  }
  streams.out << (invocation.json() ? freeze_json(environments, machine)
                                    : freeze_text(environments, machine));
  return kExitDone;
}

}  // namespace

CommandSpec freeze_command() {
  CommandSpec spec{
      .name = "freeze",
      .group = "Record",
      .summary = "what is installed, with what `pip freeze` leaves out",
      .description =
          "Lists the packages of an environment from its files alone, in a form that pip reads, "
          "with "
          "comments: backend and variant of each, the address it was installed from, the driver "
          "that "
          "it needs, and the driver and toolkits of the system.\n\n"
          "Installers do not write down from which index a package came; where the catalogue knows "
          "builds with its label, their index is named.",
      .arguments = {{.name = "ENV",
                     .help = "an environment, a site-packages folder or the root of an image; "
                             "default: the active environment, else the Python on PATH",
                     .count = ArgumentSpec::Count::optional,
                     .completes = Completes::folder}},
      .examples = {{"fitment freeze .venv", "one environment"},
                   {"fitment freeze .venv --json", "for a program to read"}},
      .see_also = {"doctor", "lock"},
      .json = true,
      .handler = run_freeze};
  spec.options.insert(spec.options.end(), machine_options().begin(), machine_options().end());
  spec.options.push_back(catalog_option());
  return spec;
}

}  // namespace fitment
