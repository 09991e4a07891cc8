// SPDX-License-Identifier: Apache-2.0
// A diagnosis as `fitment.doctor/1` (schemas/doctor.schema.json).
#pragma once

#include "doctor/diagnose.h"

#include <string>
#include <vector>

namespace fitment {

/// One document: the worst verdict, the findings of all environments, then each environment.
/// `root` is what was asked about.
std::string doctor_json(const std::vector<EnvironmentDiagnosis>& diagnoses,
                        const Machine& machine,
                        const std::string& root);

}  // namespace fitment
