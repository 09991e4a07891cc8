// SPDX-License-Identifier: Apache-2.0
// A base image that lies on the disk as an OCI layout: `--from oci:DIR[:TAG]`. It is taken into the
// build context, and builders get it under a name that is derived from its digest.
//
//   inputs/base-0123456789ab/     the layout, with this one image in it
//   contexts = {"localhost/fitment/base-image:0123456789ab" =
//               "oci-layout://inputs/base-0123456789ab@sha256:0123456789ab..."}
#pragma once

#include "base/error.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

struct Image;

struct BaseLayout {
  std::string reference;  ///< as the user gave it: `oci:DIR:TAG`
  std::string digest;     ///< of its manifest: `sha256:...`
  std::string arch;       ///< `aarch64`; empty: it does not say

  /// Name of the shared input: `base-0123456789ab`.
  [[nodiscard]] std::string input() const;
  /// What the builder knows it by.
  [[nodiscard]] std::string name() const;
  /// Where a bake document says that it is.
  [[nodiscard]] std::string context() const;
};

/// `oci:DIR`, `oci:DIR:TAG`.
bool is_base_layout(std::string_view reference);

/// Errors: those of open_image; unsupported for what is no layout folder.
Result<Image> open_base_layout(const std::string& reference, const std::string& arch);
BaseLayout base_layout_of(const Image& image);

/// Writes a layout with this one image; its blobs are links where the disk allows it. Errors:
/// io_error.
Status place_layout(const BaseLayout& layout, const std::filesystem::path& folder);

/// The folder of a context `oci-layout://FOLDER@DIGEST`; empty: another kind of context.
std::string layout_folder(std::string_view context);

}  // namespace fitment
