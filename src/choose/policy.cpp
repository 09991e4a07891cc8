// SPDX-License-Identifier: Apache-2.0
#include "choose/policy.h"

#include <fmt/format.h>

namespace fitment {

std::string_view to_string(Prefer prefer) {
  switch (prefer) {
    case Prefer::driver_match:
      return "driver";
    case Prefer::smallest:
      return "smallest";
    case Prefer::newest:
      return "newest";
    case Prefer::oldest_driver:
      return "oldest-driver";
  }
  return "driver";
}

Result<Prefer> parse_prefer(std::string_view text) {
  for (const Prefer prefer :
       {Prefer::driver_match, Prefer::smallest, Prefer::newest, Prefer::oldest_driver}) {
    if (text == to_string(prefer)) {
      return prefer;
    }
  }
  return fail(ErrorCode::parse_error, fmt::format("`{}` is not a preference", text))
      .hint("preferences are driver, smallest, newest and oldest-driver");
}

}  // namespace fitment
