// SPDX-License-Identifier: Apache-2.0
#include "record/chosen_file.h"

#include "wheel/name.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// Whether the file is a wheel of this build.
bool is_of(const RecordedPackage& package, const SimpleFile& file) {
  const auto wheel = read_wheel_filename(file.filename);
  if (!wheel || file.yanked || normalize_name(wheel->distribution) != normalize_name(package.name)
      || wheel->version.public_text() != package.version) {
    return false;
  }
  const std::string local = wheel->version.local();
  return local.empty() || local == package.backend;
}

}  // namespace

std::string variants_file_of(const RecordedPackage& package) {
  WheelFilename name;
  name.distribution = package.name;
  name.version = Version::parse(package.version).value_or(Version());
  return variants_file_name(name);
}

bool record_file(const ChosenFileQuery& query, const TagIndex& tags, RecordedPackage& package) {
  SelectRequest request;
  for (const SimpleFile& file : *query.files) {
    if (is_of(package, file)) {
      request.files.push_back(file.filename);
    }
  }
  request.metadata = query.metadata;
  request.answers = query.answers;
  const WheelSelection selection = select_wheels(request, tags);
  if (selection.order.empty()) {
    return false;
  }
  const RankedWheel& best = selection.order.front();
  const auto file = std::find_if(query.files->begin(), query.files->end(), [&](const auto& one) {
    return one.filename == best.file;
  });
  RecordedFile recorded{file->filename, without_credentials(file->url), file->size, {}, {}};
  if (const auto digest = file->hashes.find("sha256"); digest != file->hashes.end()) {
    recorded.sha256 = digest->second;
  }
  package.file = std::move(recorded);
  package.variant = best.label;
  package.properties = best.properties;
  package.metadata.reset();
  if (best.label && query.metadata != nullptr) {
    package.metadata = *query.metadata;
  }
  return true;
}

}  // namespace fitment
