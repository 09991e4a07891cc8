// SPDX-License-Identifier: Apache-2.0
#include "report/catalog_json.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json targets_json(const std::optional<std::vector<T>>& targets) {
  if (!targets) {
    return nullptr;
  }
  Json list = Json::array();
  for (const T& target : *targets) {
    list.push_back(to_string(target));
  }
  return list;
}

template <typename T>
Json text_of(const std::optional<T>& value) {
  return value ? Json(to_string(*value)) : Json(nullptr);
}

Json build_json(const Build& build) {
  Json json{{"backend", build.backend.text},
            {"arch", build.arch},
            {"toolkit", text_of(build.toolkit)},
            {"cudnn", text_of(build.cudnn)}};
  json["gpu_code"] = build.gfx_code ? targets_json(build.gfx_code) : targets_json(build.cuda_code);
  json["stated_minimum"] = text_of(build.stated_minimum);
  json["platforms"] = build.platforms;
  json["cpu_features"] = build.cpu_features;
  json["index"] = build.index.empty() ? Json(nullptr) : Json(build.index);
  json["extras"] = build.extras;
  json["size"] = build.size_bytes ? Json(*build.size_bytes) : Json(nullptr);
  json["source"] = build.source;
  return json;
}

Json release_json(const Release& release) {
  Json json{{"version", release.version},
            {"python", release.python},
            {"companions", release.companions},
            {"source", release.source}};
  json["builds"] = Json::array();
  for (const Build& build : release.builds) {
    json["builds"].push_back(build_json(build));
  }
  return json;
}

std::string print(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string catalog_json(const std::vector<const Framework*>& frameworks,
                         const std::string& version,
                         const std::string& digest) {
  Json document{{"schema", "fitment.catalog/1"},
                {"digest", "sha256:" + digest},
                {"frameworks", Json::array()}};
  for (const Framework* framework : frameworks) {
    Json json{{"name", framework->name},
              {"selector", to_string(framework->selector)},
              {"companions", framework->companions}};
    json["releases"] = Json::array();
    for (const Release& release : framework->releases) {
      if (version.empty() || release.version == version) {
        json["releases"].push_back(release_json(release));
      }
    }
    document["frameworks"].push_back(std::move(json));
  }
  return print(document);
}

std::string problems_json(const std::vector<CatalogProblem>& problems) {
  Json document{{"schema", "fitment.catalog-check/1"}, {"problems", Json::array()}};
  for (const CatalogProblem& problem : problems) {
    document["problems"].push_back(
        {{"file", problem.file}, {"where", problem.where}, {"message", problem.message}});
  }
  return print(document);
}

std::string changes_json(const std::vector<CatalogChange>& changes,
                         const std::vector<std::string>& ignored) {
  Json document{
      {"schema", "fitment.catalog-diff/1"}, {"changes", Json::array()}, {"ignored", ignored}};
  for (const CatalogChange& change : changes) {
    document["changes"].push_back({{"kind", to_string(change.kind)},
                                   {"where", change.where},
                                   {"field", change.field},
                                   {"before", change.before},
                                   {"after", change.after}});
  }
  return print(document);
}

}  // namespace fitment
