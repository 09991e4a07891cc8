// SPDX-License-Identifier: Apache-2.0
#include "index/index_site.h"

#include "base/text.h"
#include "index/basic_auth.h"
#include "index/simple_writer.h"
#include "index/site_file.h"
#include "machine/machine_file.h"
#include "wheel/name.h"
#include "wheel/quote.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kMostPosted = 1'000;
constexpr std::size_t kMostBackends = 64;
constexpr std::size_t kLongestName = 100;

/// May stand in an address as it is, and never means a folder.
bool is_address_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && is_alnum(name.front())
         && std::all_of(name.begin(), name.end(), [](char c) {
              return is_alnum(c) || c == '-' || c == '_' || c == '.';
            });
}

ServedResponse not_found(std::string_view what) {
  return text_response(404, fmt::format("{} is not here", what));
}

ServedResponse moved(std::string where) {
  ServedResponse response = text_response(301, "moved to " + where);
  response.headers.emplace_back("Location", std::move(where));
  return response;
}

std::string_view format_in(std::string_view query) {
  for (const std::string_view pair : split(query, '&')) {
    if (pair.starts_with("format=")) {
      return pair.substr(7);
    }
  }
  return {};
}

/// One path segment off the front; nullopt: there is no `/` behind it.
std::optional<std::string> take_segment(std::string_view& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  std::string segment = percent_decode(path.substr(0, slash));
  path.remove_prefix(slash + 1);
  return segment;
}

}  // namespace

/// A path taken apart: whose site, and what is left.
struct IndexSite::Place {
  SitePointer site;
  std::string prefix;     ///< `` or `m/h100/`
  std::string_view rest;  ///< `simple/torch/`
};

IndexSite::IndexSite(std::shared_ptr<const Catalog> catalog,
                     std::shared_ptr<ProjectSource> source,
                     SiteOptions options)
    : catalog_(std::move(catalog)),
      source_(std::move(source)),
      metadata_(std::make_shared<MetadataSource>(source_->network_pointer())),
      options_(std::move(options)) {}

Result<IndexSite::SitePointer> IndexSite::make_site(Machine machine, ViewPolicy policy) {
  FITMENT_TRY_ASSIGN(ViewContext context,
                     ViewContext::create(std::move(machine), std::move(policy), catalog_));
  return std::make_shared<MachineSite>(std::move(context), source_, metadata_);
}

Result<std::unique_ptr<IndexSite>> IndexSite::create(std::vector<Machine> machines,
                                                     std::shared_ptr<const Catalog> catalog,
                                                     std::shared_ptr<ProjectSource> source,
                                                     SiteOptions options) {
  std::unique_ptr<IndexSite> site(
      new IndexSite(std::move(catalog), std::move(source), std::move(options)));
  if (machines.empty()) {
    return fail(ErrorCode::invalid_argument, "an index needs a machine to be for");
  }
  for (Machine& machine : machines) {
    const std::string name = machine.name;
    FITMENT_TRY_ASSIGN(SitePointer made,
                       site->make_site(std::move(machine), site->options_.policy));
    if (!site->default_) {
      site->default_ = made;
    }
    // The name of the only machine need not be one that addresses can hold: /simple/ is for it.
    if (!is_address_name(name) && machines.size() == 1) {
      continue;
    }
    if (!is_address_name(name)) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{} cannot be the name of a machine in an address", quote(name)))
          .hint("in the machine file, give it a `name` of letters, digits, `-`, `_` and `.`");
    }
    if (!site->given_.emplace(name, std::move(made)).second) {
      return fail(ErrorCode::invalid_argument, fmt::format("two machines are named `{}`", name))
          .hint("give each machine file a `name` of its own");
    }
  }
  return site;
}

IndexSite::SitePointer IndexSite::machine_site(const std::string& name) {
  if (const auto given = given_.find(name); given != given_.end()) {
    return given->second;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto posted = posted_.find(name);
  return posted == posted_.end() ? nullptr : posted->second;
}

IndexSite::SitePointer IndexSite::backend_site(const std::string& backend) {
  const auto parsed = parse_backend(backend);
  if (!parsed) {
    return nullptr;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = backends_.find(parsed->text); known != backends_.end()) {
    return known->second;
  }
  ViewPolicy policy = options_.policy;
  policy.choose.backend = parsed->text;
  auto made = make_site(default_->context().machine(), std::move(policy));
  if (!made || backends_.size() >= kMostBackends) {
    return nullptr;
  }
  return backends_.emplace(parsed->text, std::move(*made)).first->second;
}

std::shared_ptr<MachineSite> IndexSite::site_at(std::string_view prefix) {
  const auto place = find_place(std::string("/") + std::string(prefix));
  return place && place->rest.empty() ? place->site : nullptr;
}

std::vector<std::string> IndexSite::prefixes() const {
  std::vector<std::string> prefixes{""};
  for (const auto& [name, site] : given_) {
    prefixes.push_back(fmt::format("m/{}/", name));
  }
  return prefixes;
}

std::optional<IndexSite::Place> IndexSite::find_place(std::string_view path) {
  path.remove_prefix(1);  // `/`
  Place place{default_, {}, path};
  for (const std::string_view kind : {"m/", "b/"}) {
    if (!path.starts_with(kind)) {
      continue;
    }
    std::string_view rest = path.substr(kind.size());
    const auto name = take_segment(rest);
    if (!name) {
      return std::nullopt;
    }
    place.site = kind == "m/" ? machine_site(*name) : backend_site(*name);
    place.prefix = fmt::format("{}{}/", kind, *name);
    place.rest = rest;
  }
  return place.site ? std::optional(std::move(place)) : std::nullopt;
}

bool IndexSite::is_allowed(const ServedRequest& request) const {
  return options_.token.empty() || carries_token(request.authorization, options_.token);
}

ServedResponse IndexSite::page(const ProjectPage& page,
                               const Place& place,
                               const ServedRequest& request) const {
  const auto format = choose_format(request.accept, format_in(request.query));
  if (!format) {
    return text_response(406,
                         "pages are application/vnd.pypi.simple.v1+json, "
                         "application/vnd.pypi.simple.v1+html and text/html");
  }
  return page.body(*format, place.site->context(), options_.human.get())->respond(request);
}

std::optional<ServedResponse> IndexSite::answer_now(const ServedRequest& request) {
  constexpr std::string_view kSimple = "simple/";
  if (request.method != "GET" || !is_allowed(request)) {
    return answer(request);
  }
  const auto place = find_place(request.path);
  if (!place) {
    return not_found(request.path);
  }
  std::string_view rest = place->rest;
  if (!rest.starts_with(kSimple) || rest.size() == kSimple.size()) {
    return std::nullopt;
  }
  rest.remove_prefix(kSimple.size());
  const auto name = take_segment(rest);
  if (!name || !rest.empty() || normalize_name(*name) != *name) {
    return answer(request);
  }
  const auto found = place->site->peek(*name);
  if (!found) {
    return std::nullopt;
  }
  return *found ? page(**found, *place, request) : not_found(*name);
}

ServedResponse IndexSite::answer(const ServedRequest& request) {
  if (!is_allowed(request)) {
    ServedResponse response = text_response(401, "this index wants a token");
    response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"fitment\"");
    return response;
  }
  if (request.path == "/m/" && request.method == "POST") {
    return post_machine(request);
  }
  if (request.method != "GET") {
    ServedResponse response = text_response(405, "only GET, HEAD, and POST of machine files");
    response.headers.emplace_back("Allow", request.path == "/m/" ? "POST" : "GET, HEAD");
    return response;
  }
  const auto place = find_place(request.path);
  if (!place) {
    return not_found(request.path);
  }
  if (place->rest.empty()) {
    return home(*place, request);
  }
  if (place->rest == "simple") {
    return moved("simple/");
  }
  if (place->rest == "simple/") {
    return names(request);
  }
  if (place->rest.starts_with("simple/")) {
    return project(*place, request);
  }
  return place->rest.starts_with("files/") ? file(*place) : not_found(request.path);
}

ServedResponse IndexSite::home(const Place& place, const ServedRequest& request) {
  if (!options_.human) {
    return moved("simple/");
  }
  HumanPages::Home home;
  home.machine = &place.site->context();
  home.routes = &source_->routes();
  home.names = source_->names();
  home.address = fmt::format("{}://{}/", options_.is_secure ? "https" : "http", request.host);
  home.where = place.prefix;
  for (const auto& [name, site] : given_) {
    home.machines.push_back(name);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, site] : posted_) {
      home.machines.push_back(name);
    }
  }
  return PageBody(options_.human->home_page(home), PageFormat::human).respond(request);
}

ServedResponse IndexSite::names(const ServedRequest& request) {
  const auto format = choose_format(request.accept, format_in(request.query));
  if (!format) {
    return text_response(406, "pages are in JSON and HTML");
  }
  const std::vector<std::string> all = source_->names();
  return PageBody(*format == PageFormat::json ? write_names_json(all) : write_names_html(all),
                  *format)
      .respond(request);
}

ServedResponse IndexSite::project(const Place& place, const ServedRequest& request) {
  std::string_view rest = place.rest.substr(std::string_view("simple/").size());
  const bool has_slash = rest.find('/') != std::string_view::npos;
  const std::string name =
      has_slash ? *take_segment(rest) : percent_decode(std::exchange(rest, std::string_view()));
  if (!is_valid_name(name) || !rest.empty()) {
    return not_found(request.path);
  }
  const std::string normal = normalize_name(name);
  if (!has_slash || normal != name) {
    return moved((has_slash ? "../" : "") + normal + "/");
  }
  const auto found = place.site->load(normal);
  if (!found) {
    return upstream_fault(found.error());
  }
  if (*found) {
    tell_out_of_reach((*found)->listing());
  }
  return *found ? page(**found, place, request) : not_found(normal);
}

/// An installer only says that there is no such package.
void IndexSite::tell_out_of_reach(const Listing& listing) const {
  const Project& project = *listing.project;
  if (options_.tell && listing.files.empty() && project.out_of_reach > 0) {
    options_.tell(fmt::format(
        "offline: the cache holds none of the {} files of {}", project.out_of_reach, project.name));
  }
}

ServedResponse IndexSite::file(const Place& place) {
  std::string_view rest = place.rest.substr(std::string_view("files/").size());
  const auto wanted = parse_file_path(rest);
  if (!wanted) {
    return not_found(rest);
  }
  const auto page = place.site->load(wanted->project);
  if (!page) {
    return upstream_fault(page.error());
  }
  if (!*page || (*page)->listing().project->index != wanted->index) {
    return not_found(wanted->project);
  }
  auto response =
      serve_file(*wanted, *(*page)->listing().project, place.site->context(), *source_, *metadata_);
  return response ? std::move(*response) : upstream_fault(response.error());
}

ServedResponse IndexSite::post_machine(const ServedRequest& request) {
  // Browsers ask before they send JSON to another site, so no page of a stranger can post here.
  if (!request.content_type.starts_with("application/json")) {
    return text_response(415, "a machine file is application/json");
  }
  auto machine = parse_machine(request.body, "the machine file");
  if (!machine) {
    return text_response(400, to_string(machine.error()));
  }
  const std::string name = machine->name;
  if (!is_address_name(name)) {
    return text_response(400, "the machine needs a `name` of letters, digits, `-`, `_` and `.`");
  }
  if (given_.count(name) == 1) {
    return text_response(409, fmt::format("the machine `{}` was given at the start", name));
  }
  auto site = make_site(std::move(*machine), options_.policy);
  if (!site) {
    return text_response(400, to_string(site.error()));
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (posted_.size() >= kMostPosted && posted_.count(name) == 0) {
    return text_response(507, "too many machines were posted");
  }
  posted_[name] = std::move(*site);
  ServedResponse response;
  response.status = 201;
  response.content_type = "application/json";
  response.headers.emplace_back("Location", name + "/simple/");
  response.body = std::make_shared<const std::string>(
      fmt::format("{{\"schema\":\"fitment.posted-machine/1\",\"name\":\"{0}\","
                  "\"index\":\"m/{0}/simple/\"}}\n",
                  name));
  return response;
}

ServedResponse IndexSite::upstream_fault(const Error& error) const {
  if (options_.tell) {
    options_.tell(to_string(error));
  }
  // Offline nothing gets better by asking again, which clients do after 502.
  const bool is_final = source_->network_pointer()->is_offline();
  return text_response(is_final ? 404 : 502, to_string(error));
}

}  // namespace fitment
