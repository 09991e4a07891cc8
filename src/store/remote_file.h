// SPDX-License-Identifier: Apache-2.0
// A file on an HTTP server, read where it is: the directory of a wheel of gigabytes costs one
// request.
#pragma once

#include "base/byte_source.h"
#include "store/http_client.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace fitment {

struct RemoteFileOptions {
  std::uint64_t tail_bytes = 256U << 10U;  ///< fetched when it is opened: zip directories lie there
  std::uint64_t block_bytes = 64U << 10U;  ///< asked for at least
  std::uint64_t most_blocks = 1024;        ///< kept in memory
  /// What a server without ranges may send; it goes into a file without a name in the folder.
  std::uint64_t largest_whole = 8ULL << 30U;
  std::filesystem::path scratch_folder = "/tmp";
};

/// An http(s):// address by ranges, or by its whole where the server knows none; a file:// address
/// or a path as the file that it is. Its name ends in the name of the file. Later reads fail with
/// network_error when the file on the server changes. Errors: network_error, not_found, io_error.
Result<std::unique_ptr<ByteSource>> open_address(HttpClient& client,
                                                 const std::string& url,
                                                 const RemoteFileOptions& options = {});

}  // namespace fitment
