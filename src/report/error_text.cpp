// SPDX-License-Identifier: Apache-2.0
#include "report/error_text.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

/// Safe to show, and not longer than a reader would read: an argument can be of any length.
std::string shown(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) {
    return printable(text);
  }
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
    --end;  // not inside a character
  }
  return printable(text.substr(0, end)) + "...";
}

constexpr std::size_t kLongestSource = 200;
constexpr std::size_t kLongestText = 1000;

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
  std::string text =
      paint("error:", Role::bad, theme) + " " + shown(error.message(), kLongestText) + "\n";
  for (const std::string& step : error.steps()) {
    text += "  while " + shown(step, kLongestText) + "\n";
  }
  if (error.origin()) {
    Origin place = *error.origin();
    const std::string source = shown(place.source, kLongestSource);
    place.source.clear();
    text += "  at " + source + to_string(place) + "\n";
  }
  if (!error.hints().empty()) {
    text += "\n";
  }
  for (const std::string& hint : error.hints()) {
    text += paint("hint:", Role::literal, theme) + " " + shown(hint, kLongestText) + "\n";
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
