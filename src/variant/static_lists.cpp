// SPDX-License-Identifier: Apache-2.0
#include "variant/static_lists.h"

#include "base/toml.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

class PolicyReader {
 public:
  explicit PolicyReader(const std::string& source) : source_(source) {}

  [[nodiscard]] Result<TrustPolicy> read(const toml::table& root) const {
    TrustPolicy policy;
    const toml::node* variant = root.get("variant");
    if (variant == nullptr) {
      return policy;
    }
    FITMENT_TRY_ASSIGN(const Members members, members_of(*variant, "variant"));
    for (const auto& [key, node] : members) {
      if (key == "enable") {
        FITMENT_TRY_ASSIGN(policy.enabled, read_list(*node, "variant.enable", is_variant_name));
      } else if (key == "static") {
        FITMENT_TRY(read_static(*node, policy));
      } else {
        return wrong(*node, fmt::format("`variant` has no key {}", quote(key)))
            .hint("the keys are `enable` and `static`");
      }
    }
    return policy;
  }

  [[nodiscard]] Error syntax(const toml::parse_error& error) const {
    return not_toml(error, origin(error.source().begin));
  }

 private:
  using Members = std::vector<std::pair<std::string, const toml::node*>>;

  [[nodiscard]] Origin origin(const toml::source_position& position) const {
    return {source_, position.line, position.column, {}};
  }
  [[nodiscard]] Error wrong(const toml::node& node, std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message)).at(origin(node.source().begin));
  }

  /// In the order of the file: the library sorts them by name, but the order is the preference.
  [[nodiscard]] Result<Members> members_of(const toml::node& node, std::string_view name) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return wrong(node, fmt::format("{} must be a table", quote(name)));
    }
    Members members;
    for (const auto& [key, value] : *table) {
      members.emplace_back(std::string(key), &value);
    }
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
      const toml::source_position& at_a = a.second->source().begin;
      const toml::source_position& at_b = b.second->source().begin;
      return std::pair(at_a.line, at_a.column) < std::pair(at_b.line, at_b.column);
    });
    return members;
  }

  [[nodiscard]] Result<std::vector<std::string>> read_list(
      const toml::node& node, std::string_view name, bool (*is_allowed)(std::string_view)) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) {
      return wrong(node, fmt::format("{} must be a list of strings", quote(name)));
    }
    std::vector<std::string> values;
    for (const toml::node& item : *array) {
      const auto* text = item.as_string();
      if (text == nullptr) {
        return wrong(item, fmt::format("{} must be a list of strings", quote(name)));
      }
      if (!is_allowed(text->get())) {
        return wrong(item,
                     fmt::format("{} is not a name or value of wheel variants", quote(text->get())))
            .hint("lower-case letters, digits and `_`, and in values also `.`");
      }
      if (std::find(values.begin(), values.end(), text->get()) != values.end()) {
        return wrong(item, fmt::format("{} stands twice", quote(text->get()))).hint("keep one");
      }
      values.push_back(text->get());
    }
    return values;
  }

  Status read_static(const toml::node& node, TrustPolicy& policy) const {
    FITMENT_TRY_ASSIGN(const Members spaces, members_of(node, "variant.static"));
    for (const auto& [space, features] : spaces) {
      FITMENT_TRY(check_name(*features, space));
      SupportedNamespace list{space, {}};
      const std::string name = "variant.static." + space;
      FITMENT_TRY_ASSIGN(const Members members, members_of(*features, name));
      for (const auto& [feature, values] : members) {
        FITMENT_TRY(check_name(*values, feature));
        SupportedFeature supported{feature, {}};
        FITMENT_TRY_ASSIGN(
            supported.values,
            read_list(*values, fmt::format("{}.{}", name, feature), is_variant_value));
        list.features.push_back(std::move(supported));
      }
      policy.lists.push_back(std::move(list));
    }
    return {};
  }

  [[nodiscard]] Status check_name(const toml::node& node, const std::string& name) const {
    if (is_variant_name(name)) {
      return {};
    }
    return wrong(node, fmt::format("{} is not a namespace or feature", quote(name)))
        .hint("lower-case letters, digits and `_`");
  }

  const std::string& source_;
};

}  // namespace

Result<TrustPolicy> parse_trust_policy(std::string_view toml, const std::string& source) {
  const PolicyReader reader(source);
  const toml::parse_result result = toml::parse(toml);
  if (!result) {
    return reader.syntax(result.error());
  }
  return reader.read(result.table());
}

}  // namespace fitment
