// SPDX-License-Identifier: Apache-2.0
#include "stack/installed_distribution.h"

#include "base/parallel.h"
#include "base/text.h"
#include "wheel/name.h"
#include "wheel/wheel_archive.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kMetadataLimit = 16U << 20U;
constexpr std::uint64_t kRecordLimit = 256U << 20U;

struct ReadDistribution {
  std::optional<InstalledDistribution> distribution;
  std::vector<SiteProblem> problems;
};

class DistributionReader {
 public:
  DistributionReader(const FileView& view, const std::string& site, const std::string& folder_name)
      : view_(view), site_(site), folder_(join_path(site, folder_name)) {}

  ReadDistribution read(bool is_egg) {
    const std::string metadata_path = is_egg && view_.kind(folder_) == FileKind::regular
                                          ? folder_
                                          : join_path(folder_, is_egg ? "PKG-INFO" : "METADATA");
    const auto bytes = view_.read(metadata_path, kMetadataLimit);
    if (!bytes) {
      note(metadata_path, bytes.error());
      return std::move(read_);
    }
    auto metadata = parse_metadata(*bytes, metadata_path);
    if (!metadata) {
      note(metadata_path, metadata.error());
      return std::move(read_);
    }
    InstalledDistribution distribution;
    distribution.name = normalize_name(metadata->name);
    distribution.metadata = std::move(*metadata);
    distribution.info_folder = folder_;
    distribution.site = site_;
    if (!is_egg) {
      read_wheel_file(distribution);
      read_record_file(distribution);
      if (const auto installer = view_.read(join_path(folder_, "INSTALLER"), kMetadataLimit)) {
        distribution.installer = std::string(trim(*installer));
      }
    }
    read_.distribution = std::move(distribution);
    return std::move(read_);
  }

 private:
  void note(const std::string& path, const Error& error) {
    read_.problems.push_back({path, describe_problem(error)});
  }

  void read_wheel_file(InstalledDistribution& distribution) {
    const auto bytes = view_.read(join_path(folder_, "WHEEL"), kMetadataLimit);
    for (const std::string_view line : split_lines(bytes ? std::string_view(*bytes) : "")) {
      if (line.starts_with("Tag:")) {
        distribution.tags.emplace_back(trim(line.substr(4)));
      }
    }
  }

  void read_record_file(InstalledDistribution& distribution) {
    const std::string path = join_path(folder_, "RECORD");
    const auto bytes = view_.read(path, kRecordLimit);
    if (!bytes) {
      return;
    }
    auto record = parse_record(*bytes, path);
    if (!record) {
      note(path, record.error());
      return;
    }
    distribution.has_record = true;
    distribution.files.reserve(record->size());
    for (RecordEntry& entry : *record) {
      std::string where = record_path(site_, installed_place(entry.path));
      distribution.files.push_back({std::move(entry), std::move(where)});
    }
  }

  const FileView& view_;
  const std::string& site_;
  std::string folder_;
  ReadDistribution read_;
};

}  // namespace

std::string describe_problem(const Error& error) {
  return error.message() + (error.origin() ? ", at " + to_string(*error.origin()) : std::string());
}

Result<SitePackages> read_site_packages(const FileView& view, const std::string& site) {
  FITMENT_TRY_ASSIGN(std::vector<std::string> names, view.list(site));
  std::erase_if(names, [](const std::string& name) {
    // pip renames what it is about to remove to ~orch-2.8.0.dist-info.
    return name.starts_with('~') || !(name.ends_with(".dist-info") || name.ends_with(".egg-info"));
  });
  std::vector<ReadDistribution> read(names.size());
  for_each_index(names.size(), 0, [&](std::size_t i) {
    read[i] = DistributionReader(view, site, names[i]).read(names[i].ends_with(".egg-info"));
  });
  SitePackages packages;
  for (ReadDistribution& one : read) {
    if (one.distribution) {
      packages.distributions.push_back(std::move(*one.distribution));
    }
    packages.problems.insert(packages.problems.end(),
                             std::make_move_iterator(one.problems.begin()),
                             std::make_move_iterator(one.problems.end()));
  }
  std::stable_sort(packages.distributions.begin(),
                   packages.distributions.end(),
                   [](const InstalledDistribution& a, const InstalledDistribution& b) {
                     return a.name < b.name;
                   });
  return packages;
}

}  // namespace fitment
