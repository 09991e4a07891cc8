// SPDX-License-Identifier: Apache-2.0
// What `fitment serve` is given: fitment.toml, machines, where to listen and who may ask.
#pragma once

#include "cli/command.h"
#include "cli/index_job.h"
#include "cli/invocation.h"
#include "cli/streams.h"

#include <vector>

namespace fitment {

std::vector<OptionSpec> serve_options();

/// Errors: those of reading the files; invalid_argument (an open address without --public and a
/// token or TLS).
Result<IndexJob> read_serve_job(const Invocation& invocation, const Streams& streams);

}  // namespace fitment
