// SPDX-License-Identifier: Apache-2.0
// The environment that a process was started with, as a value: only `cli` asks the operating system
// for it.
#pragma once

#include <map>
#include <string>

namespace fitment {

using Environment = std::map<std::string, std::string, std::less<>>;

}  // namespace fitment
