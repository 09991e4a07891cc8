// SPDX-License-Identifier: Apache-2.0
// What is installed in a site-packages folder: each distribution's metadata and files, as its
// dist-info folder tells them (PEP 376, 427, 610, 627). Old egg-info folders give name and version.
#pragma once

#include "elf/file_view.h"
#include "wheel/metadata.h"
#include "wheel/record_file.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// A line of RECORD with the place it means.
struct InstalledFile {
  RecordEntry entry;
  std::string path;  ///< in the view, the site folder without links
};

struct InstalledDistribution {
  Metadata metadata;
  std::string name;               ///< normalised
  std::string info_folder;        ///< `/venv/lib/python3.12/site-packages/torch-2.8.0.dist-info`
  std::string site;               ///< the folder that holds it, without links
  std::string wheel;              ///< file name of the wheel that is judged without being installed
  std::vector<std::string> tags;  ///< of WHEEL: `cp312-cp312-manylinux_2_28_x86_64`
  std::optional<std::string> installer;  ///< `pip`, `uv`
  bool has_record = false;               ///< without one, it is not known which files are its own
  std::vector<InstalledFile> files;
};

/// What could not be read, in words, with the path.
struct SiteProblem {
  std::string path;
  std::string text;
};

/// An error in one line: message and place.
std::string describe_problem(const Error& error);

struct SitePackages {
  std::vector<InstalledDistribution> distributions;  ///< sorted by name
  std::vector<SiteProblem> problems;
};

/// Reads every dist-info of a site folder; damage in one is a problem in words, and the others are
/// read. Error: the folder cannot be listed.
Result<SitePackages> read_site_packages(const FileView& view, const std::string& site);

}  // namespace fitment
