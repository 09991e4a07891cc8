// SPDX-License-Identifier: Apache-2.0
#include "report/store_json.h"

#include "report/store_text.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Json entries_json(const std::vector<StoreEntry>& entries) {
  Json list = Json::array();
  for (const StoreEntry& entry : entries) {
    list.push_back({{"kind", to_string(entry.kind)},
                    {"name", entry.path.filename().string()},
                    {"sha256", entry.sha256.empty() ? Json(nullptr) : Json(entry.sha256)},
                    {"size", entry.size},
                    {"used", utc_time(entry.used)},
                    {"path", entry.path.string()}});
  }
  return list;
}

std::string print(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string store_json(const std::filesystem::path& folder,
                       const std::vector<StoreEntry>& entries) {
  return print({{"schema", "fitment.cache/1"},
                {"folder", folder.string()},
                {"size", total_bytes(entries)},
                {"entries", entries_json(entries)}});
}

std::string store_damage_json(const std::filesystem::path& folder,
                              const std::vector<StoreEntry>& damaged,
                              bool is_deleted) {
  return print({{"schema", "fitment.cache-check/1"},
                {"folder", folder.string()},
                {"deleted", is_deleted},
                {"damaged", entries_json(damaged)}});
}

std::string store_removal_json(const std::filesystem::path& folder,
                               const Removal& removal,
                               bool is_applied) {
  return print({{"schema", "fitment.cache-gc/1"},
                {"folder", folder.string()},
                {"applied", is_applied},
                {"size", total_bytes(removal.removed)},
                {"removed", entries_json(removal.removed)},
                {"in_use", entries_json(removal.in_use)}});
}

}  // namespace fitment
