// SPDX-License-Identifier: Apache-2.0
// The index that `fitment serve` shows and that `fitment install` asks: where packages come from,
// and everything that its server needs but the machines.
#pragma once

#include "cli/command.h"
#include "cli/invocation.h"
#include "cli/network.h"
#include "cli/streams.h"
#include "index/server.h"
#include "record/wish_file.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace fitment {

/// --config and --enable.
void add_index_options(std::vector<OptionSpec>& options);

/// fitment.toml as far as an index needs it.
struct IndexConfig {
  Routes routes;
  std::optional<Wish> wish;
  std::filesystem::path folder;
};

/// --config, else ./fitment.toml, else the indexes that are built in. Errors: those of reading it.
Result<IndexConfig> read_index_config(const Invocation& invocation, const Catalog& catalog);

struct IndexJob {
  std::unique_ptr<Network> network;
  IndexServerInput input;  ///< its upstream uses the network
};

/// On a free port of the loopback address, and still without machines. `streams` must outlive it.
/// Errors: those of the options.
Result<IndexJob> make_index_job(const Invocation& invocation,
                                const Streams& streams,
                                std::shared_ptr<const Catalog> catalog,
                                Routes routes,
                                ChoosePolicy policy);

}  // namespace fitment
