// SPDX-License-Identifier: Apache-2.0
// Wall time of whole processes: what a user waits for, from fork to exit.
#include "base/process.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace fitment {
namespace {

void run_whole_process(benchmark::State& state, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{FITMENT_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  for ([[maybe_unused]] const auto& iteration : state) {
    const auto outcome = run_process(command);
    if (!outcome || !outcome->ok()) {
      state.SkipWithError("the program failed");
      return;
    }
  }
}

BENCHMARK_CAPTURE(run_whole_process, version, std::vector<std::string>{"--version"})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_whole_process, explain, std::vector<std::string>{"explain", "--json"})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fitment
