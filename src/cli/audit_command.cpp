// SPDX-License-Identifier: Apache-2.0
// fitment audit: what is in these binaries.
#include "base/byte_source.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/streams.h"
#include "isa/features.h"
#include "machine/keep_rule.h"
#include "report/audit_functions.h"
#include "report/audit_json.h"
#include "report/audit_text.h"
#include "stack/audit_file.h"
#include "stack/find_binaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>

namespace fitment {

namespace {

constexpr std::size_t kShownInFull = 3;  // more files become a table

/// What a publisher's CI demands of every file.
struct Gates {
  std::optional<X86Level> highest_level;
  std::optional<ArmLevel> highest_arm_level;
  std::vector<GpuTarget> required;
  std::optional<DottedVersion> glibc;
};

Result<Gates> read_gates(const Invocation& invocation) {
  Gates gates;
  if (const auto level = invocation.find("fail-above")) {
    gates.highest_level = parse_x86_level(*level);
    gates.highest_arm_level = parse_arm_level(*level);
    if (!gates.highest_level && !gates.highest_arm_level) {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a CPU level", *level))
          .hint("levels are x86-64-v1 to x86-64-v4 and armv8.0-a to armv9.0-a");
    }
  }
  for (const std::string& text : invocation.list("require")) {
    FITMENT_TRY_ASSIGN(
        GpuTarget target,
        parse_gpu_target(text.starts_with("gfx") ? GpuVendor::amd : GpuVendor::nvidia, text));
    gates.required.push_back(std::move(target));
  }
  if (const auto version = invocation.find("manylinux")) {
    std::string dotted = *version;
    std::replace(dotted.begin(), dotted.end(), '_', '.');
    FITMENT_TRY_ASSIGN(gates.glibc, DottedVersion::parse(dotted));
  }
  return gates;
}

bool has_code_for(const AuditedFile& file, const GpuTarget& gpu) {
  for (const GpuContainer& container : file.gpu.containers) {
    for (const GpuEntry& entry : container.entries) {
      if (!entry.target || entry.target->index() != gpu.index()) {
        continue;
      }
      const auto* cuda = std::get_if<CudaTarget>(&gpu);
      const auto* gfx = std::get_if<GfxTarget>(&gpu);
      if ((cuda != nullptr && code_runs_on(std::get<CudaTarget>(*entry.target), *cuda) >= Runs::jit)
          || (gfx != nullptr
              && code_runs_on(std::get<GfxTarget>(*entry.target), *gfx) == Runs::native)) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> failed_gates(const AuditedFile& file, const Gates& gates) {
  std::vector<std::string> failures;
  if (gates.highest_level && file.cpu && file.cpu->built_for > *gates.highest_level) {
    failures.push_back(fmt::format("{}: built for {}", file.path, to_string(file.cpu->built_for)));
  }
  if (gates.highest_arm_level && file.arm_cpu
      && file.arm_cpu->built_for > *gates.highest_arm_level) {
    failures.push_back(
        fmt::format("{}: built for {}", file.path, to_string(file.arm_cpu->built_for)));
  }
  if (gates.glibc && file.glibc_floor && file.glibc_floor->version > *gates.glibc) {
    failures.push_back(fmt::format("{}: needs glibc {} ({})",
                                   file.path,
                                   to_string(file.glibc_floor->version),
                                   file.glibc_floor->name));
  }
  for (const GpuTarget& target : gates.required) {
    if (!file.targets.empty() && !has_code_for(file, target)) {
      failures.push_back(
          fmt::format("{}: has GPU code, and none of it runs on {}", file.path, to_string(target)));
    }
  }
  return failures;
}

Result<std::vector<std::filesystem::path>> all_paths(const Invocation& invocation) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& text : invocation.list("PATH")) {
    FITMENT_TRY_ASSIGN(const std::vector<std::filesystem::path> found, find_binaries(text));
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

/// Files are audited side by side; the first error in order is the one that is told.
Result<std::vector<AuditedFile>> audit_all(const std::vector<std::filesystem::path>& paths,
                                           const AuditOptions& options,
                                           Streams& streams,
                                           bool several) {
  std::vector<std::optional<Result<AuditedFile>>> results(paths.size());
  for_each_index(paths.size(), 0, [&](std::size_t i) {
    auto source = open_file_source(paths[i]);
    results[i] = source ? audit_file(**source, options)
                        : Result<AuditedFile>(tl::unexpected<Error>(std::move(source).error()));
  });
  std::vector<AuditedFile> files;
  for (auto& result : results) {
    if (*result) {
      files.push_back(std::move(**result));
    } else if (several) {
      streams.warn((*result).error().message());
    } else {
      return tl::unexpected<Error>(std::move(*result).error());
    }
  }
  return files;
}

/// The list behind the verdicts: beyond the gate's level where there is one, else beyond the
/// baseline.
void print_functions(const std::vector<AuditedFile>& files, const Gates& gates, Streams& streams) {
  for (const AuditedFile& file : files) {
    const std::string list =
        audited_functions_text(file, gates.highest_level.value_or(X86Level::v1), streams.theme);
    if (!list.empty()) {
      streams.out << "\n" << file.path << "\n" << list;
    }
  }
}

Result<int> run_audit(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const Gates gates, read_gates(invocation));
  FITMENT_TRY_ASSIGN(const std::vector<std::filesystem::path> paths, all_paths(invocation));
  const AuditOptions options{.isa = !invocation.flag("gpu-code") || invocation.flag("functions"),
                             .gpu_code = !invocation.flag("isa"),
                             .functions = invocation.flag("functions")};
  FITMENT_TRY_ASSIGN(const std::vector<AuditedFile> files,
                     audit_all(paths, options, streams, paths.size() > 1));
  std::vector<std::string> failures;
  for (const AuditedFile& file : files) {
    for (std::string& failure : failed_gates(file, gates)) {
      failures.push_back(std::move(failure));
    }
  }
  if (invocation.json()) {
    streams.out << audit_json(files);
  } else if (files.size() <= kShownInFull) {
    for (const AuditedFile& file : files) {
      const auto evidence = options.gpu_code ? EvidenceShown::some : EvidenceShown::all;
      streams.out << (&file == files.data() ? "" : "\n")
                  << audited_file_text(file, streams.theme, evidence);
    }
  } else {
    streams.out << audit_table_text(files, streams.theme) << "\n"
                << audit_totals_text(files, streams.theme);
  }
  if (options.functions && !invocation.json()) {
    print_functions(files, gates, streams);
  }
  for (const std::string& failure : failures) {
    streams.warn(failure);
  }
  return failures.empty() ? kExitDone : kExitNo;
}

}  // namespace

CommandSpec audit_command() {
  return {
      .name = "audit",
      .group = "Understand",
      .summary = "what is in binaries: needs, CPU level, GPU code",
      .description =
          "Reads ELF files, archives and GPU code without running or loading them: needed "
          "libraries, the glibc floor, the CPU level that the code was built "
          "for with the instruction that shows it, and every piece of GPU code by target. Folders "
          "are searched for binaries.\n\n"
          "Code that stands behind a CPU check does not raise the level; the note that some "
          "toolchains write is reported and not believed.",
      .arguments = {{.name = "PATH",
                     .help = "a file or folder",
                     .count = ArgumentSpec::Count::at_least_one,
                     .completes = Completes::file}},
      .options = {{.name = "gpu-code",
                   .help = "only GPU code and needs; skips the machine code",
                   .group = "What"},
                  {.name = "isa",
                   .help = "only machine code and needs, with all evidence of the level; skips GPU "
                           "code",
                   .group = "What"},
                  {.name = "functions",
                   .help = "list each function that needs more than the baseline, or than the "
                           "level of --fail-above, and what leads to it",
                   .group = "What"},
                  {.name = "fail-above",
                   .help = "fail when a file is built for more than this level",
                   .value = "LEVEL",
                   .choices = {"x86-64-v1",
                               "x86-64-v2",
                               "x86-64-v3",
                               "x86-64-v4",
                               "armv8.0-a",
                               "armv8.1-a",
                               "armv8.2-a",
                               "armv8.3-a",
                               "armv8.4-a",
                               "armv8.5-a",
                               "armv8.6-a",
                               "armv9.0-a"},
                   .group = "Gates"},
                  {.name = "require",
                   .help = "fail when a file has GPU code and none of it runs on this target",
                   .value = "TARGET",
                   .repeatable = true,
                   .group = "Gates"},
                  {.name = "manylinux",
                   .help = "fail when a file needs a newer glibc than this",
                   .value = "X_Y",
                   .group = "Gates"}},
      .examples = {{"fitment audit libfoo.so", "one file in full"},
                   {"fitment audit .venv/lib --gpu-code",
                    "where the GPU code is, and for which targets"},
                   {"fitment audit libfoo.so --functions",
                    "which functions need AVX2 and who chooses them"},
                   {"fitment audit dist/ --fail-above x86-64-v2 --manylinux 2_28 --require sm_90",
                    "gates for a publisher's CI"}},
      .exit_codes = {{kExitNo, "a gate failed"}},
      .see_also = {"plan"},
      .json = true,
      .handler = run_audit};
}

}  // namespace fitment
