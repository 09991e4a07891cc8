// SPDX-License-Identifier: Apache-2.0
// A diagnosis for people: the verdict, what to fix first, then every copy of a library.
#pragma once

#include "doctor/diagnose.h"
#include "report/terminal.h"

#include <string>

namespace fitment {

struct DoctorTextOptions {
  bool shows_notes = false;      ///< findings of severity note in full; otherwise their number
  bool shows_libraries = false;  ///< every library of NVIDIA's; otherwise those with other copies
};

std::string doctor_text(const EnvironmentDiagnosis& diagnosis,
                        const Machine& machine,
                        const DoctorTextOptions& options,
                        const Theme& theme);

}  // namespace fitment
