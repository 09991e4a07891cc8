// SPDX-License-Identifier: Apache-2.0
// What a plan costs without the process around it: reading the catalogue, choosing over all torch
// releases.
#include "choose/choose.h"
#include "machine/machine_file.h"

#include <benchmark/benchmark.h>

namespace fitment {
namespace {

constexpr std::string_view kMachine = R"({"schema": "fitment.machine/1", "name": "h100",
  "system": {"os": "linux", "arch": "x86_64", "libc": {"family": "glibc", "version": "2.35"}},
  "cpu": {"level": "x86-64-v4"}, "gpus": [{"vendor": "nvidia", "target": "sm_90", "integrated": false}],
  "drivers": {"nvidia": {"version": "535.161.08", "cuda_api": "12.2"}},
  "python": {"implementation": "cpython", "version": "3.12.3"}})";

ChooseInput input_for(const Catalog& catalog, const Machine& machine) {
  ChooseInput input;
  input.catalog = &catalog;
  input.machines = {&machine};
  input.requests.push_back({parse_requirement("torch").value(), "torch"});
  return input;
}

void read_torch_and_cuda(benchmark::State& state) {
  for (auto _ : state) {
    const Catalog catalog;
    benchmark::DoNotOptimize(catalog.find_framework("torch"));
    benchmark::DoNotOptimize(catalog.cuda());
  }
}
BENCHMARK(read_torch_and_cuda)->Unit(benchmark::kMillisecond);

void choose_torch(benchmark::State& state) {
  const Catalog catalog;
  const Machine machine = parse_machine(kMachine, "bench").value();
  const ChooseInput input = input_for(catalog, machine);
  for (auto _ : state) {
    benchmark::DoNotOptimize(choose(input));
  }
}
BENCHMARK(choose_torch)->Unit(benchmark::kMillisecond);

void read_machine_file(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(parse_machine(kMachine, "bench"));
  }
}
BENCHMARK(read_machine_file)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fitment
