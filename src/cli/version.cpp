// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

namespace fitment {

std::string_view program_version() {
  return FITMENT_VERSION;
}

}  // namespace fitment
