// SPDX-License-Identifier: Apache-2.0
// A diagnosis of any environment: it ends, and every finding says what and what to do.
#include "doctor/diagnose.h"

#include "machine/machine_file.h"
#include "support/file_tree.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kMachine = R"({"schema": "fitment.machine/1", "name": "h100",
  "system": {"os": "linux", "arch": "x86_64", "libc": {"family": "glibc", "version": "2.28"}},
  "cpu": {"level": "x86-64-v2"},
  "gpus": [{"vendor": "nvidia", "target": "sm_90", "integrated": false}],
  "drivers": {"nvidia": {"version": "535.161.08", "cuda_api": "12.2"}},
  "python": {"implementation": "cpython", "version": "3.12.3"}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog kCatalog;
  static const Machine kTarget = parse_machine(kMachine, "fuzz").value();
  MemoryView view;
  for (TreeEntry& entry : read_tree({reinterpret_cast<const char*>(data), size})) {
    if (entry.is_link) {
      view.add_link(entry.path, std::move(entry.bytes));
    } else {
      view.add_file(entry.path, std::move(entry.bytes));
    }
  }
  DiagnosisInput input;
  input.view = &view;
  input.machine = &kTarget;
  input.catalog = &kCatalog;
  input.variables = {{"LD_LIBRARY_PATH", "/v/lib"}};
  input.is_whole_root = size % 2 == 0;
  input.verifies_digests = size % 3 == 0;
  auto environment = read_python_environment(view, "/v", input.variables);
  if (!environment) {
    return 0;
  }
  const auto diagnosis = diagnose(input, std::move(*environment));
  if (!diagnosis) {
    std::abort();  // the catalogue is ours
  }
  for (const Finding& finding : diagnosis->findings) {
    if (finding.rule.empty() || finding.cause.empty()) {
      std::abort();
    }
  }
  return 0;
}
