// SPDX-License-Identifier: Apache-2.0
// A bill of materials as SPDX 2.3 JSON.
#pragma once

#include "image/bill.h"

#include <cstdint>
#include <string>

namespace fitment {

/// The same bytes for the same bill: the namespace is a digest of the content, the time is the one
/// that is given (SOURCE_DATE_EPOCH, seconds).
std::string bill_spdx(const Bill& bill,
                      const std::string& name,
                      const std::string& version,
                      std::uint64_t epoch);

}  // namespace fitment
