// SPDX-License-Identifier: Apache-2.0
#include "report/error_text.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::parse_error:
      return "parse_error";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::io_error:
      return "io_error";
    case ErrorCode::network_error:
      return "network_error";
    case ErrorCode::external_tool:
      return "external_tool";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

std::string render_error(const Error& error, const Theme& theme) {
  std::string text = paint("error:", Role::bad, theme) + " " + printable(error.message()) + "\n";
  for (const std::string& step : error.steps()) {
    text += "  while " + printable(step) + "\n";
  }
  if (error.origin()) {
    text += "  at " + printable(to_string(*error.origin())) + "\n";
  }
  if (!error.hints().empty()) {
    text += "\n";
  }
  for (const std::string& hint : error.hints()) {
    text += paint("hint:", Role::literal, theme) + " " + printable(hint) + "\n";
  }
  return text;
}

std::string render_error_json(const Error& error) {
  Json body{{"code", std::string(to_string(error.code()))}, {"message", error.message()}};
  body["steps"] = error.steps();
  if (error.origin()) {
    const Origin& origin = *error.origin();
    Json place{{"source", origin.source}};
    const auto put = [&place](const char* key, const std::optional<std::uint64_t>& value) {
      if (value) {
        place[key] = *value;
      }
    };
    put("line", origin.line);
    put("column", origin.column);
    put("offset", origin.offset);
    body["origin"] = std::move(place);
  } else {
    body["origin"] = nullptr;
  }
  body["hints"] = error.hints();
  const Json document{{"schema", "fitment.error/1"}, {"error", std::move(body)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
