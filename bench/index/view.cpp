// SPDX-License-Identifier: Apache-2.0
// What a page costs when it is made: a project of 10,000 files seen by one machine, and written.
#include "index/view.h"

#include "index/listing.h"
#include "index/simple_writer.h"
#include "machine/machine_file.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace fitment {
namespace {

constexpr std::string_view kMachine = R"({"schema": "fitment.machine/1", "name": "h100",
  "system": {"os": "linux", "arch": "x86_64", "libc": {"family": "glibc", "version": "2.35"}},
  "gpus": [{"vendor": "nvidia", "target": "sm_90", "integrated": false}],
  "drivers": {"nvidia": {"version": "570.1", "cuda_api": "12.8"}},
  "python": {"implementation": "cpython", "version": "3.12.3"}})";

const ViewContext& machine() {
  static const ViewContext kContext =
      ViewContext::create(
          parse_machine(kMachine, "bench").value(), {}, std::make_shared<const Catalog>())
          .value();
  return kContext;
}

/// 10,000 wheels: versions × labels × Pythons × platforms, as PyTorch's index has them.
std::shared_ptr<const Project> make_project(const std::string& name, bool has_labels) {
  auto project = std::make_shared<Project>();
  project->name = name;
  constexpr int kVersions = 50;
  const std::vector<std::string> labels{
      "cpu", "cu118", "cu124", "cu126", "cu128", "cu129", "cu130", "rocm6.3", "rocm6.4", "xpu"};
  for (int version = 0; version < kVersions; ++version) {
    for (const std::string& label : labels) {
      for (const char* python : {"cp39", "cp310", "cp311", "cp312", "cp313"}) {
        for (const char* platform : {"manylinux_2_28_x86_64",
                                     "manylinux_2_28_aarch64",
                                     "win_amd64",
                                     "macosx_14_0_arm64"}) {
          SimpleFile file;
          file.filename = fmt::format("{}-2.{}.0{}{}-{}-{}-{}.whl",
                                      name,
                                      version,
                                      has_labels ? "+" : ".post",
                                      has_labels ? label : std::to_string(&label - labels.data()),
                                      python,
                                      python,
                                      platform);
          file.url = "https://host/" + file.filename;
          file.hashes.emplace("sha256", std::string(64, 'a'));
          file.core_metadata = FileHashes();
          file.size = 1'000'000;
          project->files.push_back(classify_file(std::move(file), "", name));
        }
      }
    }
  }
  return project;
}

void see_builds(benchmark::State& state) {
  const auto project = make_project("torch", true);
  const std::vector<Placeholder> none;
  for (auto _ : state) {
    benchmark::DoNotOptimize(plan_view({project.get(), &machine(), &none, nullptr}));
  }
}
BENCHMARK(see_builds)->Unit(benchmark::kMillisecond);

void see_plain_wheels(benchmark::State& state) {
  const auto project = make_project("numpy", false);
  const std::vector<Placeholder> none;
  for (auto _ : state) {
    benchmark::DoNotOptimize(plan_view({project.get(), &machine(), &none, nullptr}));
  }
}
BENCHMARK(see_plain_wheels)->Unit(benchmark::kMillisecond);

void write_page(benchmark::State& state) {
  const auto project = make_project("torch", true);
  const std::vector<Placeholder> none;
  Listing listing;
  listing.project = project;
  listing.view = std::make_shared<const ProjectView>(
      plan_view({project.get(), &machine(), &none, nullptr}).value());
  for (const ShownFile& shown : listing.view->shown) {
    listing.files.push_back({&shown, &project->files[shown.file], project->files[shown.file].file});
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(write_project_json(listing, "h100"));
  }
}
BENCHMARK(write_page)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fitment
