// SPDX-License-Identifier: Apache-2.0
#include "install/installer_environment.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fitment {

namespace {

/// Settings that say how to fetch and write, not what.
constexpr std::array<std::string_view, 27> kHarmless{"PIP_BREAK_SYSTEM_PACKAGES",
                                                     "PIP_CACHE_DIR",
                                                     "PIP_CERT",
                                                     "PIP_CLIENT_CERT",
                                                     "PIP_DISABLE_PIP_VERSION_CHECK",
                                                     "PIP_NO_CACHE_DIR",
                                                     "PIP_NO_COLOR",
                                                     "PIP_PROGRESS_BAR",
                                                     "PIP_PROXY",
                                                     "PIP_REQUIRE_VIRTUALENV",
                                                     "PIP_RETRIES",
                                                     "PIP_ROOT_USER_ACTION",
                                                     "PIP_TIMEOUT",
                                                     "PIP_DEFAULT_TIMEOUT",
                                                     "UV_BREAK_SYSTEM_PACKAGES",
                                                     "UV_CACHE_DIR",
                                                     "UV_CONCURRENT_BUILDS",
                                                     "UV_CONCURRENT_DOWNLOADS",
                                                     "UV_CONCURRENT_INSTALLS",
                                                     "UV_HTTP_TIMEOUT",
                                                     "UV_LINK_MODE",
                                                     "UV_LOCK_TIMEOUT",
                                                     "UV_NATIVE_TLS",
                                                     "UV_NO_CACHE",
                                                     "UV_NO_PROGRESS",
                                                     "UV_OFFLINE",
                                                     "UV_SYSTEM_CERTS"};

bool is_setting(std::string_view name) {
  return name.starts_with("PIP_") || name.starts_with("UV_");
}

/// A proxy is no way to this machine.
void exempt_loopback(Environment& variables, const std::string& name) {
  std::string& hosts = variables[name];
  hosts += (hosts.empty() ? "" : ",") + std::string("127.0.0.1,localhost");
}

}  // namespace

InstallerEnvironment clean_environment(const Environment& variables) {
  InstallerEnvironment clean;
  for (const auto& [name, value] : variables) {
    const bool is_harmless = std::find(kHarmless.begin(), kHarmless.end(), name) != kHarmless.end();
    if (!is_setting(name) || is_harmless) {
      clean.variables[name] = value;
    } else {
      clean.dropped.push_back(name);
    }
  }
  const auto lower = clean.variables.find("no_proxy");
  const auto upper = clean.variables.find("NO_PROXY");
  const std::string hosts = lower != clean.variables.end()   ? lower->second
                            : upper != clean.variables.end() ? upper->second
                                                             : std::string();
  for (const char* name : {"NO_PROXY", "no_proxy"}) {
    clean.variables[name] = hosts;
    exempt_loopback(clean.variables, name);
  }
  clean.variables["PIP_CONFIG_FILE"] = "/dev/null";
  clean.variables["UV_NO_CONFIG"] = "1";
  clean.variables["UV_NO_SOURCES"] = "1";
  return clean;
}

}  // namespace fitment
