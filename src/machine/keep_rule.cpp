// SPDX-License-Identifier: Apache-2.0
#include "machine/keep_rule.h"

#include <algorithm>
#include <string_view>

namespace fitment {

namespace {

/// The family of `f` targets: all 10.x but the embedded 10.1, all 12.x; 11.0 is alone.
bool same_family(const CudaTarget& a, const CudaTarget& b) {
  return a.major == b.major && a.is_embedded() == b.is_embedded();
}

Runs cubin_runs_on(const CudaTarget& code, const CudaTarget& gpu) {
  if (code.suffix == CudaTarget::Suffix::arch) {
    return code.number() == gpu.number() ? Runs::native : Runs::no;
  }
  if (code.major != gpu.major || code.minor > gpu.minor) {
    return Runs::no;
  }
  if (code.number() == gpu.number()) {
    return Runs::native;
  }
  if (gpu.is_embedded() && !code.is_embedded() && code.suffix == CudaTarget::Suffix::none) {
    return Runs::unsure;
  }
  return same_family(code, gpu) ? Runs::native : Runs::no;
}

Runs ptx_runs_on(const CudaTarget& code, const CudaTarget& gpu) {
  bool runs = false;
  switch (code.suffix) {
    case CudaTarget::Suffix::none:
      runs = gpu.number() >= code.number();
      break;
    case CudaTarget::Suffix::arch:
      runs = gpu.number() == code.number();
      break;
    case CudaTarget::Suffix::family:
      runs = same_family(code, gpu) && gpu.number() >= code.number();
      break;
  }
  return runs ? Runs::jit : Runs::no;
}

}  // namespace

Runs code_runs_on(const CudaTarget& code, const CudaTarget& gpu) {
  return code.is_virtual ? ptx_runs_on(code, gpu) : cubin_runs_on(code, gpu);
}

Runs code_runs_on(const GfxTarget& code, const GfxTarget& gpu) {
  if (code.name != gpu.name) {
    return Runs::no;
  }
  // A feature that one side does not name means "either way".
  for (const std::string& demanded : code.features) {
    const std::string_view name = std::string_view(demanded).substr(0, demanded.size() - 1);
    const auto same_name = [&](const std::string& own) {
      return std::string_view(own).substr(0, own.size() - 1) == name;
    };
    const auto own = std::find_if(gpu.features.begin(), gpu.features.end(), same_name);
    if (own != gpu.features.end() && *own != demanded) {
      return Runs::no;
    }
  }
  return Runs::native;
}

Runs code_runs_on(const GpuTarget& code, const GpuTarget& gpu) {
  if (const auto* cuda = std::get_if<CudaTarget>(&code)) {
    const auto* on = std::get_if<CudaTarget>(&gpu);
    return on == nullptr ? Runs::no : code_runs_on(*cuda, *on);
  }
  if (const auto* gfx = std::get_if<GfxTarget>(&code)) {
    const auto* on = std::get_if<GfxTarget>(&gpu);
    return on == nullptr ? Runs::no : code_runs_on(*gfx, *on);
  }
  return Runs::no;
}

BestCode best_code_for(const std::vector<CudaTarget>& codes, const CudaTarget& gpu) {
  BestCode best;
  for (const CudaTarget& code : codes) {
    const Runs runs = code_runs_on(code, gpu);
    if (runs > best.runs || (runs == best.runs && runs != Runs::no && code > best.code)) {
      best = {runs, code};
    }
  }
  return best;
}

}  // namespace fitment
