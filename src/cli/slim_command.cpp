// SPDX-License-Identifier: Apache-2.0
// fitment slim: GPU code for other GPUs leaves libraries, with proof.
#include "base/byte_source.h"
#include "base/parallel.h"
#include "catalog/catalog.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/streams.h"
#include "cli/version.h"
#include "report/slim_json.h"
#include "report/slim_text.h"
#include "slim/slim_file.h"
#include "slim/targets.h"
#include "stack/find_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kShownInFull = 3;  // more files become a table

/// A file to slice: its real place, and where the result goes.
struct SlimJob {
  std::filesystem::path path;
  std::optional<std::filesystem::path> output;
};

/// The words of --for: a machine file, `this`, or targets.
Result<std::vector<KeepTarget>> read_targets(const Invocation& invocation, const Streams& streams) {
  std::vector<KeepTarget> targets;
  for (const std::string& word : invocation.list("for")) {
    std::vector<KeepTarget> more;
    const bool is_file = word.ends_with(".json") || word == "-";
    if (is_file || word == "this") {
      MachineRequest request;
      if (is_file) {
        request.files.push_back(word);
      }
      FITMENT_TRY_ASSIGN(const std::vector<Machine> machines,
                         load_machines(request, Catalog(), streams));
      for (const Machine& machine : machines) {
        FITMENT_TRY_ASSIGN(const std::vector<KeepTarget> own, keep_targets_of(machine));
        more.insert(more.end(), own.begin(), own.end());
      }
    } else {
      FITMENT_TRY_ASSIGN(more, parse_keep_targets(word));
    }
    targets.insert(targets.end(), more.begin(), more.end());
  }
  if (targets.empty()) {
    return fail(ErrorCode::invalid_argument, "for which GPUs?")
        .hint("`--for sm_86,sm_90+ptx`, `--for gfx942`, `--for machine.json`, `--for this`");
  }
  return merge_targets(std::move(targets));
}

Result<SliceOptions> read_options(const Invocation& invocation, const Streams& streams) {
  SliceOptions options;
  FITMENT_TRY_ASSIGN(options.policy.targets, read_targets(invocation, streams));
  options.policy.ptx = parse_keep_ptx(invocation.get("keep-ptx")).value_or(KeepPtx::needed);
  options.is_aggressive = invocation.flag("aggressive");
  options.packs = invocation.flag("pack");
  options.recompresses = invocation.flag("recompress");
  options.generator = fmt::format("fitment {}", program_version());
  return options;
}

/// Every file of the paths once, links followed to their files.
Result<std::vector<SlimJob>> find_jobs(const Invocation& invocation) {
  const std::optional<std::string> output = invocation.find("output");
  std::vector<SlimJob> jobs;
  std::set<std::filesystem::path> seen;
  const std::vector<std::string>& paths = invocation.list("PATH");
  for (const std::string& text : paths) {
    FITMENT_TRY_ASSIGN(const FoundFiles found, find_files(text));
    const bool is_folder = std::filesystem::is_directory(text);
    for (const std::filesystem::path& path : found.binaries) {
      std::error_code error;
      const std::filesystem::path real = std::filesystem::canonical(path, error);
      if (error || !seen.insert(real).second) {
        continue;
      }
      // A named link is sliced where it points to; the path that is shown stays the given one.
      SlimJob job{std::filesystem::is_symlink(path) ? real : path, std::nullopt};
      if (output) {
        const std::filesystem::path to(*output);
        const bool into = is_folder || paths.size() > 1 || output->ends_with('/')
                          || std::filesystem::is_directory(to);
        job.output = !into       ? to
                     : is_folder ? to / path.lexically_relative(text)
                                 : to / path.filename();
      }
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

SlimFile refused(const std::filesystem::path& path, std::uint64_t bytes, std::string why) {
  SlimFile file;
  file.action = SlimAction::refuse;
  file.plan.path = path.string();
  file.plan.before_bytes = bytes;
  file.plan.after_bytes = bytes;
  file.plan.why = std::move(why);
  return file;
}

/// Errors of the disk end the run; what is wrong with a file is its own answer.
Result<SlimFile> plan_file(const SlimJob& job, const SliceOptions& options) {
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(job.path));
  SlimFile file;
  auto plan = plan_slice(*source, options);
  if (plan) {
    file.plan = std::move(*plan);
    file.action = file.plan.is_changed ? SlimAction::slice : SlimAction::keep;
    return file;
  }
  const Error& error = plan.error();
  if (error.code() != ErrorCode::parse_error && error.code() != ErrorCode::unsupported) {
    return tl::unexpected<Error>(std::move(plan).error());
  }
  std::string why = error.message();
  if (error.origin()) {
    why += fmt::format(" ({})", to_string(*error.origin()));
  }
  return refused(job.path, source->size(), std::move(why));
}

Result<std::vector<SlimFile>> plan_all(const std::vector<SlimJob>& jobs,
                                       const SliceOptions& options) {
  std::vector<std::optional<Result<SlimFile>>> results(jobs.size());
  // Recompression has threads of its own.
  const std::size_t threads = options.recompresses ? 1 : 0;
  for_each_index(
      jobs.size(), threads, [&](std::size_t i) { results[i] = plan_file(jobs[i], options); });
  std::vector<SlimFile> files;
  for (auto& result : results) {
    FITMENT_TRY_ASSIGN(SlimFile file, std::move(*result));
    files.push_back(std::move(file));
  }
  return files;
}

Status make_folder(const std::filesystem::path& file) {
  std::error_code error;
  if (file.has_parent_path()) {
    std::filesystem::create_directories(file.parent_path(), error);
  }
  return error ? Status(fail(
             ErrorCode::io_error,
             fmt::format("cannot make the folder of `{}`: {}", file.string(), error.message())))
               : Status();
}

/// The last error ends the answer, after every other file had its turn.
Status apply_all(const std::vector<SlimJob>& jobs,
                 const SliceOptions& options,
                 Streams& streams,
                 std::vector<SlimFile>& files) {
  Status last;
  for (std::size_t i = 0; i < files.size(); ++i) {
    // A result that is written elsewhere is complete: what does not change is copied.
    const bool is_copied = files[i].action == SlimAction::keep && jobs[i].output;
    if (files[i].action != SlimAction::slice && !is_copied) {
      continue;
    }
    ApplyOptions apply{.output = jobs[i].output, .syncs = !jobs[i].output, .traces = true};
    if (apply.output) {
      FITMENT_TRY(make_folder(*apply.output));
    }
    auto proof = apply_slice(jobs[i].path, files[i].plan, options, apply);
    if (proof) {
      if (!is_copied) {
        files[i].proof = std::move(proof->statements);
      }
      continue;
    }
    if (!last) {
      streams.warn(last.error().message());
    }
    last = tl::unexpected<Error>(
        std::move(proof).error().while_doing(fmt::format("slicing `{}`", jobs[i].path.string())));
    files[i] = refused(jobs[i].path, files[i].plan.before_bytes, last.error().message());
  }
  return last;
}

Result<int> run_slim(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const SliceOptions options, read_options(invocation, streams));
  FITMENT_TRY_ASSIGN(const std::vector<SlimJob> jobs, find_jobs(invocation));
  SlimRun run{.targets = options.policy.targets, .keep_ptx = options.policy.ptx};
  FITMENT_TRY_ASSIGN(run.files, plan_all(jobs, options));
  run.is_applied = invocation.flag("apply") || invocation.find("output").has_value();
  Status applied;
  if (run.is_applied) {
    applied = apply_all(jobs, options, streams, run.files);
  }
  const bool in_full = run.files.size() <= kShownInFull;
  streams.out << (invocation.json() ? slim_json(run) : slim_text(run, in_full, streams.theme));
  if (!applied) {
    return tl::unexpected<Error>(std::move(applied).error());
  }
  if (!run.is_applied && run.after_bytes() < run.before_bytes()) {
    streams.note("nothing was changed: `--apply` does it in place, `--output PATH` elsewhere");
  }
  const bool is_refused = std::any_of(run.files.begin(), run.files.end(), [](const SlimFile& f) {
    return f.action == SlimAction::refuse;
  });
  return is_refused ? kExitNo : kExitDone;
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
          "sliced; folders are searched for them.",
      .arguments = {{.name = "PATH",
                     .help = "a file or folder",
                     .count = ArgumentSpec::Count::at_least_one,
                     .completes = Completes::file}},
      .options = {{.name = "for",
                   .help =
                       "GPUs that must be served: targets with commas between (`+ptx` keeps PTX "
                       "too), a machine file, or `this`",
                   .value = "WHAT",
                   .repeatable = true,
                   .completes = Completes::file,
                   .group = "What"},
                  {.name = "keep-ptx",
                   .help = "which PTX stays: where a GPU has no machine code, the newest as well, "
                           "all, or none",
                   .value = "WHICH",
                   .choices = {"none", "needed", "newest", "all"},
                   .default_value = "needed",
                   .group = "What"},
                  {.name = "aggressive",
                   .help = "cut .cask_resource as well, whose use is not documented",
                   .group = "What"},
                  {.name = "pack",
                   .help = "move containers together where every pointer to them is known",
                   .group = "How"},
                  {.name = "recompress",
                   .help = "raw and LZ4 code becomes zstd; needs a driver of CUDA 12.4 or newer",
                   .group = "How"},
                  {.name = "apply", .help = "replace the files", .group = "Do it"},
                  {.name = "output",
                   .help = "write the results here and leave the files alone",
                   .value = "PATH",
                   .completes = Completes::file,
                   .group = "Do it"}},
      .examples = {{"fitment slim libfoo.so --for sm_86", "what would go, and nothing else"},
                   {"fitment slim .venv/lib --for h100.json --apply",
                    "every library below a folder, in place"},
                   {"fitment slim libfoo.so --for sm_86,sm_90+ptx --output small/",
                    "two GPUs and those to come, beside the original"}},
      .exit_codes = {{kExitNo, "a file was refused; the answer says why"}},
      .see_also = {"audit", "probe"},
      .json = true,
      .handler = run_slim};
}

}  // namespace fitment
