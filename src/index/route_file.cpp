// SPDX-License-Identifier: Apache-2.0
#include "index/route_file.h"

#include "base/text.h"
#include "catalog/backend.h"
#include "catalog/source_ids.h"
#include "catalog/table_reader.h"
#include "wheel/quote.h"
#include "wheel/version.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kFileScheme = "file://";

class RouteReader {
 public:
  RouteReader(std::string source, std::filesystem::path folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  [[nodiscard]] Result<IndexRoute> read_index(const TomlValue& table) const {
    TableReader reader(table, source_, "an index");
    IndexRoute route;
    std::vector<std::string> names;
    std::string layout;
    std::string source;
    reader.require("name");
    reader.require("url");
    reader.require("names");
    reader.read("name", route.name);
    reader.read("url", route.url);
    reader.read("layout", layout);
    reader.read("source", source);
    reader.read("private", route.is_private);
    reader.read_texts("backends", route.backends);
    reader.read_texts("names", names);
    FITMENT_TRY(reader.finish());
    FITMENT_TRY(check_name(table, route.name));
    FITMENT_TRY(take_names(table, names, route.names));
    FITMENT_TRY(check_backends(table, route));
    FITMENT_TRY(take_place(table, layout, route));
    return route;
  }

  [[nodiscard]] Result<Placeholder> read_placeholder(const TomlValue& table) const {
    TableReader reader(table, source_, "a placeholder");
    Placeholder placeholder;
    std::vector<std::string> names;
    std::vector<std::string> versions;
    std::string source;
    reader.require("names");
    reader.require("why");
    reader.read_texts("names", names);
    reader.read_texts("versions", versions);
    reader.read("sdist_alone", placeholder.sdist_alone);
    reader.read("why", placeholder.why);
    reader.read("source", source);
    FITMENT_TRY(reader.finish());
    FITMENT_TRY(take_names(table, names, placeholder.names));
    for (const std::string& text : versions) {
      auto version = Version::parse(text);
      if (!version) {
        return std::move(version).error().at(at(*table.find("versions")));
      }
      placeholder.versions.push_back(to_string(*version));
    }
    return placeholder;
  }

  [[nodiscard]] Origin at(const TomlValue& value) const {
    return {source_, value.line, value.column, {}};
  }

 private:
  /// Names of indexes stand in addresses.
  [[nodiscard]] Status check_name(const TomlValue& table, const std::string& name) const {
    const bool is_allowed = std::all_of(
        name.begin(), name.end(), [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
    if (is_allowed) {
      return {};
    }
    return fail(ErrorCode::parse_error, fmt::format("{} is not a name for an index", quote(name)))
        .at(at(*table.find("name")))
        .hint("letters, digits, `-` and `_` are allowed");
  }

  Status take_names(const TomlValue& table,
                    const std::vector<std::string>& texts,
                    std::vector<NamePattern>& patterns) const {
    const TomlValue& list = *table.find("names");
    if (texts.empty()) {
      return fail(ErrorCode::parse_error, "`names` is empty, so nothing would come from here")
          .at(at(list))
          .hint("`names = [\"*\"]` takes every name that no earlier index has");
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      auto pattern = NamePattern::parse(texts[i]);
      if (!pattern) {
        return std::move(pattern).error().at(at(list.items[i]));
      }
      patterns.push_back(std::move(*pattern));
    }
    return {};
  }

  [[nodiscard]] Status check_backends(const TomlValue& table, const IndexRoute& route) const {
    const TomlValue* list = table.find("backends");
    if (list == nullptr) {
      return {};
    }
    if (!route.has_backends()) {
      return fail(ErrorCode::parse_error, "`backends` without `{backend}` in `url`")
          .at(at(*list))
          .hint("`url = \"https://host/whl/{backend}\"` has one address for each backend");
    }
    for (std::size_t i = 0; i < route.backends.size(); ++i) {
      auto backend = parse_backend(route.backends[i]);
      if (!backend) {
        return std::move(backend).error().at(at(list->items[i]));
      }
    }
    return {};
  }

  Status take_place(const TomlValue& table, const std::string& layout, IndexRoute& route) const {
    const TomlValue& url = *table.find("url");
    if (!layout.empty() && layout != "flat" && layout != "simple") {
      return fail(ErrorCode::parse_error, fmt::format("{} is not a layout", quote(layout)))
          .at(at(*table.find("layout")))
          .hint("layouts are `simple`, a page for each project, and `flat`, one page for all");
    }
    const bool is_http = route.url.starts_with("http://") || route.url.starts_with("https://");
    if (is_http) {
      route.layout = layout == "flat" ? IndexRoute::Layout::flat : IndexRoute::Layout::simple;
      return {};
    }
    if (route.url.find("://") != std::string::npos && !route.url.starts_with(kFileScheme)) {
      return fail(ErrorCode::parse_error,
                  fmt::format("{} is not an address of an index", quote(route.url)))
          .at(at(url))
          .hint("addresses start with https://, http:// or file://; a folder is given by its path");
    }
    route.layout = IndexRoute::Layout::folder;
    if (route.url.starts_with(kFileScheme)) {
      route.url.erase(0, kFileScheme.size());
    }
    route.url = (folder_ / route.url).lexically_normal().string();
    return {};
  }

  std::string source_;
  std::filesystem::path folder_;
};

Result<Routes> read_routes(const TomlValue& document, const RouteReader& reader) {
  Routes routes;
  const auto tables = [&](std::string_view key) -> Result<std::vector<const TomlValue*>> {
    const TomlValue* array = document.find(key);
    std::vector<const TomlValue*> found;
    if (array == nullptr) {
      return found;
    }
    if (array->kind != TomlValue::Kind::array) {
      return fail(ErrorCode::parse_error,
                  fmt::format("`{}` must be a list of tables, not {}", key, to_string(array->kind)))
          .at(reader.at(*array))
          .hint(fmt::format("write `[[{}]]`", key));
    }
    for (const TomlValue& item : array->items) {
      found.push_back(&item);
    }
    return found;
  };
  FITMENT_TRY_ASSIGN(const auto indexes, tables("index"));
  for (const TomlValue* table : indexes) {
    FITMENT_TRY_ASSIGN(IndexRoute route, reader.read_index(*table));
    const bool is_known =
        std::any_of(routes.indexes.begin(), routes.indexes.end(), [&](const IndexRoute& other) {
          return other.name == route.name;
        });
    if (is_known) {
      return fail(ErrorCode::parse_error, fmt::format("two indexes are named `{}`", route.name))
          .at(reader.at(*table));
    }
    routes.indexes.push_back(std::move(route));
  }
  FITMENT_TRY_ASSIGN(const auto placeholders, tables("placeholder"));
  for (const TomlValue* table : placeholders) {
    FITMENT_TRY_ASSIGN(Placeholder placeholder, reader.read_placeholder(*table));
    routes.placeholders.push_back(std::move(placeholder));
  }
  return routes;
}

}  // namespace

Result<Routes> built_in_routes(const Catalog& catalog) {
  const Catalog::File& file = catalog.indexes();
  const std::string source = file.source == "embedded" ? "catalog/" + file.name : file.source;
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(file.bytes, source));
  return read_routes(document, RouteReader(source, {}));
}

Result<Routes> parse_routes(std::string_view toml,
                            const std::filesystem::path& source,
                            const Catalog& catalog) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source.string()));
  FITMENT_TRY_ASSIGN(Routes routes, built_in_routes(catalog));
  if (document.find("index") != nullptr) {
    FITMENT_TRY_ASSIGN(Routes own,
                       read_routes(document, RouteReader(source.string(), source.parent_path())));
    routes.indexes = std::move(own.indexes);
  }
  return routes;
}

}  // namespace fitment
