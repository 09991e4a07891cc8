// SPDX-License-Identifier: Apache-2.0
#include "gpucode/scan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fitment {

namespace {

using Totals = std::map<std::pair<CodeKind, std::string>, TargetTotal>;

void add(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& more) {
  if (sum && more && *more <= ~*sum) {
    *sum += *more;
  } else {
    sum.reset();
  }
}

TargetTotal& total_of(Totals& totals, CodeKind kind, const std::string& target) {
  const auto [at, is_new] = totals.try_emplace({kind, target});
  if (is_new) {
    at->second = {.kind = kind,
                  .target = target,
                  .entries = 0,
                  .stored_bytes = 0,
                  .inflated_bytes = 0,
                  .compressions = {}};
  }
  return at->second;
}

std::vector<TargetTotal> sorted(Totals&& totals) {
  std::vector<TargetTotal> list;
  list.reserve(totals.size());
  for (auto& [key, total] : totals) {
    list.push_back(std::move(total));
  }
  std::stable_sort(list.begin(), list.end(), [](const TargetTotal& a, const TargetTotal& b) {
    return a.stored_bytes.value_or(0) > b.stored_bytes.value_or(0);
  });
  return list;
}

}  // namespace

std::string TargetTotal::compression_text() const {
  return compressions.size() == 1 ? std::string(to_string(*compressions.begin())) : "mixed";
}

std::vector<TargetTotal> total_by_target(const std::vector<GpuContainer>& containers) {
  Totals totals;
  for (const GpuContainer& container : containers) {
    for (const GpuEntry& entry : container.entries) {
      TargetTotal& total = total_of(totals, entry.kind, target_text(entry));
      ++total.entries;
      add(total.stored_bytes, entry.stored_bytes);
      add(total.inflated_bytes, entry.inflated_bytes);
      total.compressions.insert(entry.compression);
    }
  }
  return sorted(std::move(totals));
}

std::vector<TargetTotal> merge_totals(const std::vector<std::vector<TargetTotal>>& totals) {
  Totals merged;
  for (const std::vector<TargetTotal>& list : totals) {
    for (const TargetTotal& one : list) {
      TargetTotal& total = total_of(merged, one.kind, one.target);
      total.entries += one.entries;
      add(total.stored_bytes, one.stored_bytes);
      add(total.inflated_bytes, one.inflated_bytes);
      total.compressions.insert(one.compressions.begin(), one.compressions.end());
    }
  }
  return sorted(std::move(merged));
}

}  // namespace fitment
