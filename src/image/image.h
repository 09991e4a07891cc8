// SPDX-License-Identifier: Apache-2.0
// An image as it lies on the disk: found by a reference, its documents read and checked.
//
// References: `oci:DIR[:TAG]`, `oci-archive:FILE[:TAG]`, `docker-archive:FILE[:NAME]`, or a path,
// which is recognised by what is in it. Registries are not asked.
#pragma once

#include "image/image_store.h"
#include "image/oci_document.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ImageReference {
  enum class Kind {
    any,  ///< told by what is there
    oci,
    docker,
  };
  Kind kind = Kind::any;
  std::filesystem::path path;
  std::string tag;  ///< empty: there is only one
};
/// Looks at the disk to tell `dir:tag` from a name with a colon. Errors: not_found and
/// invalid_argument, with the way to fetch what is in a registry.
Result<ImageReference> parse_image_reference(const std::string& text);

struct ImageLayer {
  std::string member;      ///< in the store
  std::string media_type;  ///< empty in archives of Docker
  std::string digest;      ///< of the blob; empty in archives of Docker, which do not say
  std::string diff_id;
  std::uint64_t stored_bytes = 0;
  std::string created_by;  ///< from the history, empty when that does not match the layers
  Annotations annotations;
};

struct Image {
  std::unique_ptr<ImageStore> store;
  std::string name;             ///< for people: the reference as it was given
  std::string tag;              ///< empty: none
  std::string manifest_digest;  ///< empty in archives of Docker
  Annotations annotations;      ///< of the manifest
  std::string config_text;
  std::string config_source;  ///< for messages
  ImageConfig config;
  std::vector<ImageLayer> layers;  ///< lowest first
};

/// Reads and verifies the documents: digests, sizes, as many diff_ids as layers. The layers
/// themselves are verified when they are read. `platform` chooses among several. Errors:
/// parse_error, not_found, unsupported, invalid_argument (several images and nothing that chooses).
Result<Image> open_image(const std::string& reference, const std::optional<OciPlatform>& platform);

}  // namespace fitment
