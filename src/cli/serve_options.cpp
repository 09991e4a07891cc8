// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_options.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/machine_options.h"
#include "cli/policy_options.h"
#include "report/index_pages.h"

#include <fmt/format.h>

#include <limits>

namespace fitment {

namespace {

constexpr std::size_t kShortestToken = 16;

Result<std::vector<Machine>> read_machines(const Invocation& invocation,
                                           const IndexConfig& config,
                                           const Catalog& catalog,
                                           const Streams& streams) {
  MachineRequest request = machine_request(invocation);
  if (config.wish) {
    if (request.files.empty()) {
      for (const Wish::Line& line : config.wish->machines) {
        request.files.push_back((config.folder / line.text).string());
      }
    }
    request.python = request.python ? request.python : config.wish->python;
  }
  return load_machines(request, catalog, streams);
}

template <typename Number>
Result<Number> read_number(const Invocation& invocation, std::string_view option) {
  const std::string text = invocation.get(option);
  const auto number = parse_unsigned(text);
  if (!number || *number > std::numeric_limits<Number>::max()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`--{}` takes a number up to {}, not `{}`",
                            option,
                            std::numeric_limits<Number>::max(),
                            text));
  }
  return static_cast<Number>(*number);
}

Result<std::string> read_token(const Invocation& invocation) {
  const auto file = invocation.find("token-file");
  if (!file) {
    return std::string();
  }
  FITMENT_TRY_ASSIGN(const std::string text, read_file(*file));
  const std::string token(trim(text));
  if (token.size() < kShortestToken || token.find_first_of(" :\n") != std::string::npos) {
    return fail(ErrorCode::invalid_argument, "the token is too short or has blanks or colons")
        .at({*file, {}, {}, {}})
        .hint("`openssl rand -hex 24 > token` makes a good one");
  }
  return token;
}

/// Everybody who can reach the address can ask it, so an open one needs to be meant and guarded.
Status check_exposure(const Invocation& invocation, const IndexServerInput& input) {
  const std::string& host = input.http.host;
  const bool is_loopback = host == "localhost" || host == "::1" || host.starts_with("127.");
  if (is_loopback) {
    return {};
  }
  if (!invocation.flag("public")) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` can be reached by other machines", host))
        .hint(
            "if that is meant, add `--public` with `--token-file`, or with `--tls-certificate` "
            "and `--tls-key`");
  }
  if (input.site.token.empty() && input.http.certificate.empty()) {
    return fail(ErrorCode::invalid_argument, "`--public` wants a token or TLS")
        .hint("add `--token-file FILE`, or `--tls-certificate FILE --tls-key FILE`");
  }
  return {};
}

Status read_listening(const Invocation& invocation, IndexServerInput& input) {
  input.http.host = invocation.get("host");
  FITMENT_TRY_ASSIGN(input.http.port, read_number<std::uint16_t>(invocation, "port"));
  FITMENT_TRY_ASSIGN(const auto refresh, read_number<std::uint32_t>(invocation, "refresh"));
  input.source.refresh = std::chrono::seconds(refresh);
  FITMENT_TRY_ASSIGN(input.site.token, read_token(invocation));
  input.http.certificate = invocation.get("tls-certificate");
  input.http.key = invocation.get("tls-key");
  if (input.http.certificate.empty() != input.http.key.empty()) {
    return fail(ErrorCode::invalid_argument, "TLS needs a certificate and its key")
        .hint("give both `--tls-certificate` and `--tls-key`");
  }
  return check_exposure(invocation, input);
}

Status check_export(const Invocation& invocation) {
  if (!invocation.list("project").empty() && !invocation.find("export")) {
    return fail(ErrorCode::invalid_argument, "`--project` does nothing without `--export`")
        .hint("a server answers for every project that an index has");
  }
  return {};
}

}  // namespace

std::vector<OptionSpec> serve_options() {
  std::vector<OptionSpec> options{
      {.name = "host",
       .help = "address to listen on",
       .value = "HOST",
       .default_value = "127.0.0.1",
       .group = "Server"},
      {.name = "port",
       .help = "port to listen on; 0 takes one that is free",
       .value = "N",
       .default_value = "3141",
       .group = "Server"},
      {.name = "ready-file",
       .help = "write the address there once connections are accepted",
       .value = "PATH",
       .completes = Completes::file,
       .group = "Server"},
      {.name = "refresh",
       .help = "seconds for which a page of an index is not asked for again",
       .value = "SECONDS",
       .default_value = "60",
       .group = "Server"},
      {.name = "export",
       .help = "write the pages as files for any web server, and end",
       .value = "DIR",
       .completes = Completes::folder,
       .group = "Export"},
      {.name = "project",
       .help = "a project to export (default: those that the routes write out and folders hold)",
       .value = "NAME",
       .repeatable = true,
       .group = "Export"},
      {.name = "no-pins",
       .help = "hide other builds even from requests for their exact label",
       .group = "Server"},
      {.name = "public",
       .help = "allow an address that other machines can reach",
       .group = "Safety"},
      {.name = "token-file",
       .help = "a file with a token that clients must give, as in http://TOKEN@host/simple/",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Safety"},
      {.name = "tls-certificate",
       .help = "certificate chain in PEM: serve https",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Safety"},
      {.name = "tls-key",
       .help = "key of the certificate in PEM",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Safety"}};
  add_index_options(options);
  add_policy_options(options);
  options.insert(options.end(), machine_options().begin(), machine_options().end());
  options.push_back(catalog_option());
  return options;
}

Result<IndexJob> read_serve_job(const Invocation& invocation, const Streams& streams) {
  FITMENT_TRY(check_export(invocation));
  FITMENT_TRY_ASSIGN(Catalog loaded, load_catalog(invocation));
  const auto catalog = std::make_shared<const Catalog>(std::move(loaded));
  FITMENT_TRY_ASSIGN(IndexConfig config, read_index_config(invocation, *catalog));
  FITMENT_TRY_ASSIGN(ChoosePolicy policy, read_policy(invocation, config.wish));
  FITMENT_TRY_ASSIGN(std::vector<Machine> machines,
                     read_machines(invocation, config, *catalog, streams));
  FITMENT_TRY_ASSIGN(
      IndexJob job,
      make_index_job(invocation, streams, catalog, std::move(config.routes), std::move(policy)));
  job.input.machines = std::move(machines);
  job.input.site.policy.pass_pins = !invocation.flag("no-pins");
  job.input.site.human = make_index_pages();
  FITMENT_TRY(read_listening(invocation, job.input));
  return job;
}

}  // namespace fitment
