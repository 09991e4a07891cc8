// SPDX-License-Identifier: Apache-2.0
#include "report/audit_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fitment {

namespace {

std::string csv_field(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(field);
  }
  std::string text = "\"";
  for (const char c : field) {
    text += c;
    if (c == '"') {
      text += c;
    }
  }
  return text + '"';
}

void add_line(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    text += (i == 0 ? "" : ",") + csv_field(fields[i]);
  }
  text += '\n';
}

std::string target_list(const AuditedFile& file) {
  std::vector<std::string> names;
  for (const TargetTotal& total : file.targets) {
    if (std::find(names.begin(), names.end(), total.target) == names.end()) {
      names.push_back(total.target);
    }
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

/// Rules of the gates that the file failed.
std::string failed_rules(const AuditReport& report, std::size_t file) {
  std::vector<std::string_view> rules;
  for (const GateFailure& failure : report.failures) {
    if (failure.file == file
        && std::find(rules.begin(), rules.end(), failure.rule) == rules.end()) {
      rules.push_back(failure.rule);
    }
  }
  return fmt::format("{}", fmt::join(rules, " "));
}

}  // namespace

std::string audit_csv(const AuditReport& report) {
  std::string text;
  add_line(text,
           {"path",
            "wheel",
            "member",
            "kind",
            "machine",
            "bytes",
            "soname",
            "needed",
            "rpath",
            "runpath",
            "glibc_floor",
            "built_for",
            "gpu_containers",
            "gpu_entries",
            "gpu_targets",
            "failed_gates",
            "remark"});
  for (std::size_t i = 0; i < report.audit.files.size(); ++i) {
    const AuditedFile& file = report.audit.files[i];
    add_line(text,
             {file.path,
              file.wheel,
              file.member,
              std::string(to_string(file.kind)),
              file.machine,
              std::to_string(file.bytes),
              file.soname.value_or(""),
              fmt::format("{}", fmt::join(file.needed, " ")),
              file.rpath.value_or(""),
              file.runpath.value_or(""),
              file.glibc_floor ? to_string(file.glibc_floor->version) : "",
              file.cpu       ? std::string(to_string(file.cpu->built_for))
              : file.arm_cpu ? std::string(to_string(file.arm_cpu->built_for))
                             : "",
              std::to_string(file.gpu.containers.size()),
              std::to_string(file.gpu.entry_count()),
              target_list(file),
              failed_rules(report, i),
              file.remark});
  }
  return text;
}

}  // namespace fitment
