// SPDX-License-Identifier: Apache-2.0
#include "record/compare.h"

#include "base/text.h"
#include "choose/policy.h"
#include "machine/machine_file.h"
#include "wheel/name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

using Kind = RecordChange::Kind;
using Texts = std::map<std::string, std::string>;

/// Every plain value under its path: `gpus[0].target` and `sm_90`.
void flatten(const nlohmann::ordered_json& json, const std::string& path, Texts& texts) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      flatten(value, path.empty() ? key : fmt::format("{}.{}", path, key), texts);
    }
  } else if (json.is_array() && !json.empty() && json.front().is_object()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      flatten(json[i], fmt::format("{}[{}]", path, i), texts);
    }
  } else if (json.is_array()) {
    std::vector<std::string> words;
    for (const auto& value : json) {
      words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    texts[path] = words.empty() ? "none" : join(words, " ");
  } else if (!json.is_null()) {
    texts[path] = json.is_string() ? json.get<std::string>() : json.dump();
  }
}

/// What differs between two sets of values, by name.
void compare_texts(const Texts& before,
                   const Texts& after,
                   const RecordChange& about,
                   std::vector<RecordChange>& changes) {
  Texts all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [what, ignored] : all) {
    RecordChange change = about;
    change.what = what;
    const auto old = before.find(what);
    const auto now = after.find(what);
    change.before = old == before.end() ? "" : old->second;
    change.after = now == after.end() ? "" : now->second;
    if (change.before != change.after) {
      changes.push_back(std::move(change));
    }
  }
}

void add_file(const std::optional<RecordedFile>& file, Texts& texts) {
  if (file) {
    texts["file.name"] = file->name;
    texts["file.url"] = file->url;
    texts["file.sha256"] = file->sha256.value_or("");
    texts["file.derived_from"] = file->derived_from.value_or("");
  }
}

Texts texts_of(const RecordedPackage& package) {
  std::vector<std::string> properties;
  for (const VariantProperty& property : package.properties) {
    properties.push_back(to_string(property));
  }
  Texts texts{{"version", package.version},
              {"backend", package.backend},
              {"variant", package.variant.value_or("")},
              {"properties", join(properties, ", ")},
              {"extras", join(package.extras, ",")},
              {"index", package.index},
              {"verdict", std::string(to_string(package.verdict))}};
  add_file(package.file, texts);
  return texts;
}

Texts texts_of(const RecordedDependency& dependency) {
  Texts texts{{"version", dependency.version}, {"index", dependency.index}};
  add_file(dependency.file, texts);
  return texts;
}

Texts texts_of(const LockRecord& record) {
  const ChoosePolicy& policy = record.policy;
  return {{"catalog", record.catalog},
          {"requests", join(record.requests, ", ")},
          {"policy.backend", policy.backend.value_or("")},
          {"policy.gpu", policy.gpu ? std::string(to_string(*policy.gpu)) : ""},
          {"policy.allow_cpu", policy.allow_cpu ? "true" : "false"},
          {"policy.allow_unsure", policy.allow_unsure ? "true" : "false"},
          {"policy.prefer", std::string(to_string(policy.prefer))}};
}

void add_targets(const LockRecord& record,
                 const LockRecord& other,
                 Kind kind,
                 std::vector<RecordChange>& changes) {
  for (const RecordedTarget& target : record.targets) {
    if (other.find(target.machine.name) == nullptr) {
      changes.push_back({kind, target.machine.name, "", "target", "", ""});
    }
  }
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::only_before:
      return "only-before";
    case Kind::only_after:
      return "only-after";
    case Kind::changed:
      return "changed";
  }
  return "changed";
}

std::vector<RecordChange> compare_facts(const Machine& before, const Machine& after) {
  Texts old;
  Texts now;
  flatten(nlohmann::ordered_json::parse(canonical_facts(before)), "", old);
  flatten(nlohmann::ordered_json::parse(canonical_facts(after)), "", now);
  std::vector<RecordChange> changes;
  compare_texts(old, now, {}, changes);
  return changes;
}

namespace {

std::string pinned(const RecordedDependency& dependency) {
  return dependency.name + "==" + dependency.version;
}

/// Only where both know what was installed.
void compare_dependencies(const RecordedTarget& before,
                          const RecordedTarget& after,
                          std::vector<RecordChange>& changes) {
  if (!before.dependencies || !after.dependencies) {
    return;
  }
  for (const RecordedDependency& dependency : *before.dependencies) {
    if (const RecordedDependency* now = after.find_dependency(dependency.name)) {
      compare_texts(texts_of(dependency),
                    texts_of(*now),
                    {Kind::changed, "", dependency.name, "", "", ""},
                    changes);
    } else {
      changes.push_back(
          {Kind::only_before, "", dependency.name, "package", pinned(dependency), ""});
    }
  }
  for (const RecordedDependency& dependency : *after.dependencies) {
    if (before.find_dependency(dependency.name) == nullptr) {
      changes.push_back({Kind::only_after, "", dependency.name, "package", "", pinned(dependency)});
    }
  }
}

}  // namespace

std::vector<RecordChange> compare_targets(const RecordedTarget& before,
                                          const RecordedTarget& after) {
  std::vector<RecordChange> changes = compare_facts(before.machine, after.machine);
  for (const RecordedPackage& package : before.packages) {
    const RecordedPackage* now = after.find(package.name);
    if (now == nullptr) {
      changes.push_back({Kind::only_before, "", package.name, "package", package.requirement, ""});
    } else {
      compare_texts(texts_of(package),
                    texts_of(*now),
                    {Kind::changed, "", package.name, "", "", ""},
                    changes);
    }
  }
  for (const RecordedPackage& package : after.packages) {
    if (before.find(package.name) == nullptr) {
      changes.push_back({Kind::only_after, "", package.name, "package", "", package.requirement});
    }
  }
  compare_dependencies(before, after, changes);
  for (RecordChange& change : changes) {
    change.target = before.machine.name;
  }
  return changes;
}

std::vector<RecordChange> compare_installed(const RecordedTarget& target,
                                            const FrozenEnvironment& installed) {
  std::vector<RecordChange> changes;
  const std::string& machine = target.machine.name;
  for (const RecordedPackage& package : target.packages) {
    const FrozenPackage* found = installed.find(normalize_name(package.name));
    if (found == nullptr) {
      changes.push_back(
          {Kind::only_before, machine, package.name, "package", package.requirement, ""});
      continue;
    }
    const Version version = Version::parse(found->version).value_or(Version());
    Texts before{{"version", package.version}};
    Texts after{{"version", version.public_text()}};
    if (!found->backend.empty()) {  // files of PyPI have no label
      before["backend"] = package.backend;
      after["backend"] = found->backend;
    }
    if (package.file || found->variant) {
      before["variant"] = package.variant.value_or("");
      after["variant"] = found->variant.value_or("");
    }
    compare_texts(before, after, {Kind::changed, machine, package.name, "", "", ""}, changes);
  }
  if (!target.dependencies) {
    return changes;
  }
  for (const RecordedDependency& dependency : *target.dependencies) {
    const FrozenPackage* found = installed.find(dependency.name);
    if (found == nullptr) {
      changes.push_back(
          {Kind::only_before, machine, dependency.name, "package", pinned(dependency), ""});
    } else {
      compare_texts({{"version", dependency.version}},
                    {{"version", found->version}},
                    {Kind::changed, machine, dependency.name, "", "", ""},
                    changes);
    }
  }
  return changes;
}

std::vector<RecordChange> compare_environments(const FrozenEnvironment& before,
                                               const FrozenEnvironment& after) {
  const auto texts = [](const FrozenEnvironment& environment) {
    std::map<std::string, Texts> packages;
    for (const FrozenPackage& package : environment.packages) {
      packages[package.name] = {{"version", package.version},
                                {"variant", package.variant.value_or("")},
                                {"url", package.url.value_or("")}};
    }
    return packages;
  };
  const auto old = texts(before);
  const auto now = texts(after);
  std::vector<RecordChange> changes;
  for (const auto& [name, values] : old) {
    if (const auto found = now.find(name); found != now.end()) {
      compare_texts(values, found->second, {Kind::changed, "", name, "", "", ""}, changes);
    } else {
      changes.push_back({Kind::only_before, "", name, "package", values.at("version"), ""});
    }
  }
  for (const auto& [name, values] : now) {
    if (old.count(name) == 0) {
      changes.push_back({Kind::only_after, "", name, "package", "", values.at("version")});
    }
  }
  return changes;
}

std::vector<RecordChange> compare_records(const LockRecord& before, const LockRecord& after) {
  std::vector<RecordChange> changes;
  compare_texts(texts_of(before), texts_of(after), {}, changes);
  const auto add = [&](const RecordedTarget& old, const RecordedTarget& now) {
    const std::vector<RecordChange> more = compare_targets(old, now);
    changes.insert(changes.end(), more.begin(), more.end());
  };
  if (before.targets.size() == 1 && after.targets.size() == 1) {
    add(before.targets.front(), after.targets.front());
    return changes;
  }
  for (const RecordedTarget& target : before.targets) {
    if (const RecordedTarget* now = after.find(target.machine.name)) {
      add(target, *now);
    }
  }
  add_targets(before, after, Kind::only_before, changes);
  add_targets(after, before, Kind::only_after, changes);
  return changes;
}

}  // namespace fitment
