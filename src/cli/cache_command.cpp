// SPDX-License-Identifier: Apache-2.0
// fitment cache list | verify | gc | path: what fitment keeps of the network.
#include "cli/amounts.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "report/store_json.h"
#include "report/store_text.h"
#include "store/store_care.h"

#include <fmt/format.h>

#include <ostream>

namespace fitment {

namespace {

Result<Store> user_store(const Streams& streams) {
  FITMENT_TRY_ASSIGN(std::filesystem::path folder, cache_folder(streams.environment));
  return Store(std::move(folder));
}

Result<int> run_list(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Store store, user_store(streams));
  FITMENT_TRY_ASSIGN(const std::vector<StoreEntry> entries, list_store(store));
  if (invocation.json()) {
    streams.out << store_json(store.root(), entries);
    return kExitDone;
  }
  streams.out << store_text(entries, streams.theme);
  streams.note(fmt::format("{} in {}", store_summary(entries), store.root().string()));
  return kExitDone;
}

Result<int> run_verify(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Store store, user_store(streams));
  FITMENT_TRY_ASSIGN(std::vector<StoreEntry> entries, list_store(store));
  std::erase_if(entries, [](const StoreEntry& entry) { return !entry.is_verifiable(); });
  ProgressBar bar(streams, "reading");
  FITMENT_TRY_ASSIGN(std::vector<StoreEntry> damaged,
                     find_damage(entries, [&bar](std::uint64_t done, std::uint64_t all) {
                       bar.show(done, all, "");
                     }));
  const bool is_deleted = invocation.flag("delete") && !damaged.empty();
  if (is_deleted) {
    FITMENT_TRY_ASSIGN(const Removal removal, remove_entries(damaged));
    for (const StoreEntry& entry : removal.in_use) {
      streams.warn(fmt::format("{} is in use and stays", entry.path.string()));
    }
  }
  if (invocation.json()) {
    streams.out << store_damage_json(store.root(), damaged, is_deleted);
  } else if (damaged.empty()) {
    streams.out << fmt::format("{}, all as it was\n", store_summary(entries));
  } else {
    for (const StoreEntry& entry : damaged) {
      streams.out << fmt::format("damaged: {}\n", entry.path.string());
    }
    streams.note(is_deleted ? "they are fetched again when they are needed"
                            : "`fitment cache verify --delete` takes them away");
  }
  return damaged.empty() ? kExitDone : kExitNo;
}

Result<GarbagePolicy> garbage_policy(const Invocation& invocation) {
  GarbagePolicy policy{std::chrono::system_clock::now(), {}, {}};
  if (const auto most = invocation.find("keep")) {
    FITMENT_TRY_ASSIGN(policy.most_bytes, parse_byte_count(*most));
  }
  const bool is_bare = !policy.most_bytes && !invocation.flag("all");
  if (const auto span = invocation.find("unused-for")) {
    FITMENT_TRY_ASSIGN(policy.unused_for, parse_time_span(*span));
  } else if (is_bare) {
    policy.unused_for = std::chrono::hours(30 * 24);
  }
  return policy;
}

Result<int> run_gc(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Store store, user_store(streams));
  FITMENT_TRY_ASSIGN(const GarbagePolicy policy, garbage_policy(invocation));
  FITMENT_TRY_ASSIGN(const std::vector<StoreEntry> entries, list_store(store));
  const std::vector<StoreEntry> garbage =
      invocation.flag("all") ? entries : plan_garbage(entries, policy);
  const bool is_applied = !invocation.flag("dry-run");
  Removal removal{garbage, {}};
  if (is_applied) {
    FITMENT_TRY_ASSIGN(removal, remove_entries(garbage));
  }
  if (invocation.json()) {
    streams.out << store_removal_json(store.root(), removal, is_applied);
    return kExitDone;
  }
  streams.out << store_text(removal.removed, streams.theme);
  streams.note(fmt::format(
      "{}{}", is_applied ? "deleted " : "would delete ", store_summary(removal.removed)));
  if (!removal.in_use.empty()) {
    streams.note(fmt::format("in use and left alone: {}", store_summary(removal.in_use)));
  }
  return kExitDone;
}

Result<int> run_path(const Invocation& /*invocation*/, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Store store, user_store(streams));
  streams.out << store.root().string() << '\n';
  return kExitDone;
}

}  // namespace

CommandSpec cache_command() {
  CommandSpec list{.name = "list",
                   .summary = "what is in the cache, the largest first",
                   .description =
                       "Files that were fetched, with the day of their last use, and how "
                       "much pages of indexes and beginnings of files take.",
                   .examples = {{"fitment cache list", "all files"}},
                   .see_also = {},
                   .json = true,
                   .handler = run_list};
  CommandSpec verify{
      .name = "verify",
      .summary = "whether everything in the cache is still what it was",
      .description = "Reads every file and compares it with the SHA-256 that it is kept under.",
      .options = {{.name = "delete", .help = "take away what is damaged"}},
      .examples = {{"fitment cache verify", "look only"},
                   {"fitment cache verify --delete",
                    "what is damaged is fetched again when needed"}},
      .exit_codes = {{kExitNo, "something is damaged"}},
      .json = true,
      .handler = run_verify};
  CommandSpec gc{
      .name = "gc",
      .summary = "delete what was not used for long",
      .description =
          "Without options: what was not used for 30 days. Nothing that another process uses is "
          "deleted. Beginnings of files go after a week in any case.",
      .options = {{.name = "unused-for",
                   .help = "delete what was not used for so long: 12h, 30d, 8w",
                   .value = "TIME"},
                  {.name = "keep",
                   .help = "delete what was used longest ago until so much is left: 20GB",
                   .value = "SIZE"},
                  {.name = "all", .help = "delete everything"},
                  {.name = "dry-run", .help = "delete nothing, show what would go", .letter = 'n'}},
      .examples = {{"fitment cache gc", "what was not used for 30 days"},
                   {"fitment cache gc --keep 20GB", "no more than 20 GB stay"},
                   {"fitment cache gc --all --dry-run", "what everything would be"}},
      .json = true,
      .handler = run_gc};
  CommandSpec path{.name = "path",
                   .summary = "where the cache is",
                   .description = "`$XDG_CACHE_HOME/fitment`, or `~/.cache/fitment`.",
                   .examples = {{"fitment cache path", "the folder"}},
                   .handler = run_path};
  return {
      .name = "cache",
      .group = "Install",
      .summary = "files and pages that were fetched: list, check, clean",
      .description =
          "What fitment fetches is kept under its SHA-256, verified, and shared by all processes "
          "of a user. It can be deleted at any time.",
      .subcommands = {std::move(list), std::move(verify), std::move(gc), std::move(path)}};
}

}  // namespace fitment
