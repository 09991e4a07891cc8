// SPDX-License-Identifier: Apache-2.0
// fitment variant check: what is wrong with a folder of variant wheels before it is published.
#include "cli/variant_check_command.h"

#include "cli/audit_options.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "cli/variant_inputs.h"
#include "report/human.h"
#include "report/variant_text.h"
#include "variant/metadata_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

/// Looks into the binaries of the variants of a folder. What cannot be read of their metadata was
/// told already.
Result<std::vector<CheckedWheel>> check_binaries(const WheelFolder& folder,
                                                 const Streams& streams,
                                                 std::vector<LintFinding>& findings) {
  std::vector<CheckedWheel> wheels;
  for (const FolderPackage& package : folder.packages) {
    for (const FolderWheel& wheel : package.wheels) {
      const auto document =
          wheel.name.variant_label ? read_wheel_document(wheel) : fail(ErrorCode::not_found, "");
      const MetadataReading reading =
          document ? examine_metadata(document->text) : MetadataReading();
      const VariantEntry* entry =
          reading.metadata ? reading.metadata->find_variant(*wheel.name.variant_label) : nullptr;
      if (entry == nullptr) {
        continue;
      }
      FITMENT_TRY_ASSIGN(const FoundFiles found, find_wheel_binaries(wheel));
      ProgressBar bar(streams, "looking into " + wheel.file);
      const Audit audit = audit_files(
          found, {}, scratch_options(streams), [&](auto done, auto all, const auto& path) {
            bar.show(done, all, path);
          });
      ClaimCheck check = check_variant_claims(wheel, *entry, audit);
      findings.insert(findings.end(), check.findings.begin(), check.findings.end());
      wheels.push_back(std::move(check.wheel));
    }
  }
  sort_findings(findings);
  return wheels;
}

Result<int> run_check(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const WheelFolder folder, wheel_folder_of(invocation.get("DIR")));
  std::vector<LintFinding> findings = lint_folder(folder);
  std::vector<CheckedWheel> wheels;
  if (!invocation.flag("metadata-only")) {
    FITMENT_TRY_ASSIGN(wheels, check_binaries(folder, streams, findings));
  }
  if (invocation.json()) {
    streams.out << lint_json(findings, wheels);
  } else {
    streams.out << (findings.empty()
                        ? fmt::format("{}, nothing to complain about\n",
                                      human_count(folder.packages.size(), "package version"))
                        : lint_text(findings, streams.theme));
    if (!wheels.empty()) {
      streams.out << "\n" << checked_wheels_text(wheels, streams.theme);
    }
  }
  const bool has_error =
      std::any_of(findings.begin(), findings.end(), [](const LintFinding& finding) {
        return finding.severity == LintFinding::Severity::error;
      });
  return has_error ? kExitNo : kExitDone;
}

}  // namespace

CommandSpec variant_check_command() {
  return {
      .name = "check",
      .summary = "what is wrong with a folder of variant wheels before it is published",
      .description =
          "Names every file that an index would refuse or that clients would ignore: file names, "
          "metadata of wheels and of the index, labels that do not agree, properties that no "
          "machine can have, and machines or clients that would be left without a wheel.\n\n"
          "Then it looks into the binaries of each variant and compares them with what it claims: "
          "`sm_arch` and `gfx_arch` with the GPU code, levels and extensions of x86_64 and aarch64 "
          "with the machine code.",
      .arguments = {{.name = "DIR", .help = "a folder of wheels", .completes = Completes::folder}},
      .options = {{.name = "metadata-only", .help = "do not look into the binaries"}},
      .examples = {{"fitment variant check wheels/", "before the upload"}},
      .exit_codes = {{kExitNo, "there are errors"}},
      .json = true,
      .handler = run_check};
}

}  // namespace fitment
