// SPDX-License-Identifier: Apache-2.0
// platform-tag and glibc-floor: is there a wheel for this architecture, operating system and C
// library?
#include "choose/judge.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <optional>

namespace fitment {

namespace {

/// What the platform tags of a build ask of the C library.
struct LibcNeeds {
  bool known = false;                  ///< at least one tag is known
  bool any = false;                    ///< `any` or plain `linux_x86_64`: nothing is stated
  bool musl = false;                   ///< a musllinux wheel exists
  std::optional<DottedVersion> glibc;  ///< the lowest floor among manylinux tags
};

LibcNeeds needs_of(const Build& build) {
  LibcNeeds needs;
  for (const std::string& text : build.platforms) {
    const auto tag = parse_platform_tag(text);
    if (!tag) {
      continue;
    }
    needs.known = true;
    switch (tag->family) {
      case PlatformTag::Family::manylinux: {
        const DottedVersion floor{tag->libc_major, tag->libc_minor};
        if (!needs.glibc || floor < *needs.glibc) {
          needs.glibc = floor;
        }
        break;
      }
      case PlatformTag::Family::musllinux:
        needs.musl = true;
        break;
      default:
        needs.any = true;
        break;
    }
  }
  return needs;
}

void judge_glibc(const Known<Libc>& libc, const LibcNeeds& needs, Judgement& judgement) {
  if (!needs.glibc || needs.any) {
    return;
  }
  const std::string required = fmt::format("glibc >= {}", to_string(*needs.glibc));
  if (!libc || libc->version.size() == 0) {
    judgement.against({"glibc-floor",
                       Verdict::unsure,
                       "system.libc",
                       "unknown",
                       required,
                       "pass it with `--set system.libc.version=2.35`"});
  } else if (libc->version < *needs.glibc) {
    judgement.against({"glibc-floor",
                       Verdict::does_not_fit,
                       "system.libc.version",
                       to_string(libc->version),
                       required,
                       "use a newer distribution or a container image with a newer glibc"});
  }
}

void judge_libc(const Situation& situation, const Build& build, Judgement& judgement) {
  const Known<Libc>& libc = situation.machine->system.libc;
  const LibcNeeds needs = needs_of(build);
  if (libc && libc->family == "musl") {
    const bool pure = needs.any && build.platforms.front() == "any";
    if (!needs.musl && !pure) {
      judgement.against({"platform-tag",
                         Verdict::does_not_fit,
                         "system.libc.family",
                         "musl",
                         "glibc: there is no musllinux wheel",
                         "use a distribution with glibc: Debian, Ubuntu, Rocky"});
    }
    return;
  }
  judge_glibc(libc, needs, judgement);
}

}  // namespace

void judge_platform(const Situation& situation,
                    const Release& release,
                    const Build& build,
                    Judgement& judgement) {
  const System& system = situation.machine->system;
  if (system.os && *system.os != "linux") {
    judgement.against({"platform-tag",
                       Verdict::does_not_fit,
                       "system.os",
                       *system.os,
                       "linux: the catalogue holds Linux builds",
                       {}});
    return;
  }
  if (!system.arch) {
    judgement.against({"platform-tag",
                       Verdict::unsure,
                       "system.arch",
                       "unknown",
                       build.arch,
                       "pass it with `--set system.arch=x86_64`"});
  } else if (!build.arch.empty() && build.arch != *system.arch) {
    const bool unknown = release.other_arches_unknown;
    judgement.against(
        {"platform-tag",
         unknown ? Verdict::unsure : Verdict::does_not_fit,
         "system.arch",
         *system.arch,
         unknown ? fmt::format(
             "a build for {}: the catalogue knows of {} only", *system.arch, build.arch)
                 : build.arch,
         {}});
  }
  judge_libc(situation, build, judgement);
}

}  // namespace fitment
