// SPDX-License-Identifier: Apache-2.0
// The one index that an installer is shown: of our own, in this process, or of a server elsewhere.
#pragma once

#include "cli/network.h"
#include "cli/plan_job.h"
#include "index/server.h"
#include "install/wheelhouse.h"
#include "record/record_installed.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

class InstallIndex {
 public:
  /// For the first machine of the job. With --index nothing is started. `streams` must outlive it.
  /// Errors: those of the options and of fitment.toml; io_error.
  static Result<InstallIndex> open(const Invocation& invocation,
                                   const Streams& streams,
                                   const PlanJob& job);

  /// `http://127.0.0.1:41327/simple/`
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] Network& network() const { return *network_; }

  /// Names of the files that it shows of a project, normalised; empty where there is none. Errors:
  /// those of asking it.
  [[nodiscard]] Result<std::vector<std::string>> files_of(const std::string& project) const;

  /// The bytes of a file that the installer would take, through the cache. Errors: those of
  /// fetching.
  [[nodiscard]] Result<StoredFile> fetch(const WheelhouseFile& file) const;

  /// Where an installed file came from: `url` is what the installer says. Errors: those of asking
  /// it.
  [[nodiscard]] Result<InstalledSource> source_of(const std::string& project,
                                                  const std::string& url,
                                                  const std::string& sha256) const;

 private:
  InstallIndex() = default;

  std::unique_ptr<Network> network_;
  std::unique_ptr<IndexServer> server_;  ///< null with --index
  std::string url_;
};

}  // namespace fitment
