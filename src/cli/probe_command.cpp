// SPDX-License-Identifier: Apache-2.0
// fitment probe: what is this machine, and how is each fact known?
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/streams.h"
#include "machine/exports_conda.h"
#include "machine/exports_env.h"
#include "machine/exports_nfd.h"
#include "machine/exports_slurm.h"
#include "machine/machine_file.h"
#include "machine/overrides.h"
#include "machine/redact.h"
#include "probe/probe.h"
#include "report/machine_text.h"
#include "variant/providers.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

namespace fitment {

namespace {

constexpr std::chrono::milliseconds kDriverTimeout{15'000};

Result<Machine> probe_root(const Invocation& invocation,
                           const Catalog& catalog,
                           const Streams& streams) {
  const auto root = invocation.find("root");
  std::unique_ptr<HostView> host;
  if (root) {
    FITMENT_TRY_ASSIGN(host, recorded_host(*root, {}));
  } else {
    host = live_host(streams.environment);
  }
  ProbeOptions options{.host = host.get(),
                       .catalog = &catalog,
                       .python = invocation.get("python"),
                       .driver_timeout = kDriverTimeout};
  options.nvml_library = invocation.get("nvml");
  std::error_code ignored;
  if (!options.nvml_library.empty() && !root
      && !std::filesystem::exists(options.nvml_library, ignored)) {
    return fail(ErrorCode::not_found, fmt::format("there is no `{}`", options.nvml_library))
        .missing(options.nvml_library)
        .hint("give the path of a libnvidia-ml.so.1; without --nvml the driver's is found");
  }
  options.visible_devices = invocation.flag("visible-devices");
  Machine machine = probe_machine(options);
  if (!options.python.empty() && !machine.python.version) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is neither a Python version nor an interpreter", options.python))
        .hint("write `--python 3.12` or the path of an interpreter or environment");
  }
  if (!root) {
    FITMENT_TRY(apply_environment(machine, streams.environment));
  }
  return machine;
}

Result<Machine> read_machine(const Invocation& invocation, const Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  const MachineRequest request = machine_request(invocation);
  Machine machine;
  if (request.files.empty()) {
    FITMENT_TRY_ASSIGN(machine, probe_root(invocation, catalog, streams));
    for (const std::string& setting : request.settings) {
      FITMENT_TRY(apply_setting(machine, setting));
    }
  } else {
    if (request.files.size() > 1 || invocation.find("root")) {
      return fail(ErrorCode::invalid_argument,
                  "one machine at a time: give one --machine or one --root")
          .hint("run the command once for each");
    }
    FITMENT_TRY_ASSIGN(std::vector<Machine> machines, load_machines(request, catalog, streams));
    machine = std::move(machines.front());
  }
  if (const auto name = invocation.find("name")) {
    machine.name = *name;
  }
  if (invocation.flag("redact")) {
    redact(machine);
  }
  return machine;
}

Result<std::string> export_as(const Machine& machine, std::string_view format) {
  std::string text;
  if (format == "conda") {
    for (const CondaVirtualPackage& package : conda_virtual_packages(machine)) {
      text += to_string(package) + "\n";
    }
  } else if (format == "variants") {
    FITMENT_TRY_ASSIGN(const std::vector<VariantProperty> properties, variant_properties(machine));
    for (const VariantProperty& property : properties) {
      text += to_string(property) + "\n";
    }
  } else if (format == "nfd") {
    text = nfd_features(machine);
  } else if (format == "slurm") {
    text = slurm_gres(machine);
  } else {
    text = shell_variables(machine);
  }
  return text;
}

Result<int> run_probe(const Invocation& invocation, Streams& streams) {
  const auto format = invocation.find("format");
  if (format && invocation.json()) {
    return fail(ErrorCode::invalid_argument, "`--format` and `--json` exclude each other")
        .hint("`--json` is the machine file");
  }
  FITMENT_TRY_ASSIGN(const Machine machine, read_machine(invocation, streams));
  if (invocation.json()) {
    streams.out << write_machine(machine);
    return kExitDone;
  }
  if (format) {
    FITMENT_TRY_ASSIGN(const std::string text, export_as(machine, *format));
    streams.out << text;
    tell_findings(machine, streams);
    return kExitDone;
  }
  streams.out << machine_text(machine, streams.theme, invocation.flag("evidence"));
  return kExitDone;
}

std::vector<OptionSpec> probe_options() {
  std::vector<OptionSpec> options{
      {.name = "format",
       .help = "print for another program: conda virtual packages, variant properties, an NFD "
               "feature file, gres.conf lines, shell variables",
       .value = "FORMAT",
       .choices = {"conda", "variants", "nfd", "slurm", "env"},
       .group = "Output"},
      {.name = "evidence", .help = "say how each fact is known", .group = "Output"},
      {.name = "redact", .help = "leave out what identifies this host", .group = "Output"},
      {.name = "name",
       .help = "name of the machine in the machine file",
       .value = "NAME",
       .group = "Output"},
      {.name = "root",
       .help = "look at a recorded host or an image's tree instead of this host",
       .value = "DIR",
       .completes = Completes::folder,
       .group = "Machine"},
      {.name = "nvml",
       .help = "ask this NVML library instead of the driver's",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Machine"},
      {.name = "visible-devices",
       .help = "let CUDA_VISIBLE_DEVICES take GPUs away",
       .group = "Machine"}};
  for (const OptionSpec& option : machine_options()) {
    options.push_back(option);
  }
  options.push_back(catalog_option());
  return options;
}

}  // namespace

CommandSpec probe_command() {
  return {.name = "probe",
          .group = "Choose",
          .summary = "what this machine is, and how each fact is known",
          .description =
              "Reads CPU, C library, GPUs, drivers, toolkits and Python without running any "
              "package's code. A fact that cannot be read is unknown, never zero. "
              "A broken driver is told with the way to mend it.\n\n"
              "With --json the answer is a machine file: small enough to keep beside a Dockerfile, "
              "so that a builder without a GPU plans for the machine that "
              "will run the image.",
          .options = probe_options(),
          .examples = {{"fitment probe", "for people and bug reports"},
                       {"fitment probe --json > h100.json",
                        "a machine file, for `fitment plan --machine h100.json`"},
                       {"fitment probe --redact --evidence", "to paste into an issue"},
                       {"eval \"$(fitment probe --format env)\"", "facts as shell variables"},
                       {"fitment probe --format conda", "what conda calls virtual packages"},
                       {"fitment probe --root /mnt/image", "the tree of an image"}},
          .see_also = {"plan"},
          .json = true,
          .handler = run_probe};
}

}  // namespace fitment
