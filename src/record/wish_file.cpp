// SPDX-License-Identifier: Apache-2.0
#include "record/wish_file.h"

#include "base/closest.h"
#include "catalog/backend.h"
#include "catalog/toml_document.h"

#include <fmt/format.h>

namespace fitment {

namespace {

class WishReader {
 public:
  explicit WishReader(std::string source) : source_(std::move(source)) {}

  Result<Wish> read(const TomlValue& plan) {
    Wish wish;
    for (const auto& [key, value] : plan.members) {
      FITMENT_TRY(read_key(key, value, wish));
    }
    return wish;
  }

 private:
  [[nodiscard]] Origin at(const TomlValue& value) const {
    return {source_, value.line, value.column, {}};
  }

  [[nodiscard]] Error wrong_type(const std::string& key,
                                 const TomlValue& value,
                                 std::string_view wanted) const {
    return fail(ErrorCode::parse_error,
                fmt::format("`plan.{}` must be {}, not {}", key, wanted, to_string(value.kind)))
        .at(at(value));
  }

  Status read_list(const std::string& key,
                   const TomlValue& value,
                   std::vector<Wish::Line>& lines) const {
    if (value.kind != TomlValue::Kind::array) {
      return wrong_type(key, value, "a list of strings");
    }
    for (const TomlValue& item : value.items) {
      if (item.kind != TomlValue::Kind::text) {
        return wrong_type(key, item, "a list of strings");
      }
      lines.push_back({item.text, at(item)});
    }
    return {};
  }

  Status read_flag(const std::string& key,
                   const TomlValue& value,
                   std::optional<bool>& flag) const {
    if (value.kind != TomlValue::Kind::boolean) {
      return wrong_type(key, value, "true or false");
    }
    flag = value.boolean;
    return {};
  }

  template <typename T, typename Parse>
  Status read_text(const std::string& key,
                   const TomlValue& value,
                   std::optional<T>& field,
                   Parse parse) const {
    if (value.kind != TomlValue::Kind::text) {
      return wrong_type(key, value, "a string");
    }
    Result<T> parsed = parse(value.text);
    if (!parsed) {
      return std::move(parsed).error().at(at(value));
    }
    field = std::move(*parsed);
    return {};
  }

  Status read_key(const std::string& key, const TomlValue& value, Wish& wish) const {
    const auto as_it_is = [](const std::string& text) { return Result<std::string>(text); };
    if (key == "requirements") {
      return read_list(key, value, wish.requirements);
    }
    if (key == "machines") {
      return read_list(key, value, wish.machines);
    }
    if (key == "python") {
      return read_text(key, value, wish.python, as_it_is);
    }
    if (key == "backend") {
      return read_text(
          key, value, wish.backend, [](const std::string& text) -> Result<std::string> {
            FITMENT_TRY_ASSIGN(const Backend backend, parse_backend(text));
            return backend.text;
          });
    }
    if (key == "gpu") {
      return read_text(
          key, value, wish.gpu, [](const std::string& text) { return parse_gpu_vendor(text); });
    }
    if (key == "prefer") {
      return read_text(
          key, value, wish.prefer, [](const std::string& text) { return parse_prefer(text); });
    }
    if (key == "one-build") {
      return read_flag(key, value, wish.one_build);
    }
    if (key == "allow-cpu") {
      return read_flag(key, value, wish.allow_cpu);
    }
    if (key == "allow-unsure") {
      return read_flag(key, value, wish.allow_unsure);
    }
    const std::vector<std::string> known{"requirements",
                                         "machines",
                                         "python",
                                         "backend",
                                         "gpu",
                                         "prefer",
                                         "one-build",
                                         "allow-cpu",
                                         "allow-unsure"};
    const auto nearest = find_closest(key, known);
    return fail(ErrorCode::parse_error,
                fmt::format("`plan.{}` is not a key that fitment knows", key))
        .at(at(value))
        .hint(nearest ? fmt::format("did you mean `{}`?", *nearest)
                      : "`fitment plan --help` lists the keys");
  }

  std::string source_;
};

}  // namespace

Result<std::optional<Wish>> find_wish(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  const TomlValue* plan = document.find("plan");
  if (plan == nullptr) {
    return std::optional<Wish>();
  }
  if (plan->kind != TomlValue::Kind::table) {
    return fail(ErrorCode::parse_error, "`plan` must be a table")
        .at({source, plan->line, plan->column, {}});
  }
  FITMENT_TRY_ASSIGN(Wish wish, WishReader(source).read(*plan));
  return std::optional(std::move(wish));
}

Result<Wish> parse_wish(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(std::optional<Wish> wish, find_wish(toml, source));
  if (!wish) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` has no table [plan]", source))
        .hint("write `[plan]` and `requirements = [\"torch\"]`");
  }
  return std::move(*wish);
}

}  // namespace fitment
