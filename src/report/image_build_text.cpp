// SPDX-License-Identifier: Apache-2.0
#include "report/image_build_text.h"

#include "report/styled_text.h"
#include "report/table.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Role role_of(BakeState state) {
  switch (state) {
    case BakeState::built:
    case BakeState::kept:
      return Role::good;
    case BakeState::failed:
      return Role::bad;
    case BakeState::skipped:
      return Role::warning;
  }
  return Role::plain;
}

}  // namespace

std::string image_build_text(const std::vector<BakeResult>& results, const Theme& theme) {
  Table table;
  table.column("").column("").column("");
  for (const BakeResult& result : results) {
    table.row({StyledText(to_string(result.state), role_of(result.state)),
               StyledText(result.target, Role::strong),
               result.tags.back()});
    if (!result.image.empty()) {
      table.span(StyledText(result.image, Role::dim), 2);
    }
  }
  std::string text = table.render(theme);
  for (const BakeResult& result : results) {
    if (result.state != BakeState::failed) {
      continue;
    }
    text += "\n" + paint(result.target + " failed", Role::heading, theme) + "\n";
    for (const std::string& line : result.last_lines) {
      text += "  " + printable(line) + "\n";
    }
    text += "\nlog      " + result.log + "\ncommand  " + result.command
            + "\nresume   run the same command again: what is built is kept\n";
  }
  return text;
}

std::string image_build_json(const std::vector<BakeResult>& results, ImageBuilder builder) {
  Json document{{"schema", "fitment.image-build/1"},
                {"builder", to_string(builder)},
                {"targets", Json::array()}};
  for (const BakeResult& result : results) {
    Json json{{"target", result.target},
              {"state", to_string(result.state)},
              {"image", result.image.empty() ? Json(nullptr) : Json(result.image)},
              {"tags", result.tags},
              {"log", result.log.empty() ? Json(nullptr) : Json(result.log)}};
    if (result.state == BakeState::failed) {
      json["command"] = result.command;
      json["last_lines"] = result.last_lines;
    }
    document["targets"].push_back(std::move(json));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
