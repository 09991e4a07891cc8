// SPDX-License-Identifier: Apache-2.0
#include "catalog/check_framework.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

/// `manylinux_2_28_x86_64`, `manylinux2014_aarch64`, `musllinux_1_2_x86_64`, `linux_x86_64`, `any`.
bool is_known_platform(std::string_view tag, std::string_view arch) {
  if (tag == "any") {
    return true;
  }
  const std::string suffix = fmt::format("_{}", arch);
  if (!tag.ends_with(suffix)) {
    return false;
  }
  tag.remove_suffix(suffix.size());
  if (tag == "linux" || tag == "manylinux1" || tag == "manylinux2010" || tag == "manylinux2014") {
    return true;
  }
  const auto pieces = split(tag, '_');
  return pieces.size() == 3 && (pieces[0] == "manylinux" || pieces[0] == "musllinux")
         && parse_unsigned(pieces[1]) && parse_unsigned(pieces[2]);
}

/// Where a version text is no plain number (2.0.0rc1), its leading numbers decide.
bool is_older(const std::string& a, const std::string& b) {
  const auto left = DottedVersion::parse_prefix(a);
  const auto right = DottedVersion::parse_prefix(b);
  return left && right && *left < *right;
}

class FrameworkChecker {
 public:
  FrameworkChecker(std::string file,
                   const Framework& framework,
                   const CudaTables* tables,
                   std::vector<CatalogProblem>& problems)
      : file_(std::move(file)), framework_(framework), tables_(tables), problems_(problems) {}

  void check();

 private:
  void report(std::string where, std::string message) {
    problems_.push_back({file_, std::move(where), std::move(message)});
  }
  void check_order();
  void check_companions();
  void check_release(const Release& release);
  void check_builds(const Release& release);
  void check_build(const std::string& where, const Build& build);
  void check_toolkit(const std::string& where, const Build& build);
  void check_code(const std::string& where, const Build& build);

  std::string file_;
  const Framework& framework_;
  const CudaTables* tables_;
  std::vector<CatalogProblem>& problems_;
};

void FrameworkChecker::check_order() {
  const Release* before = nullptr;
  std::set<std::string> seen;
  for (const Release& release : framework_.releases) {
    if (!seen.insert(release.version).second) {
      report(release.version, "is listed twice");
    } else if (before != nullptr && is_older(release.version, before->version)) {
      report(release.version, fmt::format("stands after {}, which is newer", before->version));
    }
    before = &release;
  }
}

void FrameworkChecker::check_companions() {
  std::map<std::string, std::string> used;  // `torchvision 0.23.0` -> release
  for (const Release& release : framework_.releases) {
    for (const auto& [name, version] : release.companions) {
      if (release.no_companion.count(name) > 0) {
        report(release.version, fmt::format("has {} {}, and none at the same time", name, version));
      }
      // Others, such as triton, have no builds per backend and may serve several releases.
      const auto& paired = framework_.companions;
      if (std::find(paired.begin(), paired.end(), name) == paired.end()) {
        continue;
      }
      const auto [entry, is_new] =
          used.try_emplace(fmt::format("{} {}", name, version), release.version);
      if (!is_new) {
        report(release.version, fmt::format("has {}, as {} has", entry->first, entry->second));
      }
    }
  }
}

void FrameworkChecker::check_code(const std::string& where, const Build& build) {
  const CudaTargetsRow* known = tables_ != nullptr && build.toolkit && build.cuda_code
                                    ? tables_->targets_of(*build.toolkit)
                                    : nullptr;
  const auto floor =
      tables_ != nullptr && build.cudnn ? tables_->cudnn_floor(*build.cudnn) : std::nullopt;
  if (!build.cuda_code) {
    return;
  }
  if (build.cuda_code->empty()) {
    report(where, "has an empty list of targets");
  }
  for (const CudaTarget& target : *build.cuda_code) {
    if (known != nullptr
        && std::none_of(known->targets.begin(), known->targets.end(), [&](const CudaTarget& each) {
             return each.number() == target.number();
           })) {
      report(where,
             fmt::format(
                 "has {}, which CUDA {} cannot compile", to_string(target), build.toolkit->text()));
    }
    if (floor && target.number() < floor->number()) {
      report(where,
             fmt::format("has {}, which cuDNN {} refuses", to_string(target), build.cudnn->text()));
    }
  }
}

void FrameworkChecker::check_toolkit(const std::string& where, const Build& build) {
  if (!build.toolkit || build.backend.kind == Backend::Kind::cpu) {
    return;
  }
  const DottedVersion& level = build.backend.level;
  const bool same = level.major() == build.toolkit->major()
                    && (level.size() < 2 || level.minor() == build.toolkit->minor());
  if (!same && build.backend.kind != Backend::Kind::xpu) {
    report(where,
           fmt::format("is built with {}, which its label contradicts", build.toolkit->text()));
  }
  if (tables_ != nullptr && build.backend.kind == Backend::Kind::cuda
      && !tables_->driver_of_toolkit(*build.toolkit)) {
    report(where, fmt::format("needs a driver row for CUDA {}", build.toolkit->text()));
  }
}

void FrameworkChecker::check_build(const std::string& where, const Build& build) {
  if (build.source.empty()) {
    report(where, "has no source");
  }
  if ((build.cuda_code || build.gfx_code) && build.code_source.empty()) {
    report(where, "has a list of targets without `code_source`");
  }
  for (const std::string& platform : build.platforms) {
    if (!is_known_platform(platform, build.arch)) {
      report(where, fmt::format("has `{}`, which is no platform tag for {}", platform, build.arch));
    }
  }
  check_toolkit(where, build);
  check_code(where, build);
}

void FrameworkChecker::check_builds(const Release& release) {
  std::set<std::string> seen;
  for (const Build& build : release.builds) {
    const std::string where =
        fmt::format("{} {} {}", release.version, build.backend.text, build.arch);
    if (!seen.insert(where).second) {
      report(where, "is listed twice");
    }
    if (build.known_conflict.empty()) {
      check_build(where, build);
    }
  }
}

void FrameworkChecker::check_release(const Release& release) {
  check_builds(release);
  if (release.builds.empty()) {
    report(release.version, "has no builds");
  }
  if (!release.known_conflict.empty()) {
    return;
  }
  if (release.source.empty()) {
    report(release.version, "has no source");
  }
  if (release.python.empty()) {
    report(release.version, "has no Python versions");
  }
  const bool default_exists =
      std::any_of(release.builds.begin(), release.builds.end(), [&](const Build& build) {
        return build.backend.text == release.pypi_default;
      });
  if (!release.pypi_default.empty() && !default_exists) {
    report(release.version,
           fmt::format("has no build `{}`, its PyPI default", release.pypi_default));
  }
}

void FrameworkChecker::check() {
  check_order();
  check_companions();
  for (const Release& release : framework_.releases) {
    check_release(release);
  }
  if (framework_.releases.empty()) {
    report("", "has no releases");
  }
}

}  // namespace

void check_framework(const std::string& file,
                     const Framework& framework,
                     const CudaTables* tables,
                     std::vector<CatalogProblem>& problems) {
  FrameworkChecker(file, framework, tables, problems).check();
}

}  // namespace fitment
