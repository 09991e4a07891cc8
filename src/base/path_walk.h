// SPDX-License-Identifier: Apache-2.0
// A path inside a root, followed through links as the kernel does after chroot: absolute links
// start at the root again, `..` never leads above it, and there is an end to links.
#pragma once

#include "base/error.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// What lies at a place that the walk has come to, whose folders are no links: its target
/// for a link, nothing for what the walk goes on through. `is_last`: nothing of the path follows.
/// An error ends the walk.
using LookAtPlace =
    std::function<Result<std::optional<std::string>>(const std::string& place, bool is_last)>;

/// The path without links, `.` and `..`; `/` for the root. Errors: those of `look`; io_error for
/// more than 40 links or an endless path.
Result<std::string> walk_path(std::string_view path, const LookAtPlace& look);

}  // namespace fitment
