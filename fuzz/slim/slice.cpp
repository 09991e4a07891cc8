// SPDX-License-Identifier: Apache-2.0
// Slices any file; what comes out is read again and must pass the proof.
#include "slim/slice.h"

#include "slim/targets.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  if (size == 0) {
    return 0;
  }
  // The first byte chooses among the ways to cut.
  const std::uint8_t choice = data[0];
  SliceOptions options;
  options.policy.targets = parse_keep_targets("sm_86,gfx942").value();
  options.policy.ptx = static_cast<KeepPtx>(choice & 3U);
  options.packs = (choice & 4U) != 0;
  options.is_aggressive = (choice & 8U) != 0;
  options.recompresses = (choice & 16U) != 0;
  options.zstd_level = 1;
  options.threads = 1;
  options.smallest_hole = 4096;
  const auto source = memory_source(std::string(data + 1, data + size), "input");
  const auto plan = plan_slice(*source, options);
  if (!plan || !plan->is_changed) {
    return 0;
  }
  const SplicedSource result(*source, plan->bytes, "result");
  if (plan->after_bytes >= plan->before_bytes || result.size() != plan->after_bytes) {
    __builtin_trap();
  }
  // A hostile file may be cut in a way that the proof refuses; reading it must end in any case.
  static_cast<void>(prove_slice(*source, result, *plan, options));
  return 0;
}
