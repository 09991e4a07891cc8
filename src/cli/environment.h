// SPDX-License-Identifier: Apache-2.0
// Every environment variable that fitment reads, in one table: `fitment help environment` and the
// man page print it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The environment that the process was started with, as values.
using Environment = std::map<std::string, std::string, std::less<>>;

/// The value of a variable, empty when it is not set.
std::string value_of(const Environment& environment, std::string_view name);

struct EnvironmentVariable {
  std::string_view name;
  std::string_view what;   ///< no full stop
  std::string_view group;  ///< heading
};

const std::vector<EnvironmentVariable>& environment_variables();

}  // namespace fitment
