// SPDX-License-Identifier: Apache-2.0
#include "cli/audit_answer.h"

#include "cli/exit_code.h"
#include "cli/version.h"
#include "report/audit_csv.h"
#include "report/audit_json.h"
#include "report/audit_needs_text.h"
#include "report/audit_sarif.h"
#include "report/audit_table_text.h"
#include "report/closure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace fitment {

namespace {

std::string with_gates(const std::string& text, const AuditReport& report, const Theme& theme) {
  const std::string gates = gates_text(report, theme);
  return gates.empty() ? text : text + "\n" + gates;
}

std::string answer(const AuditReport& report, AuditForm form, const Streams& streams) {
  switch (form) {
    case AuditForm::text:
      break;
    case AuditForm::needs:
      return with_gates(audit_needs_text(report.audit, streams.theme), report, streams.theme);
    case AuditForm::tree:
      return with_gates(
          closures_text(report, streams.verbosity > 0, streams.theme), report, streams.theme);
    case AuditForm::json:
      return audit_json(report);
    case AuditForm::csv:
      return audit_csv(report);
    case AuditForm::sarif:
      return audit_sarif(report, program_version());
  }
  return audit_report_text(report, streams.theme);
}

/// One line: the message with its place, which names the file where the message does not.
std::string warning_of(const FailedInput& failed) {
  const Error& error = failed.error;
  if (error.origin()) {
    return fmt::format("{}: {}", to_string(*error.origin()), error.message());
  }
  const bool names_file =
      failed.path.empty() || error.message().find(failed.path) != std::string::npos;
  return names_file ? error.message() : fmt::format("{}: {}", failed.path, error.message());
}

}  // namespace

void write_audit_answer(const AuditReport& report, AuditForm form, const Streams& streams) {
  streams.out << answer(report, form, streams);
  std::vector<std::string> hints;
  for (const FailedInput& failed : report.audit.failed) {
    streams.warn(warning_of(failed));
    for (const std::string& hint : failed.error.hints()) {
      if (std::find(hints.begin(), hints.end(), hint) == hints.end()) {
        hints.push_back(hint);
      }
    }
  }
  for (const std::string& hint : hints) {
    streams.note("hint: " + hint);
  }
}

int audit_exit_code(const AuditReport& report) {
  if (!report.failures.empty()) {
    return kExitNo;
  }
  return report.audit.failed.empty() ? kExitDone
                                     : exit_code(report.audit.failed.front().error.code());
}

}  // namespace fitment
