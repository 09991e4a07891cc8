// SPDX-License-Identifier: Apache-2.0
// Private: where a vendor's library is, without loading anything. The loader's own search would
// take whatever comes first, and what comes first is often wrong: a toolkit's stub, or inside WSL
// a library that the Linux distribution brought.
#pragma once

#include "probe/host_view.h"

#include <string>
#include <vector>

namespace fitment {

struct FoundLibraries {
  std::vector<std::string> paths;  ///< best first, each file once
  std::vector<std::string> stubs;  ///< refused: link-time stand-ins that load and then fail
};

/// Looks for a soname such as `libnvidia-ml.so.1` in the folders of the driver, LD_LIBRARY_PATH,
/// the loader's cache and the standard folders.
FoundLibraries find_libraries(const HostView& host, const std::string& soname, bool in_wsl);

/// Whether a path leads into a toolkit's `stubs` folder.
bool is_stub_path(const HostView& host, const std::string& path);

}  // namespace fitment
