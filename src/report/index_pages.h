// SPDX-License-Identifier: Apache-2.0
// The pages of the index for people: what a machine gets of a project and why, and what the index
// is made of. HTML with its style inside and nothing to load or run.
#pragma once

#include "index/machine_site.h"

#include <memory>

namespace fitment {

std::shared_ptr<const HumanPages> make_index_pages();

}  // namespace fitment
