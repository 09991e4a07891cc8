// SPDX-License-Identifier: Apache-2.0
// The cache as documents: `fitment.cache/1`, `fitment.cache-check/1`, `fitment.cache-gc/1`.
#pragma once

#include "store/store_care.h"

#include <filesystem>
#include <string>
#include <vector>

namespace fitment {

std::string store_json(const std::filesystem::path& folder, const std::vector<StoreEntry>& entries);
/// `is_deleted`: what is damaged was taken away.
std::string store_damage_json(const std::filesystem::path& folder,
                              const std::vector<StoreEntry>& damaged,
                              bool is_deleted);
std::string store_removal_json(const std::filesystem::path& folder,
                               const Removal& removal,
                               bool is_applied);

}  // namespace fitment
