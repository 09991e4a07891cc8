// SPDX-License-Identifier: Apache-2.0
#include "cli/audit_options.h"

#include "base/text.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

/// At most one of these flags; its name.
Result<std::string_view> one_of(const Invocation& invocation,
                                const std::vector<std::string_view>& names) {
  std::string_view chosen;
  for (const std::string_view name : names) {
    if (!invocation.flag(name)) {
      continue;
    }
    if (!chosen.empty()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`--{}` and `--{}` exclude each other", chosen, name))
          .hint("run fitment audit once for each");
    }
    chosen = name;
  }
  return chosen;
}

Result<AuditGates> read_gates(const Invocation& invocation) {
  AuditGates gates;
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
    FITMENT_TRY_ASSIGN(gates.glibc, parse_manylinux(*version));
  }
  gates.claims = invocation.flag("claims");
  return gates;
}

/// A gate that looks at what was skipped would hold for nothing.
Status check_gates_apply(const AuditWish& wish) {
  const auto refuse = [](std::string_view gate, std::string_view what) {
    return Status(fail(ErrorCode::invalid_argument,
                       fmt::format("the gate `--{}` looks at {}, which is left out", gate, what))
                      .hint("leave out the option that narrows the audit, or the gate"));
  };
  if ((wish.gates.highest_level || wish.gates.highest_arm_level) && !wish.what.isa) {
    return refuse("fail-above", "machine code");
  }
  if (!wish.gates.required.empty() && !wish.what.gpu_code) {
    return refuse("require", "GPU code");
  }
  return {};
}

}  // namespace

Result<DottedVersion> parse_manylinux(std::string_view text) {
  const std::string given(text);
  std::string tag = given;
  if (!tag.starts_with("manylinux")) {
    std::replace(tag.begin(), tag.end(), '.', '_');
    tag = (tag.find('_') == std::string::npos ? "manylinux" : "manylinux_") + tag;
  }
  // The processor is no part of the gate; parse_platform_tag wants one.
  for (const std::string& whole : {tag, tag + "_x86_64"}) {
    const auto platform = parse_platform_tag(whole);
    if (platform && platform->family == PlatformTag::Family::manylinux
        && (platform->arch == "x86_64" || platform->arch == "aarch64")
        && platform->libc_major == 2) {
      return DottedVersion{platform->libc_major, platform->libc_minor};
    }
  }
  return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a manylinux level", given))
      .hint(
          "levels are glibc versions, such as `--manylinux 2_28`, or the old names, such as "
          "`--manylinux 2014`");
}

ScratchOptions scratch_options(const Streams& streams) {
  ScratchOptions scratch;
  if (const std::string folder = value_of(streams.environment, "TMPDIR"); !folder.empty()) {
    scratch.folder = folder;
  }
  return scratch;
}

Result<AuditWish> read_audit_wish(const Invocation& invocation) {
  AuditWish wish;
  FITMENT_TRY_ASSIGN(wish.gates, read_gates(invocation));
  FITMENT_TRY_ASSIGN(const std::string_view narrowed,
                     one_of(invocation, {"gpu-code", "isa", "needs"}));
  FITMENT_TRY(one_of(invocation, {"gpu-code", "functions"}));
  FITMENT_TRY(one_of(invocation, {"needs", "functions"}));
  FITMENT_TRY(one_of(invocation, {"tree", "functions"}));
  wish.what.functions = invocation.flag("functions");
  wish.shows_all_evidence = narrowed == "isa";
  FITMENT_TRY_ASSIGN(const std::string_view form, one_of(invocation, {"json", "csv", "sarif"}));
  FITMENT_TRY(one_of(invocation, {"tree", "csv", "sarif"}));
  FITMENT_TRY(one_of(invocation, {"tree", "needs"}));
  wish.wants_closures = invocation.flag("tree");
  // A tree alone asks for no code; as JSON it stands beside everything else.
  const bool only_needs = narrowed == "needs" || (wish.wants_closures && form.empty());
  wish.what.isa = narrowed != "gpu-code" && !only_needs;
  wish.what.gpu_code = narrowed != "isa" && !only_needs;
  FITMENT_TRY(check_gates_apply(wish));
  if (form == "json") {
    wish.form = AuditForm::json;
  } else if (form == "csv") {
    wish.form = AuditForm::csv;
  } else if (form == "sarif") {
    wish.form = AuditForm::sarif;
  } else if (wish.wants_closures) {
    wish.form = AuditForm::tree;
  } else if (narrowed == "needs") {
    wish.form = AuditForm::needs;
  }
  return wish;
}

}  // namespace fitment
