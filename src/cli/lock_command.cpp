// SPDX-License-Identifier: Apache-2.0
// fitment lock: write down what was chosen, for which machines and why; --check asks whether it
// still holds.
#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/lock_files.h"
#include "cli/machine_options.h"
#include "cli/new_record.h"
#include "cli/plan_job.h"
#include "cli/record_input.h"
#include "cli/variant_inputs.h"
#include "record/record_file.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "report/record_json.h"
#include "report/record_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

namespace fitment {

namespace {

Result<IndexQuery> index_query(const Invocation& invocation, const Streams& streams) {
  IndexQuery query;
  query.indexes = invocation.list("index");
  FITMENT_TRY_ASSIGN(query.network, open_network(invocation, streams));
  FITMENT_TRY_ASSIGN(query.trust, load_trust_policy(invocation, streams));
  return query;
}

Status check_names(const LockRecord& record) {
  std::set<std::string> names;
  for (const RecordedTarget& target : record.targets) {
    if (!names.insert(target.machine.name).second) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("two machines are named `{}`", target.machine.name))
          .hint("give each machine file a `name` of its own: targets are found by it");
    }
  }
  return {};
}

/// What does not fit is answered as `plan` answers it, and nothing is written.
int refuse(const std::vector<Plan>& plans,
           const PlanJob& job,
           const Invocation& invocation,
           const Streams& streams) {
  if (invocation.json()) {
    streams.out << plan_json(plans, job.policy, job.catalog.digest());
  } else {
    streams.out << plan_text(plans, streams.theme, {.all_candidates = false, .commands = false});
  }
  streams.note("nothing was written");
  return kExitNo;
}

Result<int> write_record(const Invocation& invocation, const Streams& streams) {
  FITMENT_TRY_ASSIGN(const PlanJob job, read_plan_job(invocation, streams));
  FITMENT_TRY_ASSIGN(const IndexQuery query, index_query(invocation, streams));
  FITMENT_TRY_ASSIGN(const std::vector<Plan> plans, plan_all(job, invocation));
  if (!std::all_of(plans.begin(), plans.end(), [](const Plan& plan) { return plan.fits(); })) {
    return refuse(plans, job, invocation, streams);
  }
  LockRecord record = new_record(job);
  std::vector<std::string> missing;
  for (const Plan& plan : plans) {
    for (const Machine* machine : plan.machines) {
      RecordedTarget& target = record.targets.emplace_back(record_plan(plan, *machine));
      FITMENT_TRY_ASSIGN(const std::vector<std::string> absent, record_files(query, target));
      missing.insert(missing.end(), absent.begin(), absent.end());
    }
  }
  FITMENT_TRY(check_names(record));
  const std::string text = write_record_file(record);
  streams.out << (invocation.json() ? text : record_text(record, streams.theme));
  for (const std::string& requirement : missing) {
    streams.warn(
        fmt::format("no index that was given has a wheel of {} for this Python", requirement));
  }
  if (!missing.empty()) {
    streams.note("nothing was written");
    return kExitNo;
  }
  if (query.indexes.empty()) {
    streams.note("addresses and digests of files are unknown: --index asks an index for them");
  }
  const std::string path = invocation.get("output");
  if (!invocation.flag("dry-run")) {
    FITMENT_TRY(write_file_atomic(path, text));
  }
  streams.note(fmt::format("{} {}", invocation.flag("dry-run") ? "would write" : "wrote", path));
  return kExitDone;
}

/// The requests of the record, asked again.
Result<PlanJob> job_of(const LockRecord& record, const Invocation& invocation) {
  PlanJob job;
  FITMENT_TRY_ASSIGN(job.catalog, load_catalog(invocation));
  job.policy = record.policy;
  for (const std::string& text : record.requests) {
    FITMENT_TRY_ASSIGN(Requirement requirement, parse_requirement(text, {"requests", {}, {}, {}}));
    job.inputs.requests.push_back({std::move(requirement), text, true});
  }
  return job;
}

/// A machine file that does not say its Python means the one that the record was made for.
void fill_python(Machine& machine, const LockRecord& record) {
  const RecordedTarget* target = find_target(record, machine);
  if (target != nullptr && !machine.python.version) {
    machine.python = target->machine.python;
  }
}

Result<int> check_record(const Invocation& invocation, const Streams& streams) {
  if (!invocation.list("REQUIREMENT").empty() || !invocation.list("requirements").empty()) {
    return fail(ErrorCode::invalid_argument, "--check asks what the record asked")
        .hint("leave the requirements out, or leave out --check to write a new record");
  }
  FITMENT_TRY_ASSIGN(const LockRecord record, read_record_at(invocation.get("output")));
  FITMENT_TRY_ASSIGN(PlanJob job, job_of(record, invocation));
  FITMENT_TRY_ASSIGN(const IndexQuery query, index_query(invocation, streams));
  FITMENT_TRY_ASSIGN(job.machines,
                     load_machines(machine_request(invocation), job.catalog, streams));
  for (Machine& machine : job.machines) {
    fill_python(machine, record);
  }
  FITMENT_TRY_ASSIGN(const std::vector<Plan> plans, plan_all(job, invocation));
  std::vector<HoldReport> reports;
  for (const Plan& plan : plans) {
    const Machine& machine = *plan.machines.front();
    const RecordedTarget* target = find_target(record, machine);
    if (target == nullptr) {
      return fail(ErrorCode::not_found,
                  fmt::format("the record has no target for the machine `{}`", machine.name))
          .hint("give --machine with a file whose `name` is that of a target");
    }
    HoldReport report = compare_with_plan(record, *target, plan, job.catalog.digest());
    FITMENT_TRY_ASSIGN(const std::vector<HoldFinding> files, check_files(query, *target));
    report.findings.insert(report.findings.begin(), files.begin(), files.end());
    reports.push_back(std::move(report));
  }
  streams.out << (invocation.json() ? hold_json(reports) : hold_text(reports, streams.theme));
  const bool holds = std::all_of(
      reports.begin(), reports.end(), [](const HoldReport& report) { return report.holds(); });
  return holds ? kExitDone : kExitNo;
}

Result<int> run_lock(const Invocation& invocation, Streams& streams) {
  return invocation.flag("check") ? check_record(invocation, streams)
                                  : write_record(invocation, streams);
}

}  // namespace

CommandSpec lock_command() {
  CommandSpec spec{
      .name = "lock",
      .group = "Record",
      .summary = "write down what was chosen, for which machines and why",
      .description =
          "Chooses as `fitment plan` does and writes the record `fitment.lock.json`: the facts of "
          "each "
          "machine with how they are known, the overrides in effect, the catalogue, and for each "
          "package version, backend, index and why. Several --machine files make several targets "
          "of one record.\n\n"
          "Addresses, sizes and digests of files come from the indexes that --index names; without "
          "one they stay unknown. A wheel variant is recorded with its label and properties.\n\n"
          "--check reads the record and asks the same again: would what was chosen run on this "
          "machine "
          "as it is now, and do the indexes still have those files?",
      .arguments = {{.name = "REQUIREMENT",
                     .help = "as pip takes it; default: fitment.toml or pyproject.toml here",
                     .count = ArgumentSpec::Count::any,
                     .completes = Completes::words,
                     .words = package_words}},
      .options = {{.name = "check", .help = "does the record still hold", .group = "Record"},
                  {.name = "output",
                   .help = "the record",
                   .value = "FILE",
                   .letter = 'o',
                   .default_value = kRecordName,
                   .completes = Completes::file,
                   .group = "Record"},
                  {.name = "dry-run", .help = "write nothing", .letter = 'n', .group = "Record"},
                  {.name = "index",
                   .help = "an index, a mirror of its pages in a folder, or a folder of wheels",
                   .value = "INDEX",
                   .repeatable = true,
                   .completes = Completes::folder,
                   .group = "Record"}},
      .examples = {{"fitment lock torch --machine examples/machines/h100-driver-535.json",
                    "for another machine"},
                   {"fitment lock torch --index wheels/", "with files and digests of a folder"},
                   {"fitment lock --check", "does it still hold here"}},
      .exit_codes = {{kExitNo, "nothing fits, an index lacks a file, or the record does not hold"}},
      .see_also = {"plan", "diff", "export"},
      .json = true,
      .handler = run_lock};
  for (const auto& options : {plan_job_options(), trust_options()}) {
    spec.options.insert(spec.options.end(), options.begin(), options.end());
  }
  return spec;
}

}  // namespace fitment
