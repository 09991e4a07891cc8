// SPDX-License-Identifier: Apache-2.0
// `fitment.install/1` and `fitment.wheelhouse/1`.
#pragma once

#include "report/install_report.h"

#include <string>

namespace fitment {

std::string install_json(const InstallReport& report);
std::string wheelhouse_json(const WheelhouseReport& report);

}  // namespace fitment
