// SPDX-License-Identifier: Apache-2.0
// Names in layers. All that follows works on one spelling: absolute inside the image, without `.`,
// double slashes and a slash at the end; `/` is the root.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>

namespace fitment {

/// `./usr/bin/` gives `/usr/bin`. Errors: parse_error for a name that some program would unpack
/// outside of the image (absolute, with `..`), or that no file can have; `what` is the entry for
/// the message.
Result<std::string> layer_path(std::string_view name, std::string_view what);

/// Names of whiteouts (OCI image layer specification): `.wh.x` hides x of the layers below,
/// `.wh..wh..opq` all that they have in its folder.
constexpr std::string_view kWhiteout = ".wh.";
constexpr std::string_view kOpaque = ".wh..wh..opq";

}  // namespace fitment
