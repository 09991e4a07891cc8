// SPDX-License-Identifier: Apache-2.0
#include "variant/conformance.h"

#include "base/json_position.h"
#include "variant/conformance_answers.h"
#include "wheel/quote.h"

#include <fmt/format.h>

namespace fitment {

namespace {

using Json = ConformanceJson;

constexpr std::size_t kDeepest = 600;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Order of members does not matter, order of lists does.
bool is_equal(const Json& a, const Json& b) {
  return nlohmann::json::parse(dump(a)) == nlohmann::json::parse(dump(b));
}

/// nlohmann's message without its id.
std::string words_of(const nlohmann::json::exception& error) {
  const std::string what = error.what();
  const std::size_t bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

class Runner {
 public:
  Runner(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Result<ConformanceResult> run(const Json& document) {
    if (!document.is_object()
        || document.value("schema", Json()) != "fitment.variant-conformance/1") {
      return wrong({"schema"}, "`schema` is not `fitment.variant-conformance/1`");
    }
    const auto kind = document.find("kind");
    if (kind == document.end() || !kind->is_string()) {
      return wrong({"kind"}, "the file has no `kind`");
    }
    result_.kind = kind->get<std::string>();
    if (result_.kind != "mixed" && !is_conformance_kind(result_.kind)) {
      return wrong({"kind"}, fmt::format("{} is not a kind of cases", quote(result_.kind)));
    }
    const auto cases = document.find("cases");
    if (cases == document.end() || !cases->is_array()) {
      return wrong({"cases"}, "the file has no list of `cases`");
    }
    for (std::size_t i = 0; i < cases->size(); ++i) {
      FITMENT_TRY(run_case((*cases)[i], i));
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] Error wrong(const std::vector<std::string>& path, std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message))
        .at(origin_of_offset(source_, text_, find_json_value(text_, path)))
        .while_doing("reading conformance cases")
        .hint("tests/conformance/variants/README.md tells the format");
  }

  Status run_case(const Json& each, std::size_t index) {
    const std::vector<std::string> path{"cases", std::to_string(index)};
    if (!each.is_object() || !each.contains("name") || !each.at("name").is_string()
        || !each.contains("expect")) {
      return wrong(path, "a case needs `name` and `expect`");
    }
    const std::string name = each.at("name").get<std::string>();
    std::string kind = result_.kind;
    if (kind == "mixed") {
      if (!each.contains("kind") || !each.at("kind").is_string()) {
        return wrong(path, fmt::format("the case {} has no `kind`", quote(name)));
      }
      kind = each.at("kind").get<std::string>();
      if (!is_conformance_kind(kind)) {
        return wrong(path, fmt::format("{} is not a kind of cases", quote(kind)));
      }
    }
    Json actual;
    try {
      Result<Json> answer = conformance_answer(kind, each);
      actual = answer ? std::move(*answer) : Json(to_string(answer.error()));
    } catch (const nlohmann::json::out_of_range& error) {
      return wrong(path,
                   fmt::format("the case {} lacks an input: {}", quote(name), words_of(error)));
    } catch (const nlohmann::json::exception& error) {
      actual = "the case cannot be read: " + words_of(error);
    }
    if (is_equal(each.at("expect"), actual)) {
      ++result_.passed;
    } else {
      result_.failures.push_back({name, kind, dump(each.at("expect")), dump(actual)});
    }
    return {};
  }

  std::string_view text_;
  const std::string& source_;
  ConformanceResult result_;
};

}  // namespace

Result<ConformanceResult> run_conformance(std::string_view text, const std::string& source) {
  if (const auto deep = find_too_deep_json(text, kDeepest)) {
    return fail(ErrorCode::parse_error, fmt::format("values nest deeper than {}", kDeepest))
        .at(origin_of_offset(source, text, *deep))
        .hint("no case needs that");
  }
  try {
    return Runner(text, source).run(Json::parse(text));
  } catch (const nlohmann::json::parse_error& error) {
    return fail(ErrorCode::parse_error, "not valid JSON: " + words_of(error))
        .at(origin_of_offset(source, text, error.byte > 0 ? error.byte - 1 : 0))
        .hint("tests/conformance/variants/README.md tells the format");
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::parse_error, "not usable JSON: " + words_of(error))
        .at({source, {}, {}, {}})
        .hint("tests/conformance/variants/README.md tells the format");
  }
}

}  // namespace fitment
