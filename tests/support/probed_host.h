// SPDX-License-Identifier: Apache-2.0
// Probing the recorded hosts of tests/hosts.
#pragma once

#include "probe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace fitment {

inline const Catalog& shared_catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

inline std::unique_ptr<HostView> host_named(const std::string& name, Environment environment = {}) {
  auto host =
      recorded_host(std::string(FITMENT_TESTS_DIR) + "/hosts/" + name, std::move(environment));
  EXPECT_TRUE(host) << to_string(host.error());
  return std::move(*host);
}

inline Machine probe(const HostView& host, ProbeOptions options = {}) {
  options.host = &host;
  options.catalog = &shared_catalog();
  return probe_machine(options);
}

inline Machine probe(const std::string& name, ProbeOptions options = {}) {
  return probe(*host_named(name), std::move(options));
}

inline const MachineFinding* find_finding(const Machine& machine, const std::string& id) {
  const auto found = std::find_if(
      machine.findings.begin(), machine.findings.end(), [&id](const MachineFinding& finding) {
        return finding.id == id;
      });
  return found == machine.findings.end() ? nullptr : &*found;
}

/// The message of a finding; empty when it was not reported.
inline std::string message_of(const Machine& machine, const std::string& id) {
  const MachineFinding* finding = find_finding(machine, id);
  return finding == nullptr ? std::string() : finding->message;
}

/// A GPU's target as text; `unknown` when it is not known.
inline std::string target_of(const Gpu& gpu) {
  return gpu.target ? to_string(*gpu.target) : "unknown";
}

}  // namespace fitment
