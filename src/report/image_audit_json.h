// SPDX-License-Identifier: Apache-2.0
// Where the bytes of an image are, for programs: fitment.image-audit/1
// (schemas/image-audit.schema.json).
#pragma once

#include "image/audit_image.h"

#include <string>

namespace fitment {

std::string image_audit_json(const ImageAudit& audit);

}  // namespace fitment
