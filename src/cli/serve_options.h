// SPDX-License-Identifier: Apache-2.0
// What `fitment serve` is given: fitment.toml, machines, where to listen and who may ask.
#pragma once

#include "cli/command.h"
#include "cli/invocation.h"
#include "cli/network.h"
#include "cli/streams.h"
#include "index/server.h"

#include <memory>
#include <vector>

namespace fitment {

std::vector<OptionSpec> serve_options();

struct ServeJob {
  std::unique_ptr<Network> network;
  IndexServerInput input;  ///< its upstream uses the network
};

/// Errors: those of reading the files; invalid_argument (an open address without --public and a
/// token or TLS).
Result<ServeJob> read_serve_job(const Invocation& invocation, const Streams& streams);

}  // namespace fitment
