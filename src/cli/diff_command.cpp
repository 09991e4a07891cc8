// SPDX-License-Identifier: Apache-2.0
// fitment diff: what differs between two records or environments.
#include "cli/audit_options.h"
#include "cli/commands.h"
#include "cli/environment_root.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/record_input.h"
#include "record/record_file.h"
#include "report/record_json.h"
#include "report/record_text.h"

#include <filesystem>
#include <ostream>

namespace fitment {

namespace {

/// A record, or the packages of an environment.
struct DiffSide {
  bool is_environment = false;
  LockRecord record;
  FrozenEnvironment frozen;
};

Result<DiffSide> read_side(const std::string& path,
                           const Catalog& catalog,
                           const Streams& streams) {
  std::error_code ignored;
  const std::filesystem::path inside = std::filesystem::path(path) / kRecordName;
  DiffSide side;
  side.is_environment =
      std::filesystem::is_directory(path, ignored) && !std::filesystem::exists(inside, ignored);
  if (!side.is_environment) {
    FITMENT_TRY_ASSIGN(side.record, read_record_at(path));
    return side;
  }
  FITMENT_TRY_ASSIGN(const EnvironmentRoot root, find_environment_root(path, catalog, streams));
  FITMENT_TRY_ASSIGN(const OpenedRoot opened,
                     open_environment_root(root, {}, scratch_options(streams)));
  side.frozen = freeze_environment(opened.view(), opened.environments.front(), catalog);
  return side;
}

/// The target that is compared with an environment.
Result<const RecordedTarget*> target_of(const LockRecord& record, const Invocation& invocation) {
  const auto name = invocation.find("target");
  const RecordedTarget* target = name                         ? record.find(*name)
                                 : record.targets.size() == 1 ? &record.targets.front()
                                                              : nullptr;
  if (target == nullptr) {
    return fail(ErrorCode::invalid_argument,
                name ? "the record has no such target" : "the record has several targets")
        .hint("name one: --target NAME");
  }
  return target;
}

Result<std::vector<RecordChange>> compare_sides(const DiffSide& before,
                                                const DiffSide& after,
                                                const Invocation& invocation) {
  if (!before.is_environment && !after.is_environment) {
    return compare_records(before.record, after.record);
  }
  if (before.is_environment && after.is_environment) {
    return compare_environments(before.frozen, after.frozen);
  }
  const DiffSide& record = before.is_environment ? after : before;
  FITMENT_TRY_ASSIGN(const RecordedTarget* const target, target_of(record.record, invocation));
  std::vector<RecordChange> changes =
      compare_installed(*target, before.is_environment ? before.frozen : after.frozen);
  if (before.is_environment) {
    for (RecordChange& change : changes) {
      std::swap(change.before, change.after);
      if (change.kind == RecordChange::Kind::only_before) {
        change.kind = RecordChange::Kind::only_after;
      }
    }
  }
  return changes;
}

Result<int> run_diff(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Catalog catalog, load_catalog(invocation));
  FITMENT_TRY_ASSIGN(const DiffSide before, read_side(invocation.get("A"), catalog, streams));
  FITMENT_TRY_ASSIGN(const DiffSide after, read_side(invocation.get("B"), catalog, streams));
  FITMENT_TRY_ASSIGN(const std::vector<RecordChange> changes,
                     compare_sides(before, after, invocation));
  if (invocation.json()) {
    streams.out << changes_json(invocation.get("A"), invocation.get("B"), changes);
  } else {
    streams.out << (changes.empty() ? "no difference\n" : changes_text(changes, streams.theme));
  }
  return changes.empty() ? kExitDone : kExitNo;
}

}  // namespace

CommandSpec diff_command() {
  return {
      .name = "diff",
      .group = "Record",
      .summary = "what differs between two records or environments",
      .description =
          "Compares facts of machines, policy and catalogue, and for each package version, "
          "backend, "
          "variant, index and file. An environment is read from its files alone; against a "
          "record, the packages of the record count.",
      .arguments = {{.name = "A",
                     .help = "a record, a folder with one, or an environment",
                     .completes = Completes::file},
                    {.name = "B",
                     .help = "a record, a folder with one, or an environment to compare with",
                     .completes = Completes::file}},
      .options = {{.name = "target",
                   .help = "target of a record that is compared with an environment",
                   .value = "NAME"},
                  catalog_option()},
      .examples = {{"fitment diff old.lock.json fitment.lock.json", "two records"},
                   {"fitment diff fitment.lock.json .venv", "what was chosen, what is installed"}},
      .exit_codes = {{kExitNo, "there are differences"}},
      .see_also = {"lock", "freeze"},
      .json = true,
      .handler = run_diff};
}

}  // namespace fitment
