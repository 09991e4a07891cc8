// SPDX-License-Identifier: Apache-2.0
// What an image is built on: an image reference, or a root filesystem as an archive. Its system and
// its CUDA toolkit are read from what is known beforehand: the name, the environment of its
// configuration, its files. Nothing of it is run. Versions are parsed as versions, and an image
// without nvcc is an image with a toolkit all the same.
#pragma once

#include "image/base_layout.h"
#include "image/recipes.h"
#include "machine/known.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// What may tell about a base image. All but the reference may be missing.
struct BaseClues {
  std::string reference;                           ///< `nvidia/cuda:12.8.1-runtime-ubuntu24.04`
  std::map<std::string, std::string> environment;  ///< ENV of its configuration
  std::optional<DottedVersion> toolkit_in_files;   ///< version.json and what else is on disk
  std::optional<BaseLayout> layout;                ///< for a base on the disk
  std::optional<std::uint64_t> bytes;              ///< of its files
  std::string distribution;                        ///< `debian-12`, where the user says it
};

struct BaseImage {
  std::string reference;
  std::optional<BaseLayout> layout;  ///< a base on the disk
  bool is_archive = false;           ///< a root filesystem: `root.tar.xz`
  bool moves = false;                ///< no tag, or `latest`: the same name is another image later
  const BaseSystem* system = nullptr;  ///< nullptr: not known
  Known<DottedVersion> cuda_toolkit;
  std::string flavour;  ///< of an NVIDIA image: `base`, `runtime`, `devel`; empty: not told
  std::vector<std::string> conflicts;  ///< clues that contradict the one that was taken

  /// What a Containerfile starts from; empty for an archive.
  [[nodiscard]] std::string parent() const;
};

/// Errors: invalid_argument for a reference that no builder takes, for a distribution that no
/// recipe knows.
Result<BaseImage> read_base_image(const BaseClues& clues, const ImageRecipes& recipes);

/// The reference with its registry, as docker completes it: `docker.io/library/debian:12`.
std::string qualified_reference(std::string_view reference);

/// The next step for whoever gave something else as an archive.
inline constexpr const char* kRootHint =
    "`--from` takes an image reference, `oci:DIR[:TAG]`, or the archive of a root filesystem, as "
    "`mmdebstrap bookworm root.tar` writes it";

/// `root.tar`, `root.tar.xz`: a root filesystem instead of an image.
bool is_root_archive(std::string_view reference);

}  // namespace fitment
