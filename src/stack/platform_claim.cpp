// SPDX-License-Identifier: Apache-2.0
#include "stack/platform_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

bool needs_musl(const AuditedFile& file) {
  return std::any_of(file.needed.begin(),
                     file.needed.end(),
                     [](const std::string& name) {
                       return name.starts_with("libc.musl-") || name == "libc.so";
                     })
         || (file.interpreter && file.interpreter->find("/ld-musl-") != std::string::npos);
}

/// PEP 600 begins with glibc 2.5, on aarch64 with 2.17.
std::string manylinux_tag(const std::optional<VersionFloor>& floor, const std::string& arch) {
  DottedVersion version = arch == "aarch64" ? DottedVersion{2, 17} : DottedVersion{2, 5};
  if (floor && version < floor->version) {
    version = floor->version;
  }
  return fmt::format("manylinux_{}_{}_{}", version.major(), version.minor(), arch);
}

std::string one_or_the_other(const std::set<std::string>& archs) {
  std::string text;
  for (const std::string& arch : archs) {
    text += (text.empty() ? "" : " and ") + arch;
  }
  return text;
}

void judge_tag(const std::string& text,
               const PlatformTag& tag,
               const std::vector<const AuditedFile*>& binaries,
               PlatformClaim& claim) {
  const auto break_claim = [&](const AuditedFile& file, std::string_view why) {
    claim.problems.push_back(fmt::format("{}: {} {}", text, file.member, why));
  };
  if (tag.family == PlatformTag::Family::any) {
    break_claim(*binaries.front(), "is machine code, and `any` promises none");
    return;
  }
  for (const AuditedFile* file : binaries) {
    if (!file->machine.empty() && file->machine != tag.arch
        && tag.family != PlatformTag::Family::other) {
      break_claim(*file, fmt::format("is for {}", file->machine));
      return;
    }
  }
  if (tag.family == PlatformTag::Family::manylinux) {
    if (const auto musl = std::find_if(
            binaries.begin(), binaries.end(), [](const auto* file) { return needs_musl(*file); });
        musl != binaries.end()) {
      break_claim(**musl, "needs musl");
    }
    if (claim.floor && DottedVersion{tag.libc_major, tag.libc_minor} < claim.floor->version) {
      claim.problems.push_back(fmt::format("{} promises glibc {}.{}, and {} needs {} ({} of {})",
                                           text,
                                           tag.libc_major,
                                           tag.libc_minor,
                                           claim.floor_member,
                                           to_string(claim.floor->version),
                                           claim.floor->name,
                                           claim.floor->library));
    }
  }
  if (tag.family == PlatformTag::Family::musllinux && claim.floor) {
    claim.problems.push_back(
        fmt::format("{}: {} needs glibc ({})", text, claim.floor_member, claim.floor->name));
  }
}

}  // namespace

PlatformClaim judge_platform_tags(const std::vector<std::string>& tags,
                                  const std::vector<const AuditedFile*>& all) {
  PlatformClaim claim;
  claim.tags = tags;
  std::vector<const AuditedFile*> binaries;  // what the host's loader could load
  std::set<std::string> archs;
  for (const AuditedFile* file : all) {
    if (file->kind == BinaryKind::gpu_code) {
      continue;
    }
    binaries.push_back(file);
    if (!file->machine.empty()) {
      archs.insert(file->machine);
    }
    if (file->glibc_floor && (!claim.floor || claim.floor->version < file->glibc_floor->version)) {
      claim.floor = file->glibc_floor;
      claim.floor_member = file->member;
    }
  }
  if (binaries.empty()) {
    claim.satisfied = "any";
    return claim;
  }
  if (archs.size() > 1) {
    claim.problems.push_back(fmt::format("it holds binaries for {}", one_or_the_other(archs)));
  }
  const bool is_musl = std::any_of(
      binaries.begin(), binaries.end(), [](const auto* file) { return needs_musl(*file); });
  if (archs.size() == 1 && !is_musl) {
    claim.satisfied = manylinux_tag(claim.floor, *archs.begin());
  }
  std::vector<PlatformTag> judged;  // manylinux2014 is manylinux_2_17: one promise, two names
  for (const std::string& text : tags) {
    const auto tag = parse_platform_tag(text);
    if (!tag) {
      claim.problems.push_back(tag.error().message());
    } else if (std::find(judged.begin(), judged.end(), *tag) == judged.end()) {
      judged.push_back(*tag);
      judge_tag(text, *tag, binaries, claim);
    }
  }
  return claim;
}

std::optional<DottedVersion> claimed_glibc(const std::vector<std::string>& tags) {
  std::optional<DottedVersion> oldest;
  for (const std::string& text : tags) {
    const auto tag = parse_platform_tag(text);
    if (tag && tag->family == PlatformTag::Family::manylinux) {
      DottedVersion version{tag->libc_major, tag->libc_minor};
      if (!oldest || version < *oldest) {
        oldest = std::move(version);
      }
    }
  }
  return oldest;
}

}  // namespace fitment
