// SPDX-License-Identifier: Apache-2.0
#include "cli/install_job.h"

#include "base/text.h"
#include "cli/index_job.h"
#include "cli/machine_options.h"
#include "cli/policy_options.h"
#include "install/installer_environment.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace fitment {

namespace {

/// Some builds are chosen by name or extra (`cupy` is `cupy-cuda12x`, `jax` is `jax[cuda12]`):
/// these are asked for as the plan says. Of the others the index shows the build that fits, and
/// which version it has is its own affair.
bool is_rewritten(const PackagePlan& package, const Requirement& asked) {
  const ChosenBuild& choice = *package.choice;
  return choice.name != package.name || choice.extras.size() != asked.extras.size();
}

const PackagePlan* find_package(const Plan& plan, const std::string& name) {
  const auto found = std::find_if(plan.packages.begin(),
                                  plan.packages.end(),
                                  [&](const PackagePlan& package) { return package.name == name; });
  return found == plan.packages.end() ? nullptr : &*found;
}

Result<std::vector<std::string>> requirements_of(const PlanJob& job, const Plan& plan) {
  FITMENT_TRY_ASSIGN(const std::vector<PackageRequest> requests,
                     requests_for(job.inputs, job.machines.front()));
  std::vector<std::string> requirements;
  for (const PackageRequest& request : requests) {
    Requirement asked = request.requirement;
    asked.marker.reset();  // it is decided
    const PackagePlan* package = find_package(plan, normalize_name(asked.name));
    const bool is_by_plan = package != nullptr && package->choice && is_rewritten(*package, asked);
    requirements.push_back(is_by_plan ? package->choice->requirement : to_string(asked));
  }
  return requirements;
}

/// The environment's Python is the one that counts.
void settle_python(Machine& machine, const TargetEnvironment& target, const Streams& streams) {
  if (machine.python.version && target.python.version
      && *machine.python.version != *target.python.version) {
    streams.detail(fmt::format("{} says Python {}; {} has {}, which counts",
                               machine.name,
                               *machine.python.version,
                               target.prefix,
                               *target.python.version));
  }
  machine.python = target.python;
}

/// An index of our own for as long as the job lives, unless --index names one.
Status open_index(const Invocation& invocation, const Streams& streams, InstallJob& job) {
  if (const auto given = invocation.find("index")) {
    job.run.call.index = *given;
    FITMENT_TRY_ASSIGN(job.network, open_network(invocation, streams));
    return {};
  }
  FITMENT_TRY_ASSIGN(Catalog loaded, load_catalog(invocation));
  const auto catalog = std::make_shared<const Catalog>(std::move(loaded));
  FITMENT_TRY_ASSIGN(IndexConfig config, read_index_config(invocation, *catalog));
  FITMENT_TRY_ASSIGN(
      IndexJob index,
      make_index_job(invocation, streams, catalog, std::move(config.routes), job.plan_job.policy));
  index.input.machines = job.plan_job.machines;
  job.network = std::move(index.network);
  FITMENT_TRY_ASSIGN(job.server, IndexServer::start(std::move(index.input)));
  job.run.call.index = job.server->url() + "/simple/";
  return {};
}

}  // namespace

std::vector<OptionSpec> install_options() {
  std::vector<OptionSpec> options = requirement_options();
  const std::vector<OptionSpec> own{
      {.name = "index",
       .help = "the index of a `fitment serve` elsewhere, instead of one of our own: "
               "http://host:3141/m/NAME/simple/",
       .value = "URL",
       .letter = 'i',
       .group = "Installer"},
      {.name = "installer",
       .help = "pip, uv or the path of one (default: the environment's pip, else uv)",
       .value = "PROGRAM",
       .completes = Completes::file,
       .group = "Installer"},
      {.name = "dry-run", .help = "change nothing, show what would be done", .letter = 'n'}};
  options.insert(options.end(), own.begin(), own.end());
  add_index_options(options);
  add_policy_options(options);
  options.insert(options.end(), machine_options().begin(), machine_options().end());
  options.push_back(catalog_option());
  return options;
}

Result<InstallJob> read_install_job(const Invocation& invocation, Streams& streams) {
  InstallJob job;
  if (invocation.offline()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`--offline` forbids `fitment {}`", invocation.command().name))
        .hint("`fitment wheelhouse` fills a folder that installs without a network");
  }
  FITMENT_TRY_ASSIGN(job.plan_job, read_plan_job(invocation, streams));
  if (job.plan_job.machines.size() != 1) {
    return fail(ErrorCode::invalid_argument, "one machine at a time is installed for")
        .hint("name one with --machine");
  }
  FITMENT_TRY_ASSIGN(job.target,
                     find_target_environment(invocation, job.plan_job.catalog, streams));
  Machine& machine = job.plan_job.machines.front();
  settle_python(machine, job.target, streams);
  FITMENT_TRY_ASSIGN(job.plan, plan_for(job.plan_job, {&machine}, false));
  if (!job.plan.fits()) {
    return job;
  }
  InstallerEnvironment clean = clean_environment(streams.environment);
  job.dropped = std::move(clean.dropped);
  job.run.variables = std::move(clean.variables);
  job.run.prefix = job.target.prefix;
  FITMENT_TRY_ASSIGN(
      job.run.installer,
      find_installer(invocation.get("installer"), job.target.interpreter, job.run.variables));
  job.run.call.python = job.target.interpreter;
  job.run.call.is_dry_run = invocation.flag("dry-run");
  FITMENT_TRY_ASSIGN(job.run.call.requirements, requirements_of(job.plan_job, job.plan));
  if (streams.verbosity >= 0) {
    job.run.talk = STDERR_FILENO;
  }
  FITMENT_TRY(open_index(invocation, streams, job));
  if (!job.dropped.empty()) {
    streams.note(fmt::format("without effect here: {}", join(job.dropped, ", ")));
  }
  return job;
}

}  // namespace fitment
