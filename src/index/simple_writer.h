// SPDX-License-Identifier: Apache-2.0
// Pages of the Simple API: HTML (PEP 503, 592, 629, 658, 714) and JSON (PEP 691, 700), the latter
// with private keys that say why.
//
//   "_fitment": { "schema": "fitment.project-view/1", "machine": "h100", "index": "pytorch",
//     "choices": [ { "version": "2.8.0", "chosen": "cu128" } ],
//     "reasons": [ { "rule": "driver-floor", "fact": "...", "found": "...", "required": "..." } ],
//     "hidden":  [ { "filename": "torch-...", "reasons": [ 0 ] } ] }
#pragma once

#include "index/listing.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

std::string write_project_json(const Listing& listing, std::string_view machine);
std::string write_project_html(const Listing& listing);

std::string write_names_json(const std::vector<std::string>& names);
std::string write_names_html(const std::vector<std::string>& names);

}  // namespace fitment
