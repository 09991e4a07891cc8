// SPDX-License-Identifier: Apache-2.0
// The first bytes of compressed data, without the rest.
#pragma once

#include "base/error.h"
#include "gpucode/entry.h"

#include <string>
#include <string_view>

namespace fitment {

/// Up to `limit` bytes of what `compressed`, which may be cut anywhere, inflates to. Errors:
/// parse_error when it is no zstd or zlib data.
Result<std::string> inflate_start(std::string_view compressed,
                                  Compression compression,
                                  std::size_t limit);

}  // namespace fitment
