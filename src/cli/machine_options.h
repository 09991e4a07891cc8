// SPDX-License-Identifier: Apache-2.0
// Options that several commands share: which machine is meant, and which catalogue is in force.
#pragma once

#include "catalog/catalog.h"
#include "cli/command.h"
#include "cli/streams.h"
#include "machine/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// --machine, --set, --python.
const std::vector<OptionSpec>& machine_options();
/// --catalog.
const OptionSpec& catalog_option();

/// What those options said.
struct MachineRequest {
  std::vector<std::string>
      files;  ///< machine files; `-` is standard input; empty: the machine we run on
  std::vector<std::string> settings;  ///< KEY=VALUE
  std::optional<std::string> python;  ///< a version or the path of an interpreter
};
MachineRequest machine_request(const Invocation& invocation);

/// Reads or probes the machines and applies settings to each; the ecosystem's variables only to the
/// probed one.
Result<std::vector<Machine>> load_machines(const MachineRequest& request,
                                           const Catalog& catalog,
                                           const Streams& streams);

/// The same for a command that answers for one machine. Error: also invalid_argument, with `hint`,
/// for several files.
Result<Machine> load_one_machine(const MachineRequest& request,
                                 const Catalog& catalog,
                                 const Streams& streams,
                                 std::string hint);

/// Findings as warnings; those that no choice depends on only with -v.
void tell_findings(const Machine& machine, const Streams& streams);

/// The embedded catalogue, with --catalog laid over it.
Result<Catalog> load_catalog(const Invocation& invocation);

/// For completion: packages whose builds can be chosen.
std::vector<std::string> package_words();

}  // namespace fitment
