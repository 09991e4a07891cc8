// SPDX-License-Identifier: Apache-2.0
#include "cli/known_targets.h"

#include "base/closest.h"
#include "catalog/catalog.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <variant>

namespace fitment {

namespace {

/// Names without suffixes and features: `sm_90`, `gfx90a`.
std::string plain_name(GpuTarget target) {
  if (auto* cuda = std::get_if<CudaTarget>(&target)) {
    cuda->suffix = CudaTarget::Suffix::none;
    cuda->is_virtual = false;
  } else if (auto* gfx = std::get_if<GfxTarget>(&target)) {
    gfx->features.clear();
  }
  return to_string(target);
}

/// What CUDA toolkits compile for.
Result<std::set<std::string>> compiled_targets(const Catalog& catalog) {
  std::set<std::string> names;
  FITMENT_TRY_ASSIGN(const CudaTables* cuda, catalog.cuda());
  for (const CudaTargetsRow& row : cuda->targets) {
    for (const CudaTarget& target : row.targets) {
      names.insert(plain_name(target));
    }
  }
  return names;
}

/// What GPUs are: a longer table, which is read when the other has no answer.
Status add_targets_of_gpus(const Catalog& catalog, std::set<std::string>& names) {
  FITMENT_TRY_ASSIGN(const GpuTable* gpus, catalog.gpus());
  for (const auto& [id, row] : gpus->rows) {
    if (row.target) {
      names.insert(plain_name(*row.target));
    }
  }
  return {};
}

}  // namespace

Status warn_of_unknown_targets(const std::vector<GpuTarget>& targets,
                               const Catalog& catalog,
                               const Streams& streams) {
  std::set<std::string> unknown;
  for (const GpuTarget& target : targets) {
    unknown.insert(plain_name(target));
  }
  if (unknown.empty()) {
    return {};
  }
  FITMENT_TRY_ASSIGN(std::set<std::string> known, compiled_targets(catalog));
  std::erase_if(unknown, [&](const std::string& name) { return known.contains(name); });
  if (unknown.empty()) {
    return {};
  }
  FITMENT_TRY(add_targets_of_gpus(catalog, known));
  for (const std::string& name : unknown) {
    if (!known.contains(name)) {
      const auto closest = find_closest(name, {known.begin(), known.end()});
      streams.warn(fmt::format("the catalogue knows no GPU that is `{}`{}",
                               name,
                               closest ? fmt::format("; did you mean `{}`?", *closest) : ""));
    }
  }
  return {};
}

}  // namespace fitment
