// SPDX-License-Identifier: Apache-2.0
// The JSON form of a bake document: the only file that knows the library for it.
#include "base/json_position.h"
#include "image/bake_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 16;

Error wrong(const std::string& source, const std::string& what) {
  return fail(ErrorCode::parse_error, what)
      .at({source, {}, {}, {}})
      .hint("`fitment image bake --output DIR` writes such a file");
}

Result<std::map<std::string, std::string>> read_texts(const Json& owner,
                                                      const char* key,
                                                      const std::string& source,
                                                      const std::string& target) {
  std::map<std::string, std::string> texts;
  const auto found = owner.find(key);
  if (found == owner.end()) {
    return texts;
  }
  if (!found->is_object()) {
    return wrong(source, fmt::format("`target.{}.{}` must be an object", target, key));
  }
  for (const auto& [name, value] : found->items()) {
    if (!value.is_string()) {
      return wrong(source, fmt::format("`target.{}.{}.{}` must be a string", target, key, name));
    }
    texts[name] = value.get<std::string>();
  }
  return texts;
}

Result<std::vector<std::string>> read_list(const Json& owner,
                                           const char* key,
                                           const std::string& source,
                                           const std::string& where) {
  std::vector<std::string> items;
  const auto found = owner.find(key);
  if (found == owner.end()) {
    return items;
  }
  if (!found->is_array()) {
    return wrong(source, fmt::format("`{}.{}` must be a list", where, key));
  }
  for (const Json& item : *found) {
    if (!item.is_string()) {
      return wrong(source, fmt::format("`{}.{}` must hold strings", where, key));
    }
    items.push_back(item.get<std::string>());
  }
  return items;
}

Result<BakeTarget> read_target(const std::string& name,
                               const Json& value,
                               const std::string& source) {
  if (!value.is_object()) {
    return wrong(source, fmt::format("`target.{}` must be an object", name));
  }
  BakeTarget target;
  target.name = name;
  const auto file = value.find("dockerfile");
  if (file == value.end() || !file->is_string()) {
    return wrong(source, fmt::format("`target.{}` has no `dockerfile`", name));
  }
  target.containerfile = file->get<std::string>();
  if (target.containerfile.empty() || target.containerfile.find('/') != std::string::npos) {
    return wrong(source,
                 fmt::format("`target.{}.dockerfile` must be a file beside the document", name));
  }
  FITMENT_TRY_ASSIGN(target.args, read_texts(value, "args", source, name));
  FITMENT_TRY_ASSIGN(target.contexts, read_texts(value, "contexts", source, name));
  FITMENT_TRY_ASSIGN(target.tags, read_list(value, "tags", source, "target." + name));
  FITMENT_TRY_ASSIGN(const auto platforms, read_list(value, "platforms", source, "target." + name));
  if (platforms.size() > 1) {
    return wrong(source,
                 fmt::format("`target.{}` is for several platforms, and each is a target "
                             "of its own here",
                             name));
  }
  target.platform = platforms.empty() ? "" : platforms.front();
  if (target.tags.empty()) {
    return wrong(source, fmt::format("`target.{}` has no tag", name));
  }
  return target;
}

/// Parents before children, in the order in which the document names them.
Status sort_targets(BakeFile& file, const std::string& source) {
  std::vector<BakeTarget> sorted;
  std::set<std::string> placed;
  while (sorted.size() < file.targets.size()) {
    const std::size_t before = sorted.size();
    for (const BakeTarget& target : file.targets) {
      const std::string parent = target.parent();
      if (!parent.empty() && file.find(parent) == nullptr) {
        return wrong(source,
                     fmt::format("`target.{}` stands on `{}`, which is no target of the document",
                                 target.name,
                                 parent));
      }
      if (!placed.contains(target.name) && (parent.empty() || placed.contains(parent))) {
        placed.insert(target.name);
        sorted.push_back(target);
      }
    }
    if (sorted.size() == before) {
      return wrong(source, "targets stand on one another in a circle");
    }
  }
  file.targets = std::move(sorted);
  return {};
}

}  // namespace

std::string bake_json(const BakeFile& file) {
  Json document{{"group", {{"default", {{"targets", file.default_group}}}}},
                {"target", Json::object()}};
  for (const BakeTarget& target : file.targets) {
    Json value{{"context", "."}, {"dockerfile", target.containerfile}};
    if (!target.args.empty()) {
      value["args"] = target.args;
    }
    if (!target.contexts.empty()) {
      value["contexts"] = target.contexts;
    }
    if (!target.platform.empty()) {
      value["platforms"] = {target.platform};
    }
    value["tags"] = target.tags;
    document["target"][target.name] = std::move(value);
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<BakeFile> parse_bake_json(std::string_view json, const std::string& source) {
  if (find_too_deep_json(json, kDeepest)) {
    return wrong(source, "the file is nested too deeply");
  }
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded() || !document.is_object()) {
    return wrong(source, "the file is not a JSON object");
  }
  const auto targets = document.find("target");
  if (targets == document.end() || !targets->is_object() || targets->empty()) {
    return wrong(source, "the document has no `target`");
  }
  BakeFile file;
  for (const auto& [name, value] : targets->items()) {
    FITMENT_TRY_ASSIGN(BakeTarget target, read_target(name, value, source));
    file.targets.push_back(std::move(target));
  }
  FITMENT_TRY(sort_targets(file, source));
  const auto groups = document.find("group");
  if (groups != document.end() && groups->is_object() && groups->contains("default")
      && (*groups)["default"].is_object()) {
    FITMENT_TRY_ASSIGN(file.default_group,
                       read_list((*groups)["default"], "targets", source, "group.default"));
  }
  if (file.default_group.empty()) {
    return wrong(source, "the document has no group `default`");
  }
  for (const std::string& name : file.default_group) {
    if (file.find(name) == nullptr) {
      return wrong(source, fmt::format("`group.default` names `{}`, which is no target", name));
    }
  }
  return file;
}

}  // namespace fitment
