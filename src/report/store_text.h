// SPDX-License-Identifier: Apache-2.0
// The cache for people.
#pragma once

#include "report/terminal.h"
#include "store/store_care.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

std::string_view to_string(StoreEntry::Kind kind);

/// `2026-08-01T12:00:00Z`.
std::string utc_time(std::chrono::system_clock::time_point time);

std::uint64_t total_bytes(const std::vector<StoreEntry>& entries);

/// A line for each file, the largest first; pages in one line, since nobody knows them by name.
std::string store_text(const std::vector<StoreEntry>& entries, const Theme& theme);

/// `3 files, 12 pages: 1.2 GB`.
std::string store_summary(const std::vector<StoreEntry>& entries);

}  // namespace fitment
