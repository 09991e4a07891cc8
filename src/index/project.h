// SPDX-License-Identifier: Apache-2.0
// A project as its index offers it: all files of all versions, before anybody asked which machine
// they are for.
#pragma once

#include "variant/variant_metadata.h"
#include "wheel/simple_page.h"
#include "wheel/version.h"
#include "wheel/wheel_filename.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct IndexedFile {
  enum class Kind {
    wheel,
    sdist,
    variants,  ///< NAME-VERSION-variants.json
    other,     ///< eggs, installers, and what is not named as files of this project are
  };
  Kind kind = Kind::other;
  SimpleFile file;      ///< `url` is an http(s) address or a path on this machine
  std::string backend;  ///< of the address that listed it; empty: the index has one address
  std::string kept;     ///< path of its bytes in the store; offline every file of a network has one
  std::optional<WheelFilename> wheel;  ///< of wheels
  Version version;                     ///< of wheels and source distributions
};

/// Variant metadata of one version.
struct VersionVariants {
  std::optional<VariantMetadata> metadata;
  std::string unusable;  ///< why there are none
};

struct Project {
  std::string name;   ///< normalised
  std::string index;  ///< name of the route
  std::vector<IndexedFile> files;
  std::map<std::string, VersionVariants> variants;  ///< by version in normal form
  std::size_t out_of_reach = 0;  ///< files that the index has and that nobody can have offline
  /// Changes whenever anything above does.
  std::string digest;
};

/// Where the bytes are on this machine: the file of a folder, or one that the store keeps; empty:
/// nowhere.
const std::string& local_place(const IndexedFile& file);

/// Takes a file's name apart; `name` is the normalised name of the project.
IndexedFile classify_file(SimpleFile file, std::string backend, std::string_view name);

}  // namespace fitment
