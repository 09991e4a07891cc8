// SPDX-License-Identifier: Apache-2.0
// Where the bytes of an image are, for people.
#pragma once

#include "image/audit_image.h"
#include "report/terminal.h"

#include <string>

namespace fitment {

std::string image_audit_text(const ImageAudit& audit, const Theme& theme);

/// What made a layer, in one line: without the shell, the marks of builders and line ends.
std::string short_step(const std::string& created_by);

}  // namespace fitment
