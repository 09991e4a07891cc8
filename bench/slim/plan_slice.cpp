// SPDX-License-Identifier: Apache-2.0
// What planning a slice costs: reading headers, choosing entries, describing the new file. The
// bytes of the code are never read, so the cost grows with the number of entries alone.
#include "slim/slice.h"
#include "slim/targets.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

namespace fitment {
namespace {

template <typename T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Containers with machine code for five GPUs each.
std::string containers(int count) {
  constexpr std::uint64_t kPayload = 4096;
  std::string bytes;
  for (int i = 0; i < count; ++i) {
    put<std::uint64_t>(bytes, 0x0010'0001'BA55'ED50);
    put<std::uint64_t>(bytes, 5 * (64 + kPayload));
    for (const std::uint32_t arch : {75U, 80U, 86U, 90U, 100U}) {
      put<std::uint64_t>(bytes, 0x0000'0040'0101'0002);
      put<std::uint64_t>(bytes, kPayload);
      put<std::uint64_t>(bytes, 0);
      put<std::uint32_t>(bytes, 0x0001'0008);
      put<std::uint32_t>(bytes, arch);
      put<std::uint64_t>(bytes, 0);
      put<std::uint64_t>(bytes, 0x11);
      bytes.append(16 + kPayload, '\0');
    }
  }
  return bytes;
}

void plan_containers(benchmark::State& state) {
  const auto source = memory_source(containers(static_cast<int>(state.range(0))), "bench");
  SliceOptions options;
  options.policy.targets = parse_keep_targets("sm_86").value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(plan_slice(*source, options));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(plan_containers)->Arg(100)->Arg(2000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fitment
