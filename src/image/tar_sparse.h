// SPDX-License-Identifier: Apache-2.0
// Maps of sparse files in extended headers, in the three forms that GNU tar has written:
//
//   0.0  GNU.sparse.offset and GNU.sparse.numbytes, once for each run
//   0.1  GNU.sparse.map, numbers with commas between
//   1.0  decimal numbers, one a line, before the data: how many runs, then offset and size of each;
//        padded to a whole block
//
// All name the file in GNU.sparse.name (the header has a made-up name) and its size with holes in
// GNU.sparse.size or GNU.sparse.realsize.
#pragma once

#include "image/tar_header.h"
#include "image/tar_pax.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fitment {

struct SparseMap {
  std::vector<SparseRun> runs;
  std::uint64_t real_size = 0;
  bool is_in_data = false;  ///< form 1.0: the runs stand before the data
};

/// None: these records are of no sparse file. Errors: parse_error.
Result<std::optional<SparseMap>> sparse_map_of(const PaxRecords& records);

/// The map of form 1.0, given one block after another.
class SparseMapReader {
 public:
  /// True when the map is complete. Errors: parse_error.
  Result<bool> add(std::string_view block);
  [[nodiscard]] std::vector<SparseRun> take() { return std::move(runs_); }

 private:
  Status number(std::uint64_t value);

  std::string line_;
  std::optional<std::uint64_t> count_;
  std::optional<std::uint64_t> offset_;
  std::vector<SparseRun> runs_;
};

/// Runs must be in order, within the file, and add up to what is stored. Errors: parse_error.
Status check_sparse_runs(const std::vector<SparseRun>& runs,
                         std::uint64_t real_size,
                         std::uint64_t stored_size);

}  // namespace fitment
