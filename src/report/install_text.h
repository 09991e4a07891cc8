// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/install_report.h"
#include "report/terminal.h"

#include <string>

namespace fitment {

std::string install_text(const InstallReport& report, const Theme& theme);
std::string wheelhouse_text(const WheelhouseReport& report, const Theme& theme);

}  // namespace fitment
