// SPDX-License-Identifier: Apache-2.0
// fitment audit: what is in these binaries and wheels.
#include "catalog/catalog.h"
#include "cli/audit_answer.h"
#include "cli/audit_options.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/known_targets.h"
#include "cli/progress.h"
#include "report/audit_report.h"

#include <fmt/format.h>

namespace fitment {

namespace {

Result<FoundFiles> find_all(const std::vector<std::string>& paths) {
  FoundFiles all;
  for (const std::string& path : paths) {
    FITMENT_TRY_ASSIGN(const FoundFiles found, find_files(path));
    if (found.binaries.empty() && found.wheels.empty() && found.unreadable.empty()) {
      return fail(ErrorCode::not_found, fmt::format("there is no binary under `{}`", path))
          .hint("audit looks for ELF files, archives, GPU code and wheels; links are not followed");
    }
    all.binaries.insert(all.binaries.end(), found.binaries.begin(), found.binaries.end());
    all.wheels.insert(all.wheels.end(), found.wheels.begin(), found.wheels.end());
    all.unreadable.insert(all.unreadable.end(), found.unreadable.begin(), found.unreadable.end());
  }
  return all;
}

Audit audit_with_progress(const FoundFiles& found,
                          const AuditOptions& what,
                          const Streams& streams) {
  ProgressBar bar(streams, "auditing");
  return audit_files(found,
                     what,
                     scratch_options(streams),
                     [&](std::uint64_t done, std::uint64_t all, const std::string& path) {
                       bar.show(done, all, path);
                     });
}

Result<int> run_audit(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const AuditWish wish, read_audit_wish(invocation));
  FITMENT_TRY(warn_of_unknown_targets(wish.gates.required, Catalog(), streams));
  FITMENT_TRY_ASSIGN(const FoundFiles found, find_all(invocation.list("PATH")));
  AuditReport report;
  report.gates = wish.gates;
  report.audit = audit_with_progress(found, wish.what, streams);
  const Audit& audit = report.audit;
  if (audit.files.empty() && audit.wheels.empty() && !audit.failed.empty()) {
    return tl::unexpected<Error>(audit.failed.front().error);  // nothing to answer with
  }
  if (audit.files.empty() && audit.wheels.empty()) {
    return fail(ErrorCode::not_found, "there is only GPU code, which is left out")
        .hint("leave out the option that narrows the audit");
  }
  if (wish.wants_closures) {
    SearchOptions search;
    search.ld_library_path = value_of(streams.environment, "LD_LIBRARY_PATH");
    report.closures = compute_closures(audit, search, scratch_options(streams));
  }
  report.shows_all_evidence = wish.shows_all_evidence;
  report.lists_functions = wish.what.functions;
  report.failures = check_gates(audit, wish.gates);
  write_audit_answer(report, wish.form, streams);
  return audit_exit_code(report);
}

std::vector<OptionSpec> audit_options() {
  return {
      {.name = "gpu-code",
       .help = "only GPU code and needs; skips the machine code",
       .group = "What"},
      {.name = "isa",
       .help = "only machine code and needs, with all evidence of the level; skips GPU code",
       .group = "What"},
      {.name = "functions",
       .help = "list each function that needs more than the baseline, or than the level of "
               "--fail-above, and what leads to it",
       .group = "What"},
      {.name = "needs",
       .help = "only needed libraries and the versions of their symbols",
       .group = "What"},
      {.name = "tree",
       .help = "the closure of each file: which library needs which, and how each is found; -v "
               "shows the C and C++ runtime as well",
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
       .help = "fail when a file has GPU code and none of it runs on this target, or when no file "
               "has GPU code",
       .value = "TARGET",
       .repeatable = true,
       .group = "Gates"},
      {.name = "manylinux",
       .help = "fail when a file needs a newer glibc than this, or a wheel is tagged for a newer "
               "one",
       .value = "X_Y",
       .group = "Gates"},
      {.name = "claims",
       .help = "fail when a wheel needs more than its platform tags promise",
       .group = "Gates"},
      {.name = "csv", .help = "answer with one line a file, for spreadsheets", .group = "Output"},
      {.name = "sarif",
       .help = "answer with failed gates as SARIF 2.1.0, for code hosts",
       .group = "Output"},
  };
}

}  // namespace

CommandSpec audit_command() {
  return {
      .name = "audit",
      .group = "Understand",
      .summary = "what is in binaries and wheels: needs, CPU level, GPU code",
      .description =
          "Reads ELF files, archives and GPU code without running or loading them: needed "
          "libraries, the glibc floor, the CPU level that the code was built "
          "for with the instruction that shows it, and every piece of GPU code by target. Folders, "
          "such as environments, are searched for binaries and wheels. Wheels are read in place, "
          "and what their platform tags promise is compared with what their binaries need.\n\n"
          "Code that stands behind a CPU check does not raise the level; the note that some "
          "toolchains write is reported and not believed.\n\n"
          "Gates are for a publisher's CI: the exit code is 1 when one fails. A file that cannot "
          "be read is a warning beside the answer, and exit code 2 or 3.",
      .arguments = {{.name = "PATH",
                     .help = "a file, a wheel or a folder",
                     .count = ArgumentSpec::Count::at_least_one,
                     .completes = Completes::file}},
      .options = audit_options(),
      .examples = {{"fitment audit libfoo.so", "one file in full"},
                   {"fitment audit .venv/lib --gpu-code",
                    "where the GPU code is, and for which targets"},
                   {"fitment audit libfoo.so --functions",
                    "which functions need AVX2 and who chooses them"},
                   {"fitment audit dist/foo-1.0-cp312-cp312-manylinux_2_28_x86_64.whl --claims",
                    "does the wheel keep what its tags promise"},
                   {"fitment audit .venv/lib/python3.12/site-packages/foo --tree",
                    "where each needed library is found"},
                   {"fitment audit dist/ --fail-above x86-64-v2 --manylinux 2_28 --require sm_90",
                    "gates for a publisher's CI"},
                   {"fitment audit dist/ --manylinux 2_28 --sarif > audit.sarif",
                    "failed gates for a code host"}},
      .exit_codes = {{kExitNo, "a gate failed"}},
      .see_also = {"plan", "explain"},
      .json = true,
      .handler = run_audit};
}

}  // namespace fitment
