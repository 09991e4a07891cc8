// SPDX-License-Identifier: Apache-2.0
// Validation of our JSON documents against schemas/.
#pragma once

#include <string>
#include <vector>

namespace fitment::golden {

/// What is wrong with a text that is a JSON document naming its schema (`"schema":
/// "fitment.machine/1"` means schemas/machine.schema.json); empty when nothing is, or when the text
/// is no such document.
std::vector<std::string> schema_problems(const std::string& text);

}  // namespace fitment::golden
