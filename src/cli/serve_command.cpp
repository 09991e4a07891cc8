// SPDX-License-Identifier: Apache-2.0
// fitment serve: one index address that shows each machine what fits it.
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/serve_options.h"
#include "cli/streams.h"
#include "index/export.h"
#include "report/human.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): signal sets are POSIX

#include <filesystem>
#include <ostream>

namespace fitment {

namespace {

/// While it lives, SIGINT and SIGTERM wait to be taken; threads that start meanwhile never see
/// them.
class StopSignals {
 public:
  StopSignals() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGINT);
    ::sigaddset(&set_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  void wait() const {
    int signal = 0;
    ::sigwait(&set_, &signal);
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

Result<int> run_export(IndexJob job, const Invocation& invocation, Streams& streams) {
  const std::filesystem::path folder(invocation.get("export"));
  FITMENT_TRY_ASSIGN(const std::unique_ptr<IndexSite> site, make_index_site(job.input));
  std::vector<std::string> names;
  for (const std::string& name : invocation.list("project")) {
    names.push_back(normalize_name(name));
  }
  if (names.empty()) {
    names = site->source().names();
  }
  FITMENT_TRY_ASSIGN(const std::vector<ExportedView> views, export_site(*site, names, folder));
  for (const ExportedView& view : views) {
    streams.out << fmt::format("{}: {}, {} of {}\n",
                               (folder / view.prefix / "simple").string(),
                               human_count(view.projects, "project"),
                               human_count(view.files, "file"),
                               human_bytes(view.bytes));
    if (!view.absent.empty()) {
      streams.warn(fmt::format("no index has {}", join(view.absent, ", ")));
    }
  }
  return kExitDone;
}

/// A folder may come later, so the server starts without it.
void warn_of_absent_folders(const Routes& routes, const Streams& streams) {
  for (const IndexRoute& route : routes.indexes) {
    std::error_code ignored;
    if (route.layout == IndexRoute::Layout::folder && !route.has_backends()
        && !std::filesystem::is_directory(route.url, ignored)) {
      streams.warn(
          fmt::format("the index `{}` has no folder `{}` yet: its names are errors until "
                      "it is there",
                      route.name,
                      route.url));
    }
  }
}

Result<int> run_serve(const Invocation& invocation, Streams& streams) {
  const StopSignals signals;
  FITMENT_TRY_ASSIGN(IndexJob job, read_serve_job(invocation, streams));
  if (invocation.find("export")) {
    return run_export(std::move(job), invocation, streams);
  }
  warn_of_absent_folders(job.input.routes, streams);
  std::vector<std::string> names;
  for (const Machine& machine : job.input.machines) {
    names.push_back(machine.name);
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<IndexServer> server,
                     IndexServer::start(std::move(job.input)));
  streams.out << fmt::format("{}/simple/\n", server->url());
  for (std::size_t i = 0; names.size() > 1 && i < names.size(); ++i) {
    streams.out << fmt::format("{}/m/{}/simple/\n", server->url(), names[i]);
  }
  streams.out.flush();
  if (const auto ready = invocation.find("ready-file")) {
    FITMENT_TRY(write_file_atomic(*ready, server->url()));
  }
  signals.wait();
  streams.note("stopping");
  job.network->client.cancel();
  server->stop();
  return kExitDone;
}

}  // namespace

CommandSpec serve_command() {
  return {
      .name = "serve",
      .group = "Choose",
      .summary = "an index for pip and uv that shows each machine what fits it",
      .description =
          "Serves the Simple API over the indexes that fitment.toml names, or over PyPI and the "
          "indexes of PyTorch, NVIDIA, Paddle and AMD. Each package name comes from one index "
          "only. Of each version an unmodified installer sees the build that fits the machine: "
          "by driver, GPU, kernels, CPU and C library, and by wheel variants, which stand "
          "under plain names. Another build can still be had by its exact label.\n\n"
          "/simple/ is for the machine that this runs on, or the first --machine; "
          "/m/NAME/simple/ for each machine file that is given or posted to /m/; "
          "/b/cu128/simple/ for a pinned backend. A browser at the same addresses shows why "
          "each file was taken or left.",
      .options = serve_options(),
      .examples = {{"fitment serve", "for this machine, at http://127.0.0.1:3141/simple/"},
                   {"fitment serve --port 0 --ready-file address", "for a script"},
                   {"fitment serve -m h100.json -m l40s.json", "for machines of a cluster"},
                   {"fitment serve -m h100.json --export /srv/www --project torch",
                    "as files for a web server"}},
      .exit_codes = {{kExitDone, "stopped by SIGTERM or SIGINT"}},
      .see_also = {"plan", "variant"},
      .handler = run_serve};
}

}  // namespace fitment
