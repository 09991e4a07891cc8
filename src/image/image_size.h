// SPDX-License-Identifier: Apache-2.0
// How large an image will be, as far as that is known before a byte is pulled.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct ImageOrder;
struct ImagePlan;

/// Before slimming: how much of GPU code goes is known when it is cut. Packages of the distribution
/// and Python itself are not counted.
struct ImageSize {
  std::optional<std::uint64_t> base_bytes;       ///< files of the base
  std::optional<std::uint64_t> download_bytes;   ///< wheels as they are fetched or mounted
  std::optional<std::uint64_t> installed_bytes;  ///< their files
  std::vector<std::string> unknown;              ///< what these numbers leave out, in words
  std::vector<std::string> missing;  ///< packages that are needed and not in the folder of wheels
};

/// Of the builds that `plan` has chosen. With wheels from a folder, of all that is needed among
/// them; else what the catalogue knows. Error: requirements that cannot be read.
Result<ImageSize> expect_image_size(const ImageOrder& order, const ImagePlan& plan);

}  // namespace fitment
