// SPDX-License-Identifier: Apache-2.0
// Private to diff.cpp and framework_writer.cpp: the fields of a row as texts, under the keys that
// files use.
#pragma once

#include "catalog/framework.h"

#include <string>
#include <utility>
#include <vector>

namespace fitment {

using FieldTexts = std::vector<std::pair<std::string, std::string>>;

// Always the same keys in the same order; empty text: the field is not set. Rows below and sources
// are left out.
FieldTexts field_texts(const Framework& framework);
FieldTexts field_texts(const Release& release);
FieldTexts field_texts(const Build& build);

}  // namespace fitment
