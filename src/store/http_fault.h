// SPDX-License-Identifier: Apache-2.0
// What went wrong between us and a server, in words with a next step.
#pragma once

#include "base/error.h"

#include <string_view>

namespace fitment {

/// An error for every answer that somebody who wanted the body cannot use: not_found for 404 and
/// 410, otherwise network_error; whoever needs 401 and 403 told apart looks at the status.
Status check_status(int status, std::string_view url);

/// Whether the same request may succeed later: 408, 425, 429 and faults of servers and gateways.
bool is_passing_status(int status);

}  // namespace fitment
