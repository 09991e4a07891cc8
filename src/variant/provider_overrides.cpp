// SPDX-License-Identifier: Apache-2.0
#include "variant/provider_overrides.h"

#include "wheel/quote.h"

#include <fmt/format.h>

namespace fitment {

std::optional<std::string> forced_by(const Machine& machine,
                                     std::string_view variable,
                                     std::string_view fact) {
  const std::string setting = fmt::format("--set {}", fact);
  for (auto item = machine.overrides.rbegin(); item != machine.overrides.rend(); ++item) {
    if (item->name == variable) {
      return item->value.empty() ? std::nullopt : std::optional(item->value);
    }
    if (item->name.starts_with(setting)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

Error bad_override(std::string_view variable, std::string_view value, std::string_view wanted) {
  return fail(
             ErrorCode::invalid_argument,
             fmt::format("{} is set to {}, which its provider cannot read", variable, quote(value)))
      .at({fmt::format("environment variable {}", variable), {}, {}, {}})
      .hint(fmt::format("set it to {}, or unset it", wanted));
}

}  // namespace fitment
