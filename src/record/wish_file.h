// SPDX-License-Identifier: Apache-2.0
// `fitment.toml`, the wish: what to choose and under which policy. Only the table [plan] is read
// here; other tables belong to other commands.
//
//   [plan]
//   requirements = ["torch>=2.6", "torchvision"]
//   python       = "3.12"
//   machines     = ["machines/h100.json", "machines/l40s.json"]   # relative to this file
//   one-build    = true
//   backend      = "cu126"        # pin; or gpu = "nvidia"
//   allow-cpu    = false
//   allow-unsure = false
//   prefer       = "driver"       # driver, smallest, newest, oldest-driver
#pragma once

#include "base/error.h"
#include "choose/policy.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct Wish {
  struct Line {
    std::string text;
    Origin origin;
  };
  std::vector<Line> requirements;
  std::vector<Line> machines;
  std::optional<std::string> python;
  std::optional<bool> one_build;
  std::optional<std::string> backend;
  std::optional<GpuVendor> gpu;
  std::optional<bool> allow_cpu;
  std::optional<bool> allow_unsure;
  std::optional<Prefer> prefer;
};

/// nullopt where the file has no table [plan]. Errors: parse_error with line and column: TOML
/// syntax, a wrong type, an unknown key of [plan].
Result<std::optional<Wish>> find_wish(std::string_view toml, const std::string& source);

/// The same; a file without [plan] is an error too.
Result<Wish> parse_wish(std::string_view toml, const std::string& source);

}  // namespace fitment
