// SPDX-License-Identifier: Apache-2.0
#include "record/requirements_export.h"

#include "base/shell.h"
#include "base/text.h"
#include "record/pinned_package.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fitment {

namespace {

/// `torch @ https://...#sha256=...`, else `torch==2.8.0+cu128`.
std::string requirement_line(const PinnedPackage& package) {
  if (!package.has_address()) {
    return package.requirement;
  }
  return fmt::format("{}{} @ {}#sha256={}",
                     package.name,
                     package.extras.empty() ? "" : "[" + join(package.extras, ",") + "]",
                     package.file->url,
                     *package.file->sha256);
}

}  // namespace

std::string write_requirements(const RecordedTarget& target) {
  std::string text =
      fmt::format("# fitment: {}, facts sha256:{}\n", target.machine.name, target.digest);
  const std::vector<PinnedPackage> packages = pinned_packages(target);
  std::vector<std::string> indexes;
  for (const PinnedPackage& package : packages) {
    if (!package.has_address() && !package.index.empty()
        && std::find(indexes.begin(), indexes.end(), package.index) == indexes.end()) {
      indexes.push_back(package.index);
    }
  }
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    text += fmt::format("--{} {}\n", i == 0 ? "index-url" : "extra-index-url", indexes[i]);
  }
  for (const PinnedPackage& package : packages) {
    text += requirement_line(package) + "\n";
  }
  return text;
}

std::string write_run_instruction(const RecordedTarget& target) {
  if (!is_whole(target)) {
    return {};
  }
  std::string text = "RUN printf '%s\\n' \\\n";
  for (const PinnedPackage& package : pinned_packages(target)) {
    text += fmt::format("    {} \\\n", shell_word(requirement_line(package)));
  }
  return text + "  | pip install --no-cache-dir --no-deps --require-hashes -r /dev/stdin\n";
}

std::string write_uv_constraints(const RecordedTarget& target) {
  std::string lines;
  for (const PinnedPackage& package : pinned_packages(target)) {
    if (package.choice == nullptr) {
      lines += fmt::format("  \"{}\",\n", package.requirement);
    }
  }
  return lines.empty() ? "" : fmt::format("[tool.uv]\nconstraint-dependencies = [\n{}]\n", lines);
}

}  // namespace fitment
