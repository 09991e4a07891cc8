// SPDX-License-Identifier: Apache-2.0
#include "catalog/check.h"

#include "catalog/check_framework.h"
#include "catalog/gpu_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

bool overlaps(std::uint32_t a, std::uint32_t a_last, std::uint32_t b, std::uint32_t b_last) {
  return a <= b_last && b <= a_last;
}

/// Whether two rows of one vendor claim the same model and stepping.
bool shares_model(const MicroarchitectureRow& a, const MicroarchitectureRow& b) {
  constexpr std::uint32_t kAnyStepping = 0xffff;
  for (const auto& left : a.models) {
    for (const auto& right : b.models) {
      if (left.family == right.family && overlaps(left.first, left.last, right.first, right.last)
          && overlaps(left.stepping_first.value_or(0),
                      left.stepping_last.value_or(kAnyStepping),
                      right.stepping_first.value_or(0),
                      right.stepping_last.value_or(kAnyStepping))) {
        return true;
      }
    }
  }
  return false;
}

class TableChecker {
 public:
  TableChecker(std::string file, std::vector<CatalogProblem>& problems)
      : file_(std::move(file)), problems_(problems) {}

  void report(std::string where, std::string message) {
    problems_.push_back({file_, std::move(where), std::move(message)});
  }
  void report(const Error& error) {
    report(error.origin() ? to_string(*error.origin()) : std::string(), error.message());
  }
  void check_source(const std::string& where, const std::string& source) {
    if (source.empty()) {
      report(where, "has no source");
    }
  }

  void check(const CudaTables& tables);
  void check(const CpuTable& table);
  void check(const GpuTable& table);
  void check(const LibraryTable& table);

 private:
  void check_toolkits(const CudaTables& tables);
  void check_targets(const CudaTables& tables);

  std::string file_;
  std::vector<CatalogProblem>& problems_;
};

void TableChecker::check_toolkits(const CudaTables& tables) {
  const CudaToolkitRow* before = nullptr;
  for (const CudaToolkitRow& row : tables.toolkits) {
    const std::string where = "toolkit " + row.toolkit.text();
    check_source(where, row.source);
    if (before != nullptr && before->toolkit == row.toolkit) {
      report(where, "is listed twice");
    } else if (before != nullptr && row.driver < before->driver) {
      report(where,
             fmt::format("has the driver {}, older than {} of toolkit {}",
                         row.driver.text(),
                         before->driver.text(),
                         before->toolkit.text()));
    }
    before = &row;
  }
}

void TableChecker::check_targets(const CudaTables& tables) {
  const CudaTargetsRow* before = nullptr;
  for (const CudaTargetsRow& row : tables.targets) {
    const std::string where = "targets of toolkit " + row.toolkit.text();
    check_source(where, row.source);
    if (before != nullptr && before->toolkit == row.toolkit) {
      report(where, "are listed twice");
    }
    if (std::any_of(row.targets.begin(), row.targets.end(), [](const CudaTarget& target) {
          return target.is_virtual || target.suffix != CudaTarget::Suffix::none;
        })) {
      report(where, "must be real targets without suffix");
    }
    before = &row;
  }
}

void TableChecker::check(const CudaTables& tables) {
  check_toolkits(tables);
  check_targets(tables);
  for (std::size_t i = 0; i < tables.majors.size(); ++i) {
    const CudaMajorRow& row = tables.majors[i];
    const std::string where = fmt::format("major {}", row.major);
    check_source(where, row.source);
    if (i > 0 && tables.majors[i - 1].major == row.major) {
      report(where, "is listed twice");
    }
    if (!tables.driver_of_toolkit({row.major, 0})) {
      report(where, fmt::format("has no row for toolkit {}.0", row.major));
    }
  }
  for (const CudnnFloorRow& row : tables.cudnn_floors) {
    check_source("cuDNN " + row.cudnn.text(), row.source);
  }
  for (const L4tRow& row : tables.l4t_releases) {
    check_source("L4T " + row.l4t.text(), row.source);
  }
}

void TableChecker::check(const CpuTable& table) {
  for (const MicroarchitectureRow& row : table.rows) {
    for (const std::string& parent : row.parents) {
      if (table.find(parent) == nullptr) {
        report(row.name, fmt::format("descends from `{}`, which has no row", parent));
      }
    }
    if (std::find(row.parents.begin(), row.parents.end(), row.name) != row.parents.end()) {
      report(row.name, "descends from itself");
    }
    for (const MicroarchitectureRow& other : table.rows) {
      if (other.name < row.name && other.vendor == row.vendor && shares_model(row, other)) {
        report(row.name, fmt::format("has a model that `{}` has too", other.name));
      }
    }
  }
}

/// What a library opens must have a row of its own, or nobody could say who brings it.
void TableChecker::check(const LibraryTable& table) {
  for (const NvidiaLibrary& library : table.libraries) {
    const std::string where = fmt::format("{} for CUDA {}", library.soname, library.cuda_major);
    check_source(where, library.source);
    for (const NvidiaLibrary& other : table.libraries) {
      if (&other < &library && other.soname == library.soname
          && other.cuda_major == library.cuda_major) {
        report(where, "is listed twice");
      }
    }
    for (const std::string& opened : library.opens) {
      if (table.find_soname(with_minor(opened, "0")).empty()) {
        report(where, fmt::format("opens `{}`, which has no row", opened));
      }
    }
  }
}

/// Twice the same id is an error of the reader.
void TableChecker::check(const GpuTable& table) {
  for (const GpuVendor vendor : {GpuVendor::nvidia, GpuVendor::amd, GpuVendor::intel}) {
    const std::uint16_t id = pci_vendor_id(vendor);
    constexpr unsigned kVendorShift = 16;
    if (std::none_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
          return row.first >> kVendorShift == id;
        })) {
      report(std::string(to_string(vendor)), "has no GPUs");
    }
  }
}

}  // namespace

std::vector<CatalogProblem> check_catalog(const Catalog& catalog) {
  std::vector<CatalogProblem> problems;
  const auto cuda = catalog.cuda();
  const auto add = [&](const char* file, const auto& table) {
    TableChecker checker(file, problems);
    if (!table) {
      checker.report(table.error());
      return;
    }
    checker.check(**table);
  };
  add("cpus.toml", catalog.cpus());
  add("libraries.toml", catalog.libraries());
  add("cuda.toml", cuda);
  for (const std::string& name : catalog.framework_names()) {
    const std::string file = fmt::format("frameworks/{}.toml", name);
    const auto framework = catalog.find_framework(name);
    if (!framework) {
      TableChecker(file, problems).report(framework.error());
    } else {
      check_framework(file, **framework, cuda ? *cuda : nullptr, problems);
    }
  }
  add("gpus.toml", catalog.gpus());
  return problems;
}

}  // namespace fitment
