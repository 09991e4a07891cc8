// SPDX-License-Identifier: Apache-2.0
// Private: one file from an HTTP server into a file that may hold its beginning already.
#pragma once

#include "store/store.h"

namespace fitment {

/// Fills `partial`, which `lease` owns, and returns the SHA-256 of the whole. Where the hash is
/// known it goes on where the file ends, and fetches the whole once where the pieces do not fit.
/// The error of other bytes than were promised leaves the file empty.
Result<std::string> download(HttpClient& client,
                             const WantedFile& wanted,
                             const FileLease& lease,
                             const std::filesystem::path& partial,
                             const FetchProgress& progress);

/// Error: network_error when bytes are not those that were promised.
Status check_promise(const WantedFile& wanted, std::uint64_t size, const std::string& sha256);

}  // namespace fitment
