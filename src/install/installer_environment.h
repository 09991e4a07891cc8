// SPDX-License-Identifier: Apache-2.0
// Clean settings for an installer: whatever sends it to other indexes, other places or other builds
// is taken away; proxies, certificates, caches and timeouts stay.
#pragma once

#include "base/environment.h"
#include "install/installer.h"

#include <string>
#include <vector>

namespace fitment {

struct InstallerEnvironment {
  Environment variables;
  std::vector<std::string> dropped;  ///< names, sorted: a user may wonder why they had no effect
};

/// Files of settings are switched off as well; the loopback address is asked without a proxy.
InstallerEnvironment clean_environment(const Environment& variables);

}  // namespace fitment
