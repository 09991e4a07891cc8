// SPDX-License-Identifier: Apache-2.0
// fitment slim: GPU code for other GPUs leaves libraries, with proof.
#include "base/posix_io.h"
#include "base/text.h"
#include "catalog/catalog.h"
#include "cli/audit_options.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/keep_target_options.h"
#include "cli/slim_apply.h"
#include "cli/slim_classes.h"
#include "cli/slim_jobs.h"
#include "cli/streams.h"
#include "cli/version.h"
#include "report/slim_json.h"
#include "report/slim_text.h"
#include "slim/slim_file.h"
#include "slim/targets.h"
#include "slim/undo.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kShownInFull = 3;  // more files become a table

Result<int> read_zstd_level(const Invocation& invocation) {
  constexpr std::uint64_t kHighest = 19;
  const std::string word = invocation.get("zstd-level");
  const auto level = parse_unsigned(word);
  if (!level || *level < 1 || *level > kHighest) {
    return fail(ErrorCode::invalid_argument, fmt::format("`--zstd-level` cannot be `{}`", word))
        .hint(fmt::format("write a number from 1 to {}", kHighest));
  }
  return static_cast<int>(*level);
}

Result<SliceOptions> read_options(const Invocation& invocation, std::vector<KeepTarget> gpus) {
  SliceOptions options;
  FITMENT_TRY_ASSIGN(options.zstd_level, read_zstd_level(invocation));
  options.policy.targets = std::move(gpus);
  options.policy.ptx = read_keep_ptx(invocation);
  options.is_aggressive = invocation.flag("aggressive");
  options.packs = invocation.flag("pack");
  options.recompresses = invocation.flag("recompress");
  options.generator = fmt::format("fitment {}", program_version());
  return options;
}

Result<SlimWishes> read_wishes(const Invocation& invocation) {
  SlimWishes wishes;
  wishes.output = invocation.find("output");
  wishes.backup = invocation.find("backup");
  wishes.build_tag = invocation.find("build-tag");
  wishes.load_tests = invocation.flag("load-test");
  const std::string keep = invocation.get("keep");
  wishes.keep_copies = keep == "wheels"   ? KeepCopies::wheels
                       : keep == "system" ? KeepCopies::system
                                          : KeepCopies::fewest_bytes;
  FITMENT_TRY_ASSIGN(wishes.classes,
                     read_slim_classes(invocation.list("only"), invocation.list("skip")));
  if (wishes.backup && wishes.output) {
    return fail(ErrorCode::invalid_argument,
                "`--output` replaces nothing that `--backup` could keep")
        .hint("give one of them");
  }
  const auto needs = [&](std::string_view option, std::string_view other) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`--{}` does nothing without `--{}`", option, other))
        .hint(fmt::format("add `--{}`, or leave `--{}` out to see the plan", other, option));
  };
  if (invocation.flag("apply") && wishes.output) {
    return fail(ErrorCode::invalid_argument,
                "`--apply` replaces the files, `--output` leaves them alone")
        .hint("give one of them");
  }
  if (wishes.backup && !invocation.flag("apply")) {
    return needs("backup", "apply");
  }
  if (wishes.load_tests && !wishes.output && !invocation.flag("apply")) {
    return needs("load-test", "apply");
  }
  if (wishes.build_tag && !wishes.output) {
    return needs("build-tag", "output");
  }
  if (wishes.backup) {
    std::error_code error;
    const auto backup = std::filesystem::weakly_canonical(*wishes.backup, error).string() + "/";
    for (const std::string& path : invocation.list("PATH")) {
      const auto tree = std::filesystem::weakly_canonical(path, error);
      if (std::filesystem::is_directory(tree, error) && backup.starts_with(tree.string() + "/")) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the backup folder `{}` is inside `{}`", *wishes.backup, path))
            .hint("keep originals outside of what is made smaller");
      }
    }
  }
  return wishes;
}

/// --undo: a tree, or one file in a tree.
Result<int> run_undo(const Invocation& invocation, Streams& streams) {
  UndoResult all;
  for (const std::string& text : invocation.list("PATH")) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::weakly_canonical(text, error);
    if (error) {
      return system_error(error.value(), "look at", text);
    }
    std::filesystem::path root = path;
    while (root.has_relative_path() && !std::filesystem::exists(journal_path(root), error)) {
      root = root.parent_path();
    }
    std::optional<std::string> only;
    if (root != path && root.has_relative_path()) {
      only = path.lexically_relative(root).string();
    }
    FITMENT_TRY_ASSIGN(UndoResult one, undo_slim(root.has_relative_path() ? root : path, only));
    const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    add(all.restored, one.restored);
    add(all.not_kept, one.not_kept);
    add(all.changed, one.changed);
    add(all.damaged, one.damaged);
  }
  streams.out << (invocation.json() ? slim_undo_json(all) : slim_undo_text(all, streams.theme));
  return all.is_complete() ? kExitDone : kExitNo;
}

Result<int> run_slim(const Invocation& invocation, Streams& streams) {
  if (invocation.flag("undo")) {
    return run_undo(invocation, streams);
  }
  FITMENT_TRY_ASSIGN(SlimWishes wishes, read_wishes(invocation));
  FITMENT_TRY_ASSIGN(NamedTargets targets, read_named_targets(invocation, streams));
  if (targets.gpus.empty() && wishes.wants(SlimClass::gpu_code)) {
    return no_targets_named();
  }
  wishes.machines = std::move(targets.machines);
  if (wishes.machines.empty()) {
    wishes.machines.push_back({any_machine(), false});
  }
  const Catalog catalog;
  wishes.catalog = &catalog;
  wishes.scratch = scratch_options(streams);
  FITMENT_TRY_ASSIGN(SliceOptions options, read_options(invocation, std::move(targets.gpus)));
  options.cuts_gpu_code = wishes.wants(SlimClass::gpu_code);
  options.drops_debug_info = wishes.wants(SlimClass::debug_info);
  FITMENT_TRY_ASSIGN(SlimWork work, find_slim_work(invocation.list("PATH"), wishes));
  SlimRun run{.targets = options.policy.targets, .keep_ptx = options.policy.ptx};
  FITMENT_TRY_ASSIGN(run.files, plan_slim_work(work, options, wishes));
  FITMENT_TRY(judge_slim_plan(work, run));
  run.is_applied =
      run.losses.empty() && (invocation.flag("apply") || invocation.find("output").has_value());
  Status applied;
  if (run.is_applied) {
    applied = apply_slim_work(work, options, wishes, streams, run);
    run.is_applied = applied || !wishes.output;  // of a copy that failed nothing is left
  }
  const bool in_full = run.files.size() <= kShownInFull;
  streams.out << (invocation.json() ? slim_json(run) : slim_text(run, in_full, streams.theme));
  if (!applied) {
    return tl::unexpected<Error>(std::move(applied).error());
  }
  if (!run.is_applied && run.losses.empty() && run.after_bytes() < run.before_bytes()) {
    streams.note("nothing was changed: `--apply` does it in place, `--output PATH` elsewhere");
  }
  const bool is_refused = std::any_of(run.files.begin(), run.files.end(), [](const SlimFile& f) {
    return f.action == SlimAction::refuse;
  });
  return is_refused || !run.losses.empty() ? kExitNo : kExitDone;
}

std::vector<OptionSpec> slim_options() {
  return {keep_targets_option(),
          keep_ptx_option(),
          {.name = "aggressive",
           .help = "cut .cask_resource as well, whose use is not documented",
           .group = "What"},
          {.name = "only",
           .help = "touch this class of files alone",
           .value = "CLASS",
           .repeatable = true,
           .choices = slim_class_words(),
           .group = "What"},
          {.name = "skip",
           .help = "leave this class of files alone",
           .value = "CLASS",
           .repeatable = true,
           .choices = slim_class_words(),
           .group = "What"},
          {.name = "keep",
           .help = "of libraries that are there twice, which copies stay: where it leaves fewer "
                   "bytes, in wheels, or in the system",
           .value = "WHICH",
           .choices = {"fewest-bytes", "wheels", "system"},
           .default_value = "fewest-bytes",
           .group = "What"},
          {.name = "pack",
           .help = "move containers together where every pointer to them is known",
           .group = "How"},
          {.name = "recompress",
           .help = "raw and LZ4 code becomes zstd; needs a driver of CUDA 12.4 or newer",
           .group = "How"},
          {.name = "zstd-level",
           .help = "of --recompress, 1 to 19: 19 makes code 11 % smaller than 12 in nine times the "
                   "time",
           .value = "LEVEL",
           .default_value = "12",
           .group = "How"},
          {.name = "apply", .help = "replace the files", .group = "Do it"},
          {.name = "backup",
           .help = "keep the originals of what is replaced or removed here, for --undo",
           .value = "DIR",
           .completes = Completes::folder,
           .group = "Do it"},
          {.name = "undo", .help = "put the originals back that --backup kept", .group = "Do it"},
          {.name = "load-test",
           .help = "load each library before and after in a child process, which runs its "
                   "constructors",
           .group = "Do it"},
          {.name = "build-tag",
           .help = "the build tag of a wheel that is written: `1sm86`",
           .value = "TAG",
           .group = "Do it"},
          {.name = "output",
           .help = "write the results here and leave the files alone; of a folder a whole copy",
           .value = "PATH",
           .completes = Completes::file,
           .group = "Do it"}};
}

}  // namespace

CommandSpec slim_command() {
  return {
      .name = "slim",
      .group = "Make smaller",
      .summary = "cut GPU code for other GPUs out of libraries",
      .description =
          "Plans, and with --apply or --output makes, files that hold only the GPU code that the "
          "given GPUs load. Addresses in libraries do not change: whole pages of code for other "
          "GPUs leave the file, and the program headers around them are split. Without --apply "
          "and --output nothing is changed.\n\n"
          "Each result is read again and compared before it takes a file's place: kept code byte "
          "for byte, addresses, dynamic table and symbols, and what the host's loader says in "
          "its trace mode. Shared libraries, programs, objects, archives and bare containers are "
          "sliced; folders are searched for them.\n\n"
          "In a Python environment, and in the root of a system with environments in it, libraries "
          "that are there twice become links to one copy, and files go that nothing reads at run "
          "time: static archives, headers and build files, byte code, tests of packages; RECORD "
          "tells the new state. Closures and `fitment doctor` must not be worse than before. "
          "Changes in a folder are written to a journal in it first, so a run that was "
          "interrupted is completed by the next one.",
      .arguments = {{.name = "PATH",
                     .help = "a file or folder",
                     .count = ArgumentSpec::Count::at_least_one,
                     .completes = Completes::file}},
      .options = slim_options(),
      .examples = {{"fitment slim libfoo.so --for sm_86", "what would go, and nothing else"},
                   {"fitment slim .venv --for h100.json --apply --backup kept",
                    "an environment, in place; the originals are kept"},
                   {"fitment slim .venv --undo", "and come back"},
                   {"fitment slim libfoo.so --for sm_86,sm_90+ptx --output small/",
                    "two GPUs and those to come, beside the original"},
                   {"fitment slim torchlike.whl --for sm_90 --output wheels/ --build-tag 1sm90",
                    "a wheel in, a wheel out"}},
      .exit_codes = {{kExitNo, "a file was refused; the answer says why"}},
      .see_also = {"audit", "probe"},
      .json = true,
      .handler = run_slim};
}

}  // namespace fitment
