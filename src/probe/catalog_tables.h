// SPDX-License-Identifier: Apache-2.0
// Private: the catalogue's tables, read when a detector first needs one. A host without GPUs never
// pays for the table of GPUs.
#pragma once

#include "catalog/catalog.h"
#include "probe/observation.h"

namespace fitment {

/// A table that cannot be read is empty, with one finding: then GPUs and CPUs stay without names.
class CatalogTables {
 public:
  CatalogTables(const Catalog& catalog, Observation& seen) : catalog_(catalog), seen_(seen) {}

  [[nodiscard]] const GpuTable& gpus() const { return table_or_empty(catalog_.gpus()); }
  [[nodiscard]] const CpuTable& cpus() const { return table_or_empty(catalog_.cpus()); }
  [[nodiscard]] const CudaTables& cuda() const { return table_or_empty(catalog_.cuda()); }

 private:
  template <typename Table>
  [[nodiscard]] const Table& table_or_empty(const Result<const Table*>& table) const {
    static const Table kEmpty{};
    if (table) {
      return **table;
    }
    seen_.find_once(
        "catalog-unreadable", table.error().message(), "correct the files given with --catalog");
    return kEmpty;
  }

  const Catalog& catalog_;
  Observation& seen_;
};

}  // namespace fitment
