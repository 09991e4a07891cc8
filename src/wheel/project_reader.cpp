// SPDX-License-Identifier: Apache-2.0
#include "wheel/project_reader.h"

#include "base/toml.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

// Includes can double a group at every step; no real file comes near these.
constexpr std::size_t kMostRequirements = 100'000;  // in all groups together
constexpr std::size_t kDeepestInclude = 64;

class ProjectReader {
 public:
  explicit ProjectReader(TomlPlace place) : place_(std::move(place)) {}

  [[nodiscard]] Result<toml::table> parse(std::string_view text) const {
    toml::parse_result result = toml::parse(text);
    if (!result) {
      return not_toml(result.error(), origin(result.error().source().begin));
    }
    return std::move(result).table();
  }

  Result<ProjectFile> read_project(const toml::table& root) {
    ProjectFile project;
    const toml::node* table = root.get("project");
    const toml::node* groups = root.get("dependency-groups");
    if (table == nullptr && groups == nullptr) {
      return fail(ErrorCode::unsupported,
                  "the file has neither `[project]` nor `[dependency-groups]`")
          .at({place_.source, {}, {}, {}})
          .hint("dependencies are read from these standard tables, not from those of a tool");
    }
    if (table != nullptr) {
      FITMENT_TRY_ASSIGN(const toml::table* fields, as_table(*table, "project"));
      FITMENT_TRY(read_project_fields(*fields, project));
    }
    if (groups != nullptr) {
      FITMENT_TRY_ASSIGN(groups_, as_table(*groups, "dependency-groups"));
      FITMENT_TRY(read_groups(project));
    }
    return project;
  }

  [[nodiscard]] Result<ProjectFile> read_script(const toml::table& root) const {
    ProjectFile project;
    FITMENT_TRY(read_requires_python(root, project));
    FITMENT_TRY_ASSIGN(project.dependencies, read_requirements(root, "dependencies"));
    return project;
  }

 private:
  using Requirements = std::vector<Requirement>;

  [[nodiscard]] Origin origin(const toml::source_position& position) const {
    return {place_.source,
            position.line + place_.line_offset,
            position.column + place_.column_offset,
            {}};
  }
  [[nodiscard]] Error wrong(const toml::node& node, std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message)).at(origin(node.source().begin));
  }

  [[nodiscard]] Result<const toml::table*> as_table(const toml::node& node,
                                                    std::string_view name) const {
    if (const toml::table* table = node.as_table()) {
      return table;
    }
    return wrong(node, fmt::format("`{}` must be a table", name));
  }
  [[nodiscard]] Result<const toml::array*> as_array(const toml::node& node,
                                                    std::string_view name) const {
    if (const toml::array* array = node.as_array()) {
      return array;
    }
    return wrong(node, fmt::format("{} must be a list", quote(name)));
  }
  [[nodiscard]] Result<std::string> as_text(const toml::node& node, std::string_view name) const {
    if (const auto* text = node.as_string()) {
      return text->get();
    }
    return wrong(node, fmt::format("{} must be a string", quote(name)));
  }
  /// Of the first character inside the quotes.
  [[nodiscard]] Origin text_origin(const toml::node& node) const {
    Origin place = origin(node.source().begin);
    place.column = place.column.value_or(0) + 1;
    return place;
  }

  Status read_project_fields(const toml::table& fields, ProjectFile& project) const {
    if (const toml::node* name = fields.get("name")) {
      FITMENT_TRY_ASSIGN(project.name, as_text(*name, "name"));
      if (!is_valid_name(project.name)) {
        return wrong(*name, fmt::format("{} is not a package name", quote(project.name)));
      }
    }
    FITMENT_TRY(read_requires_python(fields, project));
    FITMENT_TRY_ASSIGN(project.dependencies, read_requirements(fields, "dependencies"));
    if (const toml::node* node = fields.get("optional-dependencies")) {
      FITMENT_TRY_ASSIGN(const toml::table* extras, as_table(*node, "optional-dependencies"));
      for (const auto& [key, value] : *extras) {
        FITMENT_TRY_ASSIGN(Requirements list, read_list(value, key.str()));
        if (!project.optional_dependencies.emplace(normalize_name(key.str()), std::move(list))
                 .second) {
          return wrong(value, fmt::format("the extra {} is defined twice", quote(key.str())));
        }
      }
    }
    if (const toml::node* node = fields.get("dynamic")) {
      FITMENT_TRY_ASSIGN(const toml::array* names, as_array(*node, "dynamic"));
      for (const toml::node& item : *names) {
        FITMENT_TRY_ASSIGN(std::string field, as_text(item, "dynamic"));
        project.dynamic.push_back(std::move(field));
      }
    }
    return {};
  }

  Status read_requires_python(const toml::table& table, ProjectFile& project) const {
    const toml::node* node = table.get("requires-python");
    if (node == nullptr) {
      return {};
    }
    FITMENT_TRY_ASSIGN(const std::string text, as_text(*node, "requires-python"));
    FITMENT_TRY_ASSIGN(project.requires_python, SpecifierSet::parse(text, text_origin(*node)));
    return {};
  }

  [[nodiscard]] Result<Requirements> read_requirements(const toml::table& table,
                                                       const char* key) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? Requirements() : read_list(*node, key);
  }
  [[nodiscard]] Result<Requirements> read_list(const toml::node& node,
                                               std::string_view name) const {
    FITMENT_TRY_ASSIGN(const toml::array* items, as_array(node, name));
    Requirements requirements;
    for (const toml::node& item : *items) {
      FITMENT_TRY_ASSIGN(Requirement requirement, read_requirement(item, name));
      requirements.push_back(std::move(requirement));
    }
    return requirements;
  }
  [[nodiscard]] Result<Requirement> read_requirement(const toml::node& item,
                                                     std::string_view name) const {
    FITMENT_TRY_ASSIGN(const std::string text, as_text(item, name));
    return parse_requirement(text, text_origin(item));
  }

  Status read_groups(ProjectFile& project) {
    for (const auto& [key, value] : *groups_) {
      if (!group_nodes_.emplace(normalize_name(key.str()), &value).second) {
        return wrong(value,
                     fmt::format("the dependency group {} is defined twice", quote(key.str())));
      }
    }
    for (const auto& [name, node] : group_nodes_) {
      FITMENT_TRY(expand_group(name, *node));
    }
    project.dependency_groups = std::move(expanded_);
    return {};
  }

  /// Puts a group and those that it includes into `expanded_`. The nesting is bounded, since each
  /// level is a call.
  Status expand_group(const std::string& name, const toml::node& node) {
    if (expanded_.count(name) > 0) {
      return {};
    }
    if (open_.size() == kDeepestInclude) {
      return wrong(node,
                   fmt::format("groups include each other more than {} deep", kDeepestInclude));
    }
    open_.push_back(name);
    FITMENT_TRY_ASSIGN(const toml::array* items, as_array(node, name));
    Requirements requirements;
    for (const toml::node& item : *items) {
      if (const toml::table* table = item.as_table()) {
        FITMENT_TRY(include_group(*table, requirements));
      } else {
        FITMENT_TRY_ASSIGN(Requirement requirement, read_requirement(item, name));
        requirements.push_back(std::move(requirement));
      }
      if (total_ + requirements.size() > kMostRequirements) {
        return wrong(
            item,
            fmt::format("the dependency groups have more than {} requirements", kMostRequirements));
      }
    }
    total_ += requirements.size();
    open_.pop_back();
    expanded_.emplace(name, std::move(requirements));
    return {};
  }

  Status include_group(const toml::table& table, Requirements& requirements) {
    const toml::node* node = table.get("include-group");
    if (node == nullptr || table.size() != 1) {
      return wrong(table, "a dependency group holds strings and `{include-group = \"NAME\"}` only");
    }
    FITMENT_TRY_ASSIGN(const std::string given, as_text(*node, "include-group"));
    const std::string name = normalize_name(given);
    const auto found = group_nodes_.find(name);
    if (found == group_nodes_.end()) {
      return wrong(*node, fmt::format("there is no dependency group {}", quote(given)));
    }
    const auto first = std::find(open_.begin(), open_.end(), name);
    if (first != open_.end()) {
      std::string circle;
      for (auto step = first; step != open_.end(); ++step) {
        circle += *step + " -> ";
      }
      return wrong(*node, fmt::format("dependency groups include each other: {}{}", circle, name));
    }
    FITMENT_TRY(expand_group(name, *found->second));
    const Requirements& included = expanded_.at(name);
    requirements.insert(requirements.end(), included.begin(), included.end());
    return {};
  }

  TomlPlace place_;
  const toml::table* groups_ = nullptr;
  std::map<std::string, const toml::node*> group_nodes_;
  std::map<std::string, Requirements> expanded_;
  std::vector<std::string> open_;  ///< groups that are being expanded, outermost first
  std::size_t total_ = 0;
};

}  // namespace

Result<ProjectFile> read_project_tables(std::string_view toml_text, const TomlPlace& place) {
  ProjectReader reader(place);
  FITMENT_TRY_ASSIGN(const toml::table root, reader.parse(toml_text));
  return reader.read_project(root);
}

Result<ProjectFile> read_script_tables(std::string_view toml_text, const TomlPlace& place) {
  const ProjectReader reader(place);
  FITMENT_TRY_ASSIGN(const toml::table root, reader.parse(toml_text));
  return reader.read_script(root);
}

}  // namespace fitment
