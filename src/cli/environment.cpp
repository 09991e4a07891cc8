// SPDX-License-Identifier: Apache-2.0
#include "cli/environment.h"

namespace fitment {

std::string value_of(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

const std::vector<EnvironmentVariable>& environment_variables() {
  constexpr std::string_view kTerminal = "Terminal";
  constexpr std::string_view kFacts =
      "Machine and catalogue (what is in force is recorded in the answer)";
  constexpr std::string_view kNetwork = "Network and cache";
  static const std::vector<EnvironmentVariable> kVariables{
      {"NO_COLOR", "no colour, when set to anything but an empty text", kTerminal},
      {"CLICOLOR_FORCE",
       "colour also where the output is no terminal, when not empty and not `0`",
       kTerminal},
      {"TERM", "`dumb` means no colour", kTerminal},
      {"COLUMNS", "width of the output; otherwise the terminal's, otherwise 80", kTerminal},
      {"LC_ALL, LC_CTYPE, LANG",
       "the first that is set: UTF-8 allows box drawing, others get ASCII",
       kTerminal},
      {"FITMENT_CATALOG", "a folder of catalogue files, as with --catalog", kFacts},
      {"CONDA_OVERRIDE_CUDA, CONDA_OVERRIDE_CUDA_ARCH",
       "override the CUDA driver API version and the GPUs' lowest compute capability; empty: none",
       kFacts},
      {"CONDA_OVERRIDE_GLIBC, CONDA_OVERRIDE_LINUX, CONDA_OVERRIDE_ARCHSPEC",
       "override the C library, the kernel and the microarchitecture",
       kFacts},
      {"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION, NV_VARIANT_PROVIDER_FORCE_SM_ARCH",
       "override the CUDA driver API version and the compute capability",
       kFacts},
      {"UV_CUDA_DRIVER_VERSION, UV_AMD_GPU_ARCHITECTURE",
       "override the NVIDIA driver version and the gfx target",
       kFacts},
      {"AMD_VARIANT_PROVIDER_FORCE_GFX_ARCH, AMD_VARIANT_PROVIDER_FORCE_ROCM_VERSION",
       "override the gfx target and the ROCm version",
       kFacts},
      {"INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP", "override the Intel device IP version", kFacts},
      {"VARIANT_ABI_DEPENDENCY",
       "packages that variants meet, as NAME==VERSION with commas between, instead of those of an "
       "environment",
       kFacts},
      {"CUDA_VISIBLE_DEVICES", "takes GPUs away, only with --visible-devices", kFacts},
      {"CUDA_HOME, CUDA_PATH, ROCM_PATH, PATH", "where toolkits and Python are looked for", kFacts},
      {"LD_LIBRARY_PATH", "searched by audit --tree, as the loader does", kFacts},
      {"TMPDIR",
       "where members of wheels and of images go that are too large for memory; otherwise /tmp",
       kFacts},
      {"SOURCE_DATE_EPOCH",
       "seconds since 1970 that stand for every time in an image and in a bill of materials",
       kFacts},
      {"VIRTUAL_ENV, CONDA_PREFIX", "the active environment, whose Python is meant", kFacts},
      {"HOME, PYTHONPATH, PYTHONNOUSERSITE, LD_LIBRARY_PATH",
       "decide what Python and the loader find; a diagnosis follows them unless --env says "
       "otherwise",
       kFacts},
      {"HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY",
       "proxies, and hosts that are asked directly; the names in lower case count first",
       kNetwork},
      {"SSL_CERT_FILE, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE",
       "a file of certificates to trust instead of the system's; the first that is set",
       kNetwork},
      {"NETRC", "a file of credentials by host; otherwise ~/.netrc", kNetwork},
      {"XDG_CACHE_HOME, HOME",
       "the cache is in $XDG_CACHE_HOME/fitment, otherwise in ~/.cache/fitment",
       kNetwork},
  };
  return kVariables;
}

}  // namespace fitment
