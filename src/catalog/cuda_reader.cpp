// SPDX-License-Identifier: Apache-2.0
#include "catalog/cuda_reader.h"

#include "catalog/source_ids.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// Reads an array of rows; `read_row` reads the keys that are special to the row.
template <typename Row, typename ReadRow>
Status read_rows(TableReader& top,
                 const std::string& source,
                 std::string_view key,
                 std::vector<Row>& rows,
                 ReadRow read_row) {
  for (const TomlValue* table : top.tables(key)) {
    TableReader reader(*table, source, fmt::format("a row of `{}`", key));
    Row& row = rows.emplace_back();
    read_row(reader, row);
    FITMENT_TRY(reader.finish());
  }
  return {};
}

void read_version(TableReader& row, std::string_view key, DottedVersion& version) {
  row.require(key);
  row.read_with(key, DottedVersion::parse, version);
}

Status read_all(TableReader& top,
                const SourceIds& ids,
                const std::string& source,
                CudaTables& tables) {
  FITMENT_TRY(
      read_rows(top, source, "toolkits", tables.toolkits, [&](TableReader& r, CudaToolkitRow& row) {
        read_version(r, "toolkit", row.toolkit);
        read_version(r, "driver", row.driver);
        ids.read(r, "source", row.source);
      }));
  FITMENT_TRY(
      read_rows(top, source, "majors", tables.majors, [&](TableReader& r, CudaMajorRow& row) {
        DottedVersion major;
        read_version(r, "major", major);
        row.major = major.major();
        read_version(r, "driver_floor", row.driver_floor);
        ids.read(r, "source", row.source);
      }));
  FITMENT_TRY(
      read_rows(top, source, "targets", tables.targets, [&](TableReader& r, CudaTargetsRow& row) {
        read_version(r, "toolkit", row.toolkit);
        r.require("targets");
        r.read_words_with("targets", parse_cuda_target, row.targets);
        ids.read(r, "source", row.source);
      }));
  FITMENT_TRY(read_rows(top, source, "ptx", tables.ptx, [&](TableReader& r, PtxIsaRow& row) {
    read_version(r, "isa", row.isa);
    read_version(r, "toolkit", row.toolkit);
    ids.read(r, "source", row.source);
  }));
  FITMENT_TRY(
      read_rows(top, source, "l4t_releases", tables.l4t_releases, [&](TableReader& r, L4tRow& row) {
        read_version(r, "l4t", row.l4t);
        read_version(r, "cuda_api", row.cuda_api);
        ids.read(r, "source", row.source);
      }));
  return read_rows(
      top, source, "cudnn_floors", tables.cudnn_floors, [&](TableReader& r, CudnnFloorRow& row) {
        read_version(r, "cudnn", row.cudnn);
        r.require("lowest");
        r.read_with("lowest", parse_cuda_target, row.lowest);
        ids.read(r, "source", row.source);
      });
}

}  // namespace

Result<CudaTables> parse_cuda_tables(std::string_view toml, const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  TableReader top(document, source, "the file of CUDA tables");
  SourceIds ids;
  ids.read_table(top);
  CudaTables tables;
  FITMENT_TRY(read_all(top, ids, source, tables));
  FITMENT_TRY(top.finish());
  std::stable_sort(tables.ptx.begin(),
                   tables.ptx.end(),
                   [](const PtxIsaRow& a, const PtxIsaRow& b) { return a.isa < b.isa; });
  std::stable_sort(tables.toolkits.begin(),
                   tables.toolkits.end(),
                   [](const auto& a, const auto& b) { return a.toolkit < b.toolkit; });
  std::stable_sort(tables.majors.begin(), tables.majors.end(), [](const auto& a, const auto& b) {
    return a.major < b.major;
  });
  std::stable_sort(tables.targets.begin(), tables.targets.end(), [](const auto& a, const auto& b) {
    return a.toolkit < b.toolkit;
  });
  std::stable_sort(tables.cudnn_floors.begin(),
                   tables.cudnn_floors.end(),
                   [](const auto& a, const auto& b) { return a.cudnn < b.cudnn; });
  std::stable_sort(tables.l4t_releases.begin(),
                   tables.l4t_releases.end(),
                   [](const auto& a, const auto& b) { return a.l4t < b.l4t; });
  return tables;
}

}  // namespace fitment
