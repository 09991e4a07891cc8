// SPDX-License-Identifier: Apache-2.0
// RECORD against the disk and against other RECORDs, and versions hidden behind others on sys.path.
#include "base/digest.h"
#include "base/parallel.h"
#include "base/text.h"
#include "doctor/examination.h"
#include "elf/library_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kShownFiles = 5;

/// Files whose absence breaks an import.
bool is_code(std::string_view path) {
  return is_library_path(path) || path.ends_with(".py");
}

/// Python writes and drops these itself.
bool is_by_product(std::string_view path) {
  return path.ends_with(".pyc") || path.find("__pycache__") != std::string_view::npos;
}

/// Distributors strip libraries and edit files after RECORD was written; their own tools verify
/// them.
bool is_of_a_distributor(const InstalledDistribution& distribution) {
  constexpr std::array<std::string_view, 6> kInstallers{
      "debian", "rpm", "conda", "pacman", "portage", "apk"};
  return (distribution.installer
          && std::find(kInstallers.begin(), kInstallers.end(), *distribution.installer)
                 != kInstallers.end())
         || distribution.site.ends_with("/dist-packages");
}

/// A file of the right size whose content is to be compared.
struct Unverified {
  const InstalledFile* file = nullptr;
  bool is_other = false;
};

struct Damage {
  std::vector<std::string> missing;  // code
  std::vector<std::string> changed;  // libraries, with both sizes
  std::vector<std::string> edited;   // other files of another size
  std::size_t others_missing = 0;
  std::vector<Unverified> unverified;
};

class RecordCheck {
 public:
  explicit RecordCheck(Examination& examination) : x_(examination) {}

  void check_files() {
    std::vector<Damage> damage(x_.stack.distributions.size());
    for_each_index(damage.size(), 0, [&](std::size_t i) {
      if (!x_.stack.shadowed_by[i]) {
        damage[i] = look(x_.stack.distributions[i]);
      }
    });
    if (x_.verifies_digests) {
      verify(damage);
    }
    for (std::size_t i = 0; i < damage.size(); ++i) {
      report(i, damage[i]);
    }
  }
  using Fights = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>>;
  [[nodiscard]] Fights find_fights() const;
  void check_owners(const Fights& fights);
  void check_shadowed();
  void check_problems();

 private:
  [[nodiscard]] Damage look(const InstalledDistribution& distribution) const;
  [[nodiscard]] FindingFix fix_for(const std::pair<std::size_t, std::size_t>& owners) const;
  void verify(std::vector<Damage>& damage) const;
  [[nodiscard]] bool has_other_content(const InstalledFile& file) const;
  void report(std::size_t number, const Damage& damage);

  Examination& x_;
  std::set<std::string, std::less<>> contested_;  // told already as duplicate-owner
};

Damage RecordCheck::look(const InstalledDistribution& distribution) const {
  Damage damage;
  const bool may_differ = is_of_a_distributor(distribution);
  std::map<std::string, std::string, std::less<>> folders;  // without links; empty: none
  for (const InstalledFile& file : distribution.files) {
    if (is_by_product(file.path) || contested_.count(file.path) > 0) {
      continue;
    }
    const std::string folder(parent_folder(file.path));
    auto known = folders.find(folder);
    if (known == folders.end()) {
      known = folders.emplace(folder, x_.view->resolve(folder).value_or("")).first;
    }
    std::optional<std::uint64_t> size;
    if (!known->second.empty()) {
      const std::string path = join_path(known->second, file_name(file.path));
      size = x_.view->entry_size(path);
      if (!size) {
        const auto followed = x_.view->size(path);  // a link
        size = followed ? std::optional(*followed) : std::nullopt;
      }
    }
    if (!size) {
      if (is_code(file.path)) {
        damage.missing.push_back(file.path);
      } else {
        ++damage.others_missing;
      }
    } else if (file.entry.size && *size != *file.entry.size && !may_differ) {
      const std::string line =
          fmt::format("{}: {} bytes, RECORD says {}", x_.shown(file.path), *size, *file.entry.size);
      (is_library_path(file.path) ? damage.changed : damage.edited).push_back(line);
    } else if (file.entry.algorithm == "sha256" && !may_differ) {
      damage.unverified.push_back({&file, false});
    }
  }
  return damage;
}

/// Files of all distributions together, so that one large package keeps every core busy.
void RecordCheck::verify(std::vector<Damage>& damage) const {
  std::vector<Unverified*> all;
  for (Damage& one : damage) {
    for (Unverified& file : one.unverified) {
      all.push_back(&file);
    }
  }
  for_each_index(
      all.size(), 0, [&](std::size_t i) { all[i]->is_other = has_other_content(*all[i]->file); });
  for (Damage& one : damage) {
    for (const Unverified& file : one.unverified) {
      if (file.is_other) {
        const std::string& path = file.file->path;
        (is_library_path(path) ? one.changed : one.edited)
            .push_back(x_.shown(path) + ": the SHA-256 digest is not that of RECORD");
      }
    }
  }
}

bool RecordCheck::has_other_content(const InstalledFile& file) const {
  const auto source = x_.view->open(file.path);
  const auto digest = source ? sha256_hex(**source) : Result<std::string>(std::string());
  return !digest || record_digest(*digest) != file.entry.digest;
}

void RecordCheck::report(std::size_t number, const Damage& damage) {
  const InstalledDistribution& distribution = x_.stack.distributions[number];
  const auto limited = [](std::vector<std::string> lines, std::vector<std::string>& out) {
    const std::size_t rest = lines.size() > kShownFiles ? lines.size() - kShownFiles : 0;
    lines.resize(lines.size() - rest);
    out.insert(out.end(), lines.begin(), lines.end());
    if (rest > 0) {
      out.push_back(fmt::format("and {} more", rest));
    }
  };
  if (!damage.missing.empty() || !damage.changed.empty()) {
    const bool is_library_hit =
        !damage.changed.empty()
        || std::any_of(damage.missing.begin(), damage.missing.end(), is_library_path);
    const std::string first = damage.changed.empty() ? x_.shown(damage.missing.front())
                                                     : damage.changed.front().substr(
                                                         0, damage.changed.front().find(": "));
    Finding finding{
        .rule = "broken-record",
        .severity = Severity::error,
        .subject = fmt::format("{}: {}", x_.shown_distribution(number), first),
        .cause = fmt::format("files of {} are gone or are not the ones that were installed",
                             distribution.name),
        .evidence = {},
        .fix = {"install the package again", {x_.reinstall_command(distribution)}}};
    std::vector<std::string> missing;
    missing.reserve(damage.missing.size());
    for (const std::string& path : damage.missing) {
      missing.push_back(x_.shown(path) + " is missing");
    }
    limited(damage.changed, finding.evidence);
    limited(missing, finding.evidence);
    if (!is_library_hit && damage.missing.size() <= 1) {
      finding.severity = Severity::warning;
    }
    x_.findings.push_back(std::move(finding));
  } else if (damage.others_missing > 0 || !damage.edited.empty()) {
    Finding finding{.rule = "broken-record",
                    .severity = Severity::note,
                    .subject = x_.shown_distribution(number),
                    .cause = "files that are no library differ from RECORD",
                    .evidence = {},
                    .fix = {"install the package again if they were not changed on purpose",
                            {x_.reinstall_command(distribution)}}};
    limited(damage.edited, finding.evidence);
    if (damage.others_missing > 0) {
      finding.evidence.push_back(fmt::format("{} files are missing", damage.others_missing));
    }
    x_.findings.push_back(std::move(finding));
  }
}

/// Paths in RECORD of two distributions, by the pair. Equal content (the empty __init__.py of a
/// shared folder) is fine.
RecordCheck::Fights RecordCheck::find_fights() const {
  struct Claim {
    std::size_t distribution = 0;
    const RecordEntry* entry = nullptr;
  };
  std::map<std::string_view, std::vector<Claim>> claims;
  for (std::size_t i = 0; i < x_.stack.distributions.size(); ++i) {
    if (x_.stack.shadowed_by[i]) {
      continue;
    }
    for (const InstalledFile& file : x_.stack.distributions[i].files) {
      if (!is_by_product(file.path)) {
        claims[file.path].push_back({i, &file.entry});
      }
    }
  }
  Fights fights;
  for (const auto& [path, owners] : claims) {
    for (std::size_t i = 1; i < owners.size(); ++i) {
      const RecordEntry& a = *owners[0].entry;
      const RecordEntry& b = *owners[i].entry;
      if (owners[0].distribution != owners[i].distribution
          && (a.digest != b.digest || a.size != b.size)) {
        fights[{owners[0].distribution, owners[i].distribution}].emplace_back(path);
      }
    }
  }
  return fights;
}

FindingFix RecordCheck::fix_for(const std::pair<std::size_t, std::size_t>& owners) const {
  if (x_.stack.environment.kind == PythonEnvironmentKind::wheels) {
    return {"leave one of them out", {}};
  }
  return {"uninstall both, then install the one that is needed",
          {x_.uninstall_command(fmt::format("{} {}",
                                            x_.stack.distributions[owners.first].name,
                                            x_.stack.distributions[owners.second].name))}};
}

void RecordCheck::check_owners(const Fights& fights) {
  for (const auto& [pair, contested] : fights) {
    std::vector<std::string> paths;
    for (const std::string& path : contested) {
      paths.push_back(x_.shown(path));
      contested_.insert(path);
    }
    const bool has_library = std::any_of(paths.begin(), paths.end(), is_library_path);
    const bool has_code = std::any_of(paths.begin(), paths.end(), is_code);
    Finding finding{
        .rule = "duplicate-owner",
        .severity = has_library ? Severity::error
                    : has_code  ? Severity::warning
                                : Severity::note,
        .subject = fmt::format(
            "{} and {}", x_.shown_distribution(pair.first), x_.shown_distribution(pair.second)),
        .cause =
            "both installed other content under the same paths: the last one won, and removing "
            "either removes the files of both",
        .evidence = {},
        .fix = fix_for(pair)};
    const std::size_t count = paths.size();
    std::stable_partition(paths.begin(), paths.end(), is_library_path);
    paths.resize(std::min(count, kShownFiles));
    finding.evidence = paths;
    if (count > paths.size()) {
      finding.evidence.push_back(fmt::format("and {} more", count - paths.size()));
    }
    x_.findings.push_back(std::move(finding));
  }
}

void RecordCheck::check_shadowed() {
  for (std::size_t i = 0; i < x_.stack.distributions.size(); ++i) {
    const auto active = x_.stack.shadowed_by[i];
    if (!active) {
      continue;
    }
    const InstalledDistribution& hidden = x_.stack.distributions[i];
    const InstalledDistribution& taken = x_.stack.distributions[*active];
    const bool is_same = hidden.metadata.version == taken.metadata.version;
    const bool has_library =
        std::any_of(hidden.files.begin(), hidden.files.end(), [](const InstalledFile& file) {
          return is_library_path(file.path);
        });
    x_.findings.push_back(
        {.rule = "shadowed-package",
         .severity = is_same       ? Severity::note
                     : has_library ? Severity::warning
                                   : Severity::note,
         .subject = hidden.name,
         .cause = fmt::format("{} {} hides {} {}",
                              taken.name,
                              to_string(taken.metadata.version),
                              hidden.name,
                              to_string(hidden.metadata.version)),
         .evidence = {"taken: " + taken.info_folder, "hidden: " + hidden.info_folder},
         .fix = {
             fmt::format("remove the one that is not meant; PYTHONNOUSERSITE=1 leaves {} out of "
                         "sys.path where it is the user's site",
                         taken.site),
             {fmt::format("{} uninstall {}", "pip", taken.name)}}});
  }
}

/// Damaged metadata and damaged libraries.
void RecordCheck::check_problems() {
  for (const SiteProblem& problem : x_.stack.problems) {
    const auto owner = x_.stack.owner_of(problem.path);
    x_.findings.push_back(
        {.rule = "broken-record",
         .severity = Severity::error,
         .subject =
             owner ? fmt::format("{}: {}", x_.shown_distribution(*owner), x_.shown(problem.path))
                   : x_.shown(problem.path),
         .cause = "a file is damaged",
         .evidence = {problem.text},
         .fix = owner ? FindingFix{"install the package again",
                                   {x_.reinstall_command(x_.stack.distributions[*owner])}}
                      : FindingFix{"install the package that it belongs to again", {}}});
  }
}

}  // namespace

void check_records(Examination& examination) {
  RecordCheck check(examination);
  check.check_owners(check.find_fights());
  check.check_files();
  check.check_shadowed();
  check.check_problems();
}

}  // namespace fitment
