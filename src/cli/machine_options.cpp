// SPDX-License-Identifier: Apache-2.0
#include "cli/machine_options.h"

#include "base/files.h"
#include "cli/invocation.h"
#include "machine/machine_file.h"
#include "machine/overrides.h"
#include "probe/probe.h"
#include "wheel/tags.h"

#include <fmt/format.h>

namespace fitment {

namespace {

Result<Machine> read_machine(const std::string& file) {
  Result<std::string> text = file == "-" ? read_stdin() : read_file(file);
  if (!text) {
    return std::move(text).error().hint(
        "`fitment probe --json` writes a machine file on the machine that is meant");
  }
  FITMENT_TRY_ASSIGN(Machine machine, parse_machine(*text, file == "-" ? "standard input" : file));
  if (machine.name.empty()) {
    machine.name = file == "-" ? "standard input" : std::filesystem::path(file).stem().string();
  }
  return machine;
}

Error not_a_python(const std::string& text) {
  return fail(ErrorCode::invalid_argument,
              fmt::format("`{}` is neither a Python version nor an interpreter", text))
      .hint("write `--python 3.12` or the path of an interpreter or environment");
}

/// A version is taken as it is; a path is looked at on this host, for a machine that is described
/// by a file.
Status set_python(Machine& machine,
                  const std::string& python,
                  const Catalog& catalog,
                  const Streams& streams) {
  if (const auto version = parse_python_version(python)) {
    machine.python.version.set(python, "--python");
    machine.python.implementation.set(version->implementation, "--python");
    return {};
  }
  const auto host = live_host(streams.environment);
  Machine here = probe_machine({.host = host.get(), .catalog = &catalog, .python = python});
  if (!here.python.version) {
    return not_a_python(python);
  }
  machine.python = std::move(here.python);
  return {};
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

void tell_findings(const Machine& machine, const Streams& streams) {
  for (const MachineFinding& finding : machine.findings) {
    const std::string text = finding.message + (finding.fix.empty() ? "" : ": " + finding.fix);
    if (finding.id.starts_with("cpu-") || finding.id.starts_with("python-")) {
      streams.detail(text);
    } else {
      streams.warn(text);
    }
  }
}

Result<std::vector<Machine>> load_machines(const MachineRequest& request,
                                           const Catalog& catalog,
                                           const Streams& streams) {
  std::vector<Machine> machines;
  for (const std::string& file : request.files) {
    FITMENT_TRY_ASSIGN(Machine machine, read_machine(file));
    if (request.python) {
      FITMENT_TRY(set_python(machine, *request.python, catalog, streams));
    }
    machines.push_back(std::move(machine));
  }
  if (machines.empty()) {
    const auto host = live_host(streams.environment);
    machines.push_back(probe_machine(
        {.host = host.get(), .catalog = &catalog, .python = request.python.value_or("")}));
    if (request.python && !machines.back().python.version) {
      return not_a_python(*request.python);
    }
    FITMENT_TRY(apply_environment(machines.back(), streams.environment));
    tell_findings(machines.back(), streams);
  }
  for (Machine& machine : machines) {
    for (const std::string& setting : request.settings) {
      FITMENT_TRY(apply_setting(machine, setting));
    }
  }
  return machines;
}

Result<Machine> load_one_machine(const MachineRequest& request,
                                 const Catalog& catalog,
                                 const Streams& streams,
                                 std::string hint) {
  if (request.files.size() > 1) {
    return fail(ErrorCode::invalid_argument, "one machine file at a time").hint(std::move(hint));
  }
  FITMENT_TRY_ASSIGN(std::vector<Machine> machines, load_machines(request, catalog, streams));
  return std::move(machines.front());
}

Result<Catalog> load_catalog(const Invocation& invocation) {
  if (const auto folder = invocation.find("catalog")) {
    auto catalog = Catalog::with_folder(*folder);
    if (!catalog && catalog.error().hints().empty()) {
      return std::move(catalog).error().hint(
          "give a folder of catalogue files, such as `fitment catalog refresh --output` writes");
    }
    return catalog;
  }
  return Catalog();
}

std::vector<std::string> package_words() {
  const Catalog catalog;
  return catalog.package_names().value_or(std::vector<std::string>{});
}

}  // namespace fitment
