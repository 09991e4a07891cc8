// SPDX-License-Identifier: Apache-2.0
// cuDNN: frameworks refuse to work with an older one than they were built with, and all its parts
// must be of one version.
#include "base/dotted_version.h"
#include "doctor/examination.h"
#include "wheel/name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kProduct = "cuDNN";

/// A cuDNN that is loaded: where, and its version as far as the files tell it.
struct LoadedCudnn {
  const ClosureObject* object = nullptr;
  std::optional<DottedVersion> version;
  std::string known_from;
};

bool is_cudnn(const Examination& x, std::string_view soname) {
  const auto rows = x.libraries->find_soname(soname);
  return !rows.empty() && rows.front()->product == kProduct;
}

/// From the file name (`libcudnn.so.9.1.0`), else from the wheel.
LoadedCudnn describe(const Examination& x, const ClosureObject& object) {
  LoadedCudnn cudnn{&object, std::nullopt, {}};
  const std::string_view name = file_name(object.real_path);
  const std::size_t at = name.find(".so.");
  constexpr std::size_t kInfix = 4;
  if (at != std::string_view::npos) {
    const auto version = DottedVersion::parse(name.substr(at + kInfix));
    if (version && version->size() > 1) {
      return {&object, *version, std::string(name)};
    }
  }
  if (const auto owner = x.stack.owner_of(object.real_path)) {
    const Version& version = x.stack.distributions[*owner].metadata.version;
    const auto dotted = DottedVersion::parse(version.public_text());
    if (dotted) {
      return {&object, *dotted, x.shown_distribution(*owner)};
    }
  }
  return cudnn;
}

bool is_lower(const DottedVersion& found, const Version& wanted) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (found.part(i) != wanted.part(i)) {
      return found.part(i) < wanted.part(i);
    }
  }
  return false;
}

/// The lowest version that a requirement accepts, where it says one.
const Specifier* lower_bound_of(const Requirement& requirement) {
  for (const Specifier& specifier : requirement.specifiers.specifiers()) {
    if (specifier.op == SpecifierOperator::equal || specifier.op == SpecifierOperator::greater_equal
        || specifier.op == SpecifierOperator::compatible) {
      return &specifier;
    }
  }
  return nullptr;
}

/// Who asks for a newer cuDNN than the one that is loaded. Extras are not looked at: a plug-in that
/// is installed wants its cuDNN whichever way it was asked for.
void check_demands(Examination& x, const LoadedCudnn& cudnn) {
  for (std::size_t i = 0; i < x.stack.distributions.size(); ++i) {
    const InstalledDistribution& distribution = x.stack.distributions[i];
    if (x.stack.shadowed_by[i]) {
      continue;
    }
    for (const Requirement& requirement : distribution.metadata.requires_dist) {
      const std::string name = normalize_name(requirement.name);
      const NvidiaLibrary* row = x.libraries->find_wheel(name);
      const Specifier* bound = lower_bound_of(requirement);
      if (row == nullptr || row->product != kProduct || bound == nullptr || !cudnn.version
          || !is_lower(*cudnn.version, bound->version)) {
        continue;
      }
      x.findings.push_back(
          {.rule = "cudnn-mismatch",
           .severity = Severity::error,
           .subject = fmt::format("{} with cuDNN {}", distribution.name, cudnn.version->text()),
           .cause = fmt::format("{} was built with cuDNN {} or newer, and {} is loaded",
                                x.shown_distribution(i),
                                bound->text,
                                cudnn.version->text()),
           .evidence = {fmt::format("{}: Requires-Dist: {}",
                                    x.shown(distribution.info_folder),
                                    to_string(requirement)),
                        fmt::format("loaded: {} ({}), {}; version from {}",
                                    x.shown(cudnn.object->real_path),
                                    x.shown_owner(cudnn.object->real_path),
                                    cudnn.object->how,
                                    cudnn.known_from)},
           .fix = {fmt::format("install the cuDNN that {} asks for", distribution.name),
                   {x.install_command(
                       fmt::format("'{}{}'", name, to_string(requirement.specifiers)))}}});
    }
  }
}

}  // namespace

void check_cudnn(Examination& examination) {
  const Closure& closure = examination.everything.closure;
  std::vector<LoadedCudnn> loaded;
  for (const ClosureObject& object : closure.objects) {
    if (is_cudnn(examination, object.name())) {
      loaded.push_back(describe(examination, object));
    }
  }
  std::set<std::string> versions;
  std::vector<std::string> evidence;
  for (const LoadedCudnn& cudnn : loaded) {
    const auto rows = examination.libraries->find_soname(cudnn.object->name());
    if (rows.front()->soname == cudnn.object->name()) {
      check_demands(examination, cudnn);
    }
    if (cudnn.version) {
      const std::string text = fmt::format(
          "{}.{}.{}", cudnn.version->part(0), cudnn.version->part(1), cudnn.version->part(2));
      if (versions.insert(text).second) {
        evidence.push_back(fmt::format("{}: {} ({})",
                                       text,
                                       examination.shown(cudnn.object->real_path),
                                       examination.shown_owner(cudnn.object->real_path)));
      }
    }
  }
  if (versions.size() > 1) {
    examination.findings.push_back(
        {.rule = "cudnn-mismatch",
         .severity = Severity::error,
         .subject = "parts of cuDNN",
         .cause =
             fmt::format("parts of cuDNN {} come into one process", fmt::join(versions, " and ")),
         .evidence = std::move(evidence),
         .fix = {"take one of the two out of the search path, or remove its package", {}}});
  }
}

}  // namespace fitment
