// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_job.h"

#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/policy_options.h"

#include <fmt/format.h>

#include <algorithm>

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
    const std::vector<std::string>& files = invocation.list(option);
    readers += static_cast<std::size_t>(std::count(files.begin(), files.end(), "-"));
  }
  if (readers > 1) {
    return fail(ErrorCode::invalid_argument, "`-` is given more than once: standard input ends")
        .hint("write one of them to a file");
  }
  return {};
}

}  // namespace

bool PlanJob::has_files() const {
  return std::any_of(inputs.requests.begin(), inputs.requests.end(), [](const auto& request) {
    return request.from_file;
  });
}

Result<PlanJob> read_plan_job(const Invocation& invocation, const Streams& streams) {
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
  for (Machine& machine : job.machines) {
    fill_python(machine, job.inputs, streams);
  }
  for (const std::string& note : job.inputs.notes) {
    streams.note(note);
  }
  return job;
}

Result<Plan> plan_for(const PlanJob& job,
                      const std::vector<const Machine*>& machines,
                      bool outside_is_error) {
  ChooseInput input;
  input.machines = machines;
  input.catalog = &job.catalog;
  input.policy = job.policy;
  input.stock = job.stock;
  input.outside_is_error = outside_is_error;
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

Result<std::vector<Plan>> plan_all(const PlanJob& job, const Invocation& invocation) {
  const bool is_one_build = invocation.flag("one-build")
                            || (job.inputs.wish && job.inputs.wish->one_build.value_or(false));
  std::vector<std::vector<const Machine*>> groups;
  for (const Machine& machine : job.machines) {
    if (groups.empty() || !is_one_build) {
      groups.emplace_back();
    }
    groups.back().push_back(&machine);
  }
  std::vector<Plan> plans;
  for (const auto& machines : groups) {
    FITMENT_TRY_ASSIGN(Plan plan, plan_for(job, machines, !job.has_files()));
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::vector<OptionSpec> requirement_options() {
  return {
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
}

std::vector<OptionSpec> plan_job_options() {
  std::vector<OptionSpec> options = requirement_options();
  add_policy_options(options);
  options.push_back(
      {.name = "one-build", .help = "one answer that fits all machines", .group = "Policy"});
  options.insert(options.end(), machine_options().begin(), machine_options().end());
  options.push_back(catalog_option());
  return options;
}

}  // namespace fitment
