// SPDX-License-Identifier: Apache-2.0
#include "probe/probe.h"

#include "probe/detectors.h"

namespace fitment {

namespace {

/// A table of the catalogue, or an empty one where the catalogue cannot be read: then GPUs and CPUs
/// stay without names.
template <typename Table>
const Table& table_or_empty(const Result<const Table*>& table, Observation& seen) {
  static const Table empty{};
  if (!table) {
    seen.find(
        "catalog-unreadable", table.error().message(), "correct the files given with --catalog");
    return empty;
  }
  return **table;
}

void detect_host(const ProbeOptions& options, Observation& seen) {
  const HostView& host = *options.host;
  detect_system(host, seen);
  detect_container(host, seen);
  detect_wsl(host, seen);
  detect_x86_cpu(host, seen);
  detect_arm_cpu(host, seen);
  detect_microarchitecture(table_or_empty(options.catalog->cpus(), seen), seen);
  detect_python(host, options.python, seen);
  detect_libc(host, seen);
}

}  // namespace

Machine probe_machine(const ProbeOptions& options) {
  Observation seen;
  detect_host(options, seen);
  return std::move(seen.machine);
}

}  // namespace fitment
