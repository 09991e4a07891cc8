// SPDX-License-Identifier: Apache-2.0
// The environment that is installed into, and the interpreter in it.
#pragma once

#include "catalog/catalog.h"
#include "cli/invocation.h"
#include "cli/streams.h"
#include "machine/machine.h"

#include <string>

namespace fitment {

struct TargetEnvironment {
  std::string interpreter;
  std::string prefix;
  Python python;
};

/// What --python names, else the active environment, else the Python on PATH. Error: not_found.
Result<TargetEnvironment> find_target_environment(const Invocation& invocation,
                                                  const Catalog& catalog,
                                                  const Streams& streams);

}  // namespace fitment
