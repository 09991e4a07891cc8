// SPDX-License-Identifier: Apache-2.0
// Requires-Dist against what is installed, and packages that must be of one release: torch with
// torchvision and torchaudio.
#include "base/text.h"
#include "choose/marker_facts.h"
#include "doctor/examination.h"
#include "stack/needed_distributions.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

/// What markers compare with: the Python of the environment on the machine. The machine's own
/// version counts where it says more of the same one (`3.12.3` of `3.12`).
MarkerEnvironment facts_of(const Examination& x) {
  Machine machine = *x.machine;
  if (const auto& version = x.stack.environment.python_version) {
    const std::string series = version->substr(0, version->find('t')) + ".";
    if (!machine.python.version || !machine.python.version->starts_with(series)) {
      machine.python.version = Known<std::string>(*version);
    }
  }
  machine.system.arch.set_if_unknown("x86_64", {});
  return marker_facts(machine);
}

/// A package and the one that it goes with.
using Pair = std::pair<std::string, std::string>;

class RequirementCheck {
 public:
  RequirementCheck(Examination& examination, const std::set<Pair>& told)
      : x_(examination), environment_(facts_of(examination)), told_(told) {
    find_extras();
  }

  void check() {
    for (std::size_t i = 0; i < x_.stack.distributions.size(); ++i) {
      if (!x_.stack.shadowed_by[i]) {
        check_distribution(i);
      }
    }
  }

 private:
  [[nodiscard]] bool applies(const Requirement& requirement, const std::string& owner);
  void find_extras();
  void check_distribution(std::size_t number);
  void report_missing(std::size_t number, const Requirement& requirement);
  void report_wrong(std::size_t number, const Requirement& requirement, std::size_t installed);
  [[nodiscard]] bool is_found_elsewhere(const std::string& wheel) const;

  Examination& x_;
  MarkerEnvironment environment_;
  const std::set<Pair>& told_;
  std::map<std::string, std::set<std::string>> extras_;  // asked for, by distribution
};

bool RequirementCheck::applies(const Requirement& requirement, const std::string& owner) {
  if (!requirement.marker) {
    return true;
  }
  MarkerEnvironment environment = environment_;
  if (requirement.marker->evaluate(environment)) {
    return true;
  }
  const auto asked = extras_.find(owner);
  if (asked == extras_.end() || !requirement.marker->mentions_extra()) {
    return false;
  }
  return std::any_of(asked->second.begin(), asked->second.end(), [&](const std::string& extra) {
    environment.extra = extra;
    return requirement.marker->evaluate(environment);
  });
}

/// Extras that installed packages ask of each other. Those that a user asked for are not recorded
/// anywhere, so their requirements are not demanded.
void RequirementCheck::find_extras() {
  std::vector<Requirement> all;
  for (const InstalledDistribution& distribution : x_.stack.distributions) {
    all.emplace_back().name = distribution.name;
  }
  extras_ = find_needed_distributions(x_.stack.distributions, all, environment_).extras;
}

void RequirementCheck::check_distribution(std::size_t number) {
  const InstalledDistribution& distribution = x_.stack.distributions[number];
  std::set<std::string> told;
  for (const Requirement& requirement : distribution.metadata.requires_dist) {
    const std::string name = normalize_name(requirement.name);
    if (!applies(requirement, distribution.name) || !told.insert(name).second) {
      continue;
    }
    const auto installed = x_.stack.find_index(name);
    if (!installed) {
      report_missing(number, requirement);
    } else if (requirement.url.empty()
               && !requirement.specifiers.contains(
                   x_.stack.distributions[*installed].metadata.version, Prereleases::yes)) {
      report_wrong(number, requirement, *installed);
    }
  }
}

/// Every library of the wheel comes from somewhere else.
bool RequirementCheck::is_found_elsewhere(const std::string& wheel) const {
  const NvidiaLibrary* row = x_.libraries->find_wheel(wheel);
  return row != nullptr && x_.everything.closure.find(row->soname) != nullptr;
}

void RequirementCheck::report_missing(std::size_t number, const Requirement& requirement) {
  const InstalledDistribution& distribution = x_.stack.distributions[number];
  const std::string name = normalize_name(requirement.name);
  const bool is_elsewhere = is_found_elsewhere(name);
  Requirement plain = requirement;
  plain.marker.reset();
  // A wheel that is looked at alone brings nothing with it; what it needs is said all the same.
  const bool is_alone = !distribution.wheel.empty() && x_.stack.distributions.size() == 1;
  const std::string_view absent = is_alone                     ? "here: one wheel was given"
                                  : distribution.wheel.empty() ? "installed"
                                                               : "among the wheels";
  x_.findings.push_back(
      {.rule = "broken-requirement",
       .severity = is_alone       ? Severity::note
                   : is_elsewhere ? Severity::warning
                                  : Severity::error,
       .subject = fmt::format("{} requires {}", distribution.name, name),
       .cause = fmt::format("`{}` is not {}{}",
                            name,
                            absent,
                            is_elsewhere ? "; its library is found outside of the packages" : ""),
       .evidence = {fmt::format(
           "{}: Requires-Dist: {}", x_.shown(distribution.info_folder), to_string(requirement))},
       .fix = {fmt::format("install `{}`", name),
               {x_.install_command(fmt::format("'{}'", to_string(plain)))}}});
}

void RequirementCheck::report_wrong(std::size_t number,
                                    const Requirement& requirement,
                                    std::size_t installed) {
  const InstalledDistribution& distribution = x_.stack.distributions[number];
  const InstalledDistribution& other = x_.stack.distributions[installed];
  const NvidiaLibrary* row = x_.libraries->find_wheel(other.name);
  if (row != nullptr && row->product == "cuDNN") {
    return;  // check_cudnn tells it with what follows from it
  }
  if (told_.count({distribution.name, other.name}) > 0) {
    return;
  }
  const bool is_framework =
      x_.stack.find("torch") != nullptr && (other.name == "torch" || distribution.name == "torch");
  Requirement plain = requirement;
  plain.marker.reset();
  x_.findings.push_back(
      {.rule = is_framework && other.name == "torch" ? "pair-mismatch" : "broken-requirement",
       .severity = is_framework && other.name == "torch" ? Severity::error : Severity::warning,
       .subject = fmt::format("{} requires {}", distribution.name, other.name),
       .cause = fmt::format("{} is {}, {} asks for `{}`",
                            x_.shown_distribution(installed),
                            other.wheel.empty() ? "installed" : "here",
                            x_.shown_distribution(number),
                            to_string(plain)),
       .evidence = {fmt::format(
           "{}: Requires-Dist: {}", x_.shown(distribution.info_folder), to_string(requirement))},
       .fix = {
           fmt::format("install a version of `{}` that fits, or a `{}` for the one that is here",
                       other.name,
                       distribution.name),
           {x_.install_command(fmt::format("'{}'", to_string(plain)))}}});
}

/// The CUDA major of a local label: 12 for `cu128`; 0 for others.
std::uint32_t label_major(const Version& version) {
  const std::string label = version.local();
  if (!label.starts_with("cu") || label.size() < 4) {
    return 0;
  }
  const auto number = parse_unsigned(std::string_view(label).substr(2));
  return number ? static_cast<std::uint32_t>(*number / 10) : 0;
}

/// Companions whose release is not the one of the framework, by the catalogue. What it says about a
/// pair makes superfluous what the metadata says about it, so the pairs are noted in `told`.
void check_companions(Examination& x, const Framework& framework, std::set<Pair>& told) {
  const InstalledDistribution* main = x.stack.find(framework.name);
  if (main == nullptr) {
    return;
  }
  const Version& version = main->metadata.version;
  const auto release =
      std::find_if(framework.releases.begin(), framework.releases.end(), [&](const Release& row) {
        return row.version == version.public_text();
      });
  for (const std::string& companion : framework.companions) {
    const InstalledDistribution* other = x.stack.find(companion);
    if (other == nullptr) {
      continue;
    }
    const Version& found = other->metadata.version;
    const auto row = release == framework.releases.end()
                         ? std::map<std::string, std::string>::const_iterator()
                         : release->companions.find(companion);
    const bool is_known = release != framework.releases.end() && row != release->companions.end();
    const bool is_other_release = is_known && found.public_text() != row->second;
    const bool is_other_major = label_major(version) != 0 && label_major(found) != 0
                                && label_major(version) != label_major(found);
    const bool is_other_label =
        !version.local().empty() && !found.local().empty() && version.local() != found.local();
    if (!is_other_release && !is_other_major && !is_other_label) {
      continue;
    }
    told.emplace(companion, framework.name);
    const std::string label = version.local().empty() ? "" : "+" + version.local();
    const std::string wanted = is_known
                                   ? fmt::format("{}=={}{}", companion, row->second, label)
                                   : fmt::format("{} built with {}", companion, version.local());
    const std::string index =
        version.local().empty()
            ? std::string()
            : fmt::format(" --index-url https://download.pytorch.org/whl/{}", version.local());
    x.findings.push_back(
        {.rule = "pair-mismatch",
         .severity = is_other_release || is_other_major ? Severity::error : Severity::warning,
         .subject = fmt::format("{} with {}", companion, framework.name),
         .cause = fmt::format("{} {} and {} {} were not built for each other",
                              companion,
                              to_string(found),
                              framework.name,
                              to_string(version)),
         .evidence = {fmt::format(
             "{} {} goes with {}", framework.name, to_string(version), wanted)},
         .fix = {fmt::format("install {}", wanted),
                 {x.install_command(fmt::format("'{}'{}",
                                                is_known ? wanted : companion,
                                                framework.name == "torch" ? index : ""))}}});
  }
}

}  // namespace

void check_requirements(Examination& examination) {
  std::set<Pair> told;
  for (const std::string& name : examination.catalog->framework_names()) {
    if (examination.stack.find(name) == nullptr) {
      continue;
    }
    const auto framework = examination.catalog->find_framework(name);
    if (framework && *framework != nullptr) {
      check_companions(examination, **framework, told);
    }
  }
  RequirementCheck(examination, told).check();
}

}  // namespace fitment
