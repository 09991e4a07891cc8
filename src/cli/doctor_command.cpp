// SPDX-License-Identifier: Apache-2.0
// fitment doctor: will what is installed here work on this machine?
#include "cli/audit_options.h"
#include "cli/commands.h"
#include "cli/environment_root.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/streams.h"
#include "doctor/diagnose.h"
#include "report/doctor_json.h"
#include "report/doctor_text.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace fitment {

namespace {

/// Variables of the process that runs now which decide what Python and the loader find.
constexpr std::array<std::string_view, 4> kInherited{
    "HOME", "PYTHONPATH", "PYTHONNOUSERSITE", "LD_LIBRARY_PATH"};

/// --env beats what is inherited; nothing is inherited for a root of its own.
Result<Environment> judged_variables(const Invocation& invocation,
                                     const Streams& streams,
                                     bool is_own_root) {
  Environment variables;
  if (is_own_root) {
    variables["HOME"] = "/root";
  } else {
    for (const std::string_view name : kInherited) {
      const std::string value = value_of(streams.environment, name);
      if (!value.empty()) {
        variables[std::string(name)] = value;
      }
    }
  }
  for (const std::string& text : invocation.list("env")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not KEY=VALUE", text))
          .hint("write `--env LD_LIBRARY_PATH=/usr/local/cuda/lib64`");
    }
    variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

Result<int> run_doctor(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  FITMENT_TRY_ASSIGN(const EnvironmentRoot root,
                     find_environment_root(invocation.get("ENV"), catalog, streams));
  const MachineRequest request = machine_request(invocation);
  FITMENT_TRY_ASSIGN(
      const Machine machine,
      load_one_machine(request, catalog, streams, "run `fitment doctor` once for each machine"));
  const bool is_own_root = root.view_root != "/";
  FITMENT_TRY_ASSIGN(const Environment variables,
                     judged_variables(invocation, streams, is_own_root));

  FITMENT_TRY_ASSIGN(OpenedRoot opened,
                     open_environment_root(root, variables, scratch_options(streams)));
  std::vector<EnvironmentDiagnosis> diagnoses;
  for (PythonEnvironment& environment : opened.environments) {
    FITMENT_TRY_ASSIGN(EnvironmentDiagnosis diagnosis,
                       diagnose({.view = &opened.view(),
                                 .machine = &machine,
                                 .catalog = &catalog,
                                 .variables = variables,
                                 .is_whole_root = root.is_whole(),
                                 .is_this_machine = request.files.empty(),
                                 .verifies_digests = invocation.flag("verify")},
                                std::move(environment)));
    if (!root.is_whole()) {
      diagnosis.shown = root.shown;
    }
    diagnoses.push_back(std::move(diagnosis));
  }
  if (invocation.json()) {
    streams.out << doctor_json(diagnoses, machine, root.shown);
  } else {
    const DoctorTextOptions options{.shows_notes = streams.verbosity > 0,
                                    .shows_libraries = invocation.flag("libraries")};
    for (const EnvironmentDiagnosis& diagnosis : diagnoses) {
      streams.out << (&diagnosis == diagnoses.data() ? "" : "\n")
                  << doctor_text(diagnosis, machine, options, streams.theme);
    }
  }
  return worst_health(diagnoses) == Health::broken ? kExitNo : kExitDone;
}

}  // namespace

CommandSpec doctor_command() {
  CommandSpec spec{
      .name = "doctor",
      .group = "Understand",
      .summary = "will what is installed work on this machine",
      .description =
          "Judges an environment, a site-packages folder, the root of an image, or wheels as if "
          "they were installed together, from the files alone; nothing is imported, loaded or run. "
          "It follows the loader's search rules and "
          "Python's, lists GPU code, and compares both with the machine: libraries that are "
          "missing "
          "or found in the wrong place, symbols that the loaded copy lacks, packages that do not "
          "belong together, code that the GPU, the driver, the processor or the C library cannot "
          "run.\n\n"
          "Findings come in the order in which to fix them, each with its evidence and a command. "
          "`fitment explain RULE` tells more about one.",
      .arguments =
          {{.name = "ENV",
            .help = "an environment, a site-packages folder, the root of an image, a wheel or "
                    "a folder of wheels; default: the active environment, else the Python on PATH",
            .count = ArgumentSpec::Count::optional,
            .completes = Completes::folder}},
      .options = {{.name = "env",
                   .help = "judge for a process with this variable: LD_LIBRARY_PATH, PYTHONPATH, "
                           "HOME, PYTHONNOUSERSITE",
                   .value = "KEY=VALUE",
                   .repeatable = true,
                   .group = "Process"},
                  {.name = "libraries",
                   .help = "show every library of NVIDIA's with the place it is loaded from",
                   .group = "Output"},
                  {.name = "verify",
                   .help = "read every file and compare its digest with RECORD; without it, sizes "
                           "are compared"}},
      .examples = {{"fitment doctor", "the active environment on this machine"},
                   {"fitment doctor .venv --machine examples/machines/h100-driver-535.json",
                    "the same environment on another machine"},
                   {"fitment doctor .venv --env LD_LIBRARY_PATH=/usr/local/cuda/lib64",
                    "what that variable would change"},
                   {"fitment doctor wheelhouse --machine target.json",
                    "wheels, before anybody installs them"},
                   {"fitment doctor /mnt/image --machine target.json --json",
                    "an image, for a program to read"}},
      .exit_codes = {{kExitNo, "something is broken"}},
      .see_also = {"audit", "plan", "explain"},
      .json = true,
      .handler = run_doctor};
  spec.options.insert(spec.options.end(), machine_options().begin(), machine_options().end());
  spec.options.push_back(catalog_option());
  return spec;
}

}  // namespace fitment
