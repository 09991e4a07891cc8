// SPDX-License-Identifier: Apache-2.0
// Reads catalog/frameworks/*.toml.
//
//   name, summary, selector         as in Framework
//   companions = "torchvision ..."  packages that are chosen with it
//   index = "https://.../{backend}/"  default of the builds; {backend} and {arch} are filled in
//   [sources]                       id -> text; every `source` is one or more of these ids
//   [[release]]                     oldest first
//   version, python, companions, no_companion, pypi_default, note, source, known_conflict
//   platforms = "manylinux_2_28_{arch}"  default of the builds
//   builds = [ { backend = "cu128", code = "sm_90 compute_90", ... }, ... ]
//
// A build says `arch` where it is not x86_64, `toolkit` where it tells more than the backend, and
// `source` where it is not the release's.
#pragma once

#include "catalog/framework.h"

#include <string>
#include <string_view>

namespace fitment {

/// `source` names the text in errors, with line and column.
Result<Framework> parse_framework(std::string_view toml, const std::string& source);

}  // namespace fitment
