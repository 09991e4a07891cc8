// SPDX-License-Identifier: Apache-2.0
// Private to conformance.cpp: the answer of one case, by its kind.
#pragma once

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace fitment {

using ConformanceJson = nlohmann::ordered_json;

/// Whether cases of this kind are known.
bool is_conformance_kind(std::string_view kind);

/// A missing input ends in nlohmann's out_of_range. Error: why no answer could be worked out.
Result<ConformanceJson> conformance_answer(std::string_view kind, const ConformanceJson& input);

}  // namespace fitment
