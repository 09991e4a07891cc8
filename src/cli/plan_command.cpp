// SPDX-License-Identifier: Apache-2.0
// fitment plan: which build of each package fits the machine, and why.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/plan_inputs.h"
#include "cli/policy_options.h"
#include "cli/streams.h"
#include "report/plan_json.h"
#include "report/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <ostream>

namespace fitment {

namespace {

/// The lowest `3.N` that the project allows.
std::optional<std::string> lowest_python(const SpecifierSet& allowed) {
  constexpr int kFirstMinor = 7;
  constexpr int kLastMinor = 20;
  for (int minor = kFirstMinor; minor <= kLastMinor; ++minor) {
    const std::string text = fmt::format("3.{}", minor);
    const auto version = Version::parse(text);
    const auto patched = Version::parse(text + ".99");  // `>=3.10.4` allows 3.10
    if ((version && allowed.contains(*version)) || (patched && allowed.contains(*patched))) {
      return text;
    }
  }
  return {};
}

/// `3.12` stands for its newest patch release.
bool allows_python(const SpecifierSet& allowed, std::string text) {
  if (text.ends_with('t')) {
    text.pop_back();
  }
  const auto version = Version::parse(text);
  const auto patched = Version::parse(text + ".99");
  const bool open = std::count(text.begin(), text.end(), '.') < 2;
  return !version || allowed.contains(*version, Prereleases::yes)
         || (open && patched && allowed.contains(*patched, Prereleases::yes));
}

/// A machine that does not say its Python takes the lowest one that the project allows: a promise
/// of the project. One that the project does not allow is planned for, but not silently.
void fill_python(Machine& machine, const PlanInputs& inputs, const Streams& streams) {
  if (!inputs.requires_python) {
    return;
  }
  const std::optional<std::string> lowest = lowest_python(*inputs.requires_python);
  Python& python = machine.python;
  if (!python.version && lowest) {
    python.version.set(*lowest,
                       fmt::format("requires-python of {}", inputs.requires_python_source));
    python.implementation.set_if_unknown("cpython", python.version.evidence());
  } else if (python.version && !allows_python(*inputs.requires_python, *python.version)) {
    streams.warn(
        fmt::format("this plan is for Python {}, which {} does not allow: it asks for `{}`{}",
                    *python.version,
                    inputs.requires_python_source,
                    to_string(*inputs.requires_python),
                    lowest ? fmt::format("; plan with `--python {}`", *lowest) : ""));
  }
}

/// Standard input can be read once.
Status check_standard_input(const Invocation& invocation) {
  std::size_t readers = 0;
  for (const char* option : {"requirements", "machine"}) {
    const std::vector<std::string> files = invocation.list(option);
    readers += static_cast<std::size_t>(std::count(files.begin(), files.end(), "-"));
  }
  if (readers > 1) {
    return fail(ErrorCode::invalid_argument, "`-` is given more than once: standard input ends")
        .hint("write one of them to a file");
  }
  return {};
}

struct PlanJob {
  Catalog catalog;
  PlanInputs inputs;
  ChoosePolicy policy;
  std::vector<Machine> machines;
  bool one_build = false;
};

Result<PlanJob> read_job(const Invocation& invocation, Streams& streams) {
  PlanJob job;
  FITMENT_TRY(check_standard_input(invocation));
  FITMENT_TRY_ASSIGN(job.catalog, load_catalog(invocation));
  FITMENT_TRY_ASSIGN(job.inputs,
                     gather_plan_inputs({invocation.list("REQUIREMENT"),
                                         invocation.list("requirements"),
                                         invocation.list("extra"),
                                         invocation.list("group")}));
  FITMENT_TRY_ASSIGN(job.policy, read_policy(invocation, job.inputs.wish));
  MachineRequest request = machine_request(invocation);
  if (job.inputs.wish) {
    const Wish& wish = *job.inputs.wish;
    if (request.files.empty()) {
      for (const Wish::Line& line : wish.machines) {
        request.files.push_back((job.inputs.wish_folder / line.text).string());
      }
    }
    if (!request.python) {
      request.python = wish.python;
    }
  }
  FITMENT_TRY_ASSIGN(job.machines, load_machines(request, job.catalog, streams));
  job.one_build = invocation.flag("one-build")
                  || (job.inputs.wish && job.inputs.wish->one_build.value_or(false));
  for (Machine& machine : job.machines) {
    fill_python(machine, job.inputs, streams);
  }
  return job;
}

Result<Plan> plan_for(const PlanJob& job, const std::vector<const Machine*>& machines) {
  ChooseInput input;
  input.machines = machines;
  input.catalog = &job.catalog;
  input.policy = job.policy;
  const bool any_file = std::any_of(job.inputs.requests.begin(),
                                    job.inputs.requests.end(),
                                    [](const InputRequest& request) { return request.from_file; });
  input.outside_is_error = !any_file;
  for (const Machine* machine : machines) {
    FITMENT_TRY_ASSIGN(std::vector<PackageRequest> requests, requests_for(job.inputs, *machine));
    for (PackageRequest& request : requests) {
      const bool known = std::any_of(
          input.requests.begin(), input.requests.end(), [&](const PackageRequest& other) {
            return other.text == request.text;
          });
      if (!known) {
        input.requests.push_back(std::move(request));
      }
    }
  }
  return choose(input);
}

Result<int> run_plan(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const PlanJob job, read_job(invocation, streams));
  for (const std::string& note : job.inputs.notes) {
    streams.note(note);
  }
  std::vector<std::vector<const Machine*>> groups;
  for (const Machine& machine : job.machines) {
    if (groups.empty() || !job.one_build) {
      groups.emplace_back();
    }
    groups.back().push_back(&machine);
  }
  std::vector<Plan> plans;
  for (const auto& machines : groups) {
    FITMENT_TRY_ASSIGN(Plan plan, plan_for(job, machines));
    plans.push_back(std::move(plan));
  }
  if (invocation.json()) {
    streams.out << plan_json(plans, job.policy, job.catalog.digest());
  } else {
    streams.out << plan_text(
        plans,
        streams.theme,
        {.all_candidates = invocation.flag("all"), .commands = !invocation.flag("no-commands")});
  }
  const bool fits =
      std::all_of(plans.begin(), plans.end(), [](const Plan& plan) { return plan.fits(); });
  return fits ? kExitDone : kExitNo;
}

std::vector<OptionSpec> plan_options() {
  std::vector<OptionSpec> options{
      {.name = "requirements",
       .help = "requirements.txt, pyproject.toml, fitment.toml or a script with PEP 723 metadata",
       .value = "FILE",
       .letter = 'r',
       .repeatable = true,
       .completes = Completes::file,
       .group = "Requirements"},
      {.name = "extra",
       .help = "an extra of pyproject.toml",
       .value = "NAME",
       .repeatable = true,
       .group = "Requirements"},
      {.name = "group",
       .help = "a dependency group of pyproject.toml",
       .value = "NAME",
       .repeatable = true,
       .group = "Requirements"}};
  add_policy_options(options);
  const std::vector<OptionSpec> output{
      {.name = "one-build", .help = "one answer that fits all machines", .group = "Policy"},
      {.name = "all", .help = "show every candidate, not only the nearest", .group = "Output"},
      {.name = "no-commands",
       .help = "leave out the commands for other installers",
       .group = "Output"}};
  options.insert(options.end(), output.begin(), output.end());
  for (const OptionSpec& option : machine_options()) {
    options.push_back(option);
  }
  options.push_back(catalog_option());
  return options;
}

}  // namespace

CommandSpec plan_command() {
  return {.name = "plan",
          .group = "Choose",
          .summary = "which build of a package fits a machine, and why",
          .description =
              "Looks at the driver, the GPUs, the kernels in each build, the CPU, the C library "
              "and Python together, and says which published build runs there. "
              "Every build that was passed over is named with the fact that was in its way.\n\n"
              "The machine is the one that the command runs on, or each machine file that is "
              "given: a builder without a GPU plans for the machine that will run "
              "the image. A machine with a usable GPU never gets a CPU build unless that was asked "
              "for.\n\n"
              "In fitment.toml the table [plan] takes: requirements, machines, python, backend, "
              "gpu, prefer, one-build, allow-cpu, allow-unsure.",
          .arguments = {{.name = "REQUIREMENT",
                         .help = "as pip takes it: `torch`, `torch==2.8.0`, `jax[cuda12]>=0.5`",
                         .count = ArgumentSpec::Count::any,
                         .completes = Completes::words,
                         .words = package_words}},
          .options = plan_options(),
          .examples = {{"fitment plan torch", "the newest torch that runs on this machine"},
                       {"fitment plan 'torch<2.9' torchvision --machine h100.json",
                        "a set that must agree, for another machine"},
                       {"fitment plan -r requirements.txt --python 3.12 --json",
                        "for a program to read"},
                       {"fitment plan torch --machine a.json --machine b.json --one-build",
                        "one build that fits a whole cluster"},
                       {"fitment plan torch --set drivers.nvidia.cuda_api=12.4 --set gpus=sm_90",
                        "what if"}},
          .exit_codes = {{kExitNo, "nothing fits; the ways out are in the answer"}},
          .see_also = {"probe", "explain", "catalog"},
          .json = true,
          .handler = run_plan};
}

}  // namespace fitment
