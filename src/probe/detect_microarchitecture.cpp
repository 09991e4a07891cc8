// SPDX-License-Identifier: Apache-2.0
// archspec names a CPU by its flags alone, so that one flag that a hypervisor hides makes an EPYC
// "x86_64_v3" or a Milan "zen2". Family, model and stepping say which CPU it is; the flags say what
// it can do, and that is what the level and the feature list hold.
#include "base/text.h"
#include "probe/detectors.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

using Row = MicroarchitectureRow;

bool has_model(const Row& row, const CpuIdentity& cpu) {
  return std::any_of(row.models.begin(), row.models.end(), [&cpu](const Row::Model& model) {
    const bool stepping_fits =
        !model.stepping_first || !cpu.stepping
        || (*model.stepping_first <= *cpu.stepping
            && *cpu.stepping <= model.stepping_last.value_or(*model.stepping_first));
    return model.family == cpu.family && model.first <= cpu.model && cpu.model <= model.last
           && stepping_fits;
  });
}

/// Flags of the row that the CPU does not show. Linux writes SSE3 as pni and archspec as sse3.
std::vector<std::string> missing_features(const Row& row, const std::set<std::string>& have) {
  std::vector<std::string> missing;
  for (const std::string& feature : row.features) {
    if (have.count(feature) == 0) {
      missing.push_back(feature);
    }
  }
  return missing;
}

std::set<std::string> archspec_features(const Cpu& cpu) {
  const std::vector<std::string> list = cpu.features.value_or({});
  std::set<std::string> have(list.begin(), list.end());
  if (have.count("pni") == 1 || have.count("ssse3") == 1) {
    have.insert("sse3");
  }
  return have;
}

/// The deepest of some rows: most ancestors, then most features.
const Row* deepest(const std::vector<const Row*>& rows) {
  const auto less = [](const Row* a, const Row* b) {
    return std::pair(a->parents.size(), a->features.size())
           < std::pair(b->parents.size(), b->features.size());
  };
  const auto found = std::max_element(rows.begin(), rows.end(), less);
  return found == rows.end() ? nullptr : *found;
}

bool descends_from(const Row& row, const std::string& ancestor) {
  return row.name == ancestor
         || std::find(row.parents.begin(), row.parents.end(), ancestor) != row.parents.end();
}

/// archspec's rule for x86: a named CPU of the vendor, or a generic level, all of whose flags are
/// there.
const Row* by_features(const CpuTable& table,
                       const std::string& vendor,
                       const std::set<std::string>& have) {
  std::vector<const Row*> fitting;
  std::vector<const Row*> generic;
  for (const Row& row : table.rows) {
    if (!descends_from(row, "x86_64") || !missing_features(row, have).empty()) {
      continue;
    }
    if (row.vendor == "generic") {
      generic.push_back(&row);
    } else if (row.vendor == vendor) {
      fitting.push_back(&row);
    }
  }
  const Row* level = deepest(generic);
  if (level == nullptr) {
    return nullptr;
  }
  std::erase_if(fitting, [level](const Row* row) { return !descends_from(*row, level->name); });
  return fitting.empty() ? level : deepest(fitting);
}

void report_hidden(const Row& row, const std::vector<std::string>& missing, Observation& seen) {
  seen.find("cpu-flag-hidden",
            fmt::format("the CPU is a {} by family and model, but {} of it cannot be used: {}",
                        row.name,
                        missing.size() == 1 ? "one flag" : "some flags",
                        join(missing, ", ")),
            seen.hypervisor
                ? "pass the host's CPU to the virtual machine (QEMU: -cpu host) where the flag is "
                  "wanted; tools that match flags only will name an older CPU"
                : "look for a BIOS setting or kernel parameter that switches it off; tools that "
                  "match flags only will name an older CPU");
}

}  // namespace

void detect_microarchitecture(const CatalogTables& tables, Observation& seen) {
  const std::string arch = seen.arch();
  Cpu& cpu = seen.machine.cpu;
  if (!cpu.features || arch.empty()) {
    return;
  }
  const CpuTable& table = tables.cpus();
  const std::set<std::string> have = archspec_features(cpu);
  if (seen.cpu) {
    std::vector<const Row*> same_model;
    for (const Row& row : table.rows) {
      if (row.vendor == seen.cpu->vendor && has_model(row, *seen.cpu)) {
        same_model.push_back(&row);
      }
    }
    // Rows of one model differ in what they demand: the deepest that fits, else the deepest.
    std::vector<const Row*> fitting = same_model;
    std::erase_if(fitting,
                  [&have](const Row* row) { return !missing_features(*row, have).empty(); });
    if (const Row* row = deepest(fitting.empty() ? same_model : fitting); row != nullptr) {
      const std::vector<std::string> missing = missing_features(*row, have);
      if (!missing.empty()) {
        report_hidden(*row, missing, seen);
      }
      cpu.microarchitecture.set(row->name, cpu.features.evidence());
      return;
    }
  }
  const Row* row = nullptr;
  if (arch == "x86_64") {
    const std::string vendor = seen.cpu ? seen.cpu->vendor : cpu.vendor.value_or("");
    row = by_features(table, vendor, have);
  } else if (arch == "aarch64") {
    // Flags do not tell arm64 cores apart, so an unknown part is what its version says.
    row = table.find(replace_all(cpu.level.value_or(""), "-a", "a"));
    row = row == nullptr ? table.find("aarch64") : row;
  }
  if (row != nullptr) {
    cpu.microarchitecture.set(row->name, cpu.features.evidence());
  }
}

}  // namespace fitment
