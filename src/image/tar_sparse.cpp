// SPDX-License-Identifier: Apache-2.0
#include "image/tar_sparse.h"

#include "base/text.h"

#include <fmt/format.h>

namespace fitment {

namespace {

constexpr std::uint64_t kMostRuns = 1U << 18U;

Error bad_map(std::string_view what) {
  return fail(ErrorCode::parse_error, fmt::format("its map of holes {}", what));
}

Result<std::uint64_t> map_number(std::string_view text) {
  const auto value = parse_unsigned(text);
  if (!value) {
    return bad_map("has a number that is none");
  }
  return *value;
}

/// Offsets and sizes that alternate, from either form 0.
Status pair_up(const std::vector<std::string_view>& numbers, std::vector<SparseRun>& runs) {
  if (numbers.size() % 2 != 0 || numbers.size() / 2 > kMostRuns) {
    return bad_map("has too many numbers, or an odd number of them");
  }
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    FITMENT_TRY_ASSIGN(const std::uint64_t offset, map_number(numbers[i]));
    FITMENT_TRY_ASSIGN(const std::uint64_t size, map_number(numbers[i + 1]));
    runs.push_back({offset, size});
  }
  return {};
}

}  // namespace

Result<std::optional<SparseMap>> sparse_map_of(const PaxRecords& records) {
  SparseMap map;
  const std::string* size = find_pax(records, "GNU.sparse.realsize");
  if (size == nullptr) {
    size = find_pax(records, "GNU.sparse.size");
  }
  const std::string* major = find_pax(records, "GNU.sparse.major");
  const std::string* list = find_pax(records, "GNU.sparse.map");
  std::vector<std::string_view> numbers;
  if (major != nullptr && *major != "0") {
    const std::string* minor = find_pax(records, "GNU.sparse.minor");
    if (*major != "1" || minor == nullptr || *minor != "0") {
      return bad_map("is of a form that is not known");
    }
    map.is_in_data = true;
  } else if (list != nullptr) {
    numbers = split(*list, ',');
  } else {
    for (const auto& [key, value] : records) {
      if (key == "GNU.sparse.offset" || key == "GNU.sparse.numbytes") {
        numbers.emplace_back(value);
      }
    }
    if (numbers.empty() && size == nullptr) {
      return std::optional<SparseMap>();
    }
  }
  if (size == nullptr) {
    return bad_map("does not say how large the file is");
  }
  FITMENT_TRY_ASSIGN(map.real_size, map_number(*size));
  FITMENT_TRY(pair_up(numbers, map.runs));
  return std::optional(std::move(map));
}

Status SparseMapReader::number(std::uint64_t value) {
  if (!count_) {
    if (value > kMostRuns) {
      return bad_map("has too many runs");
    }
    count_ = value;
  } else if (!offset_) {
    offset_ = value;
  } else {
    runs_.push_back({*offset_, value});
    offset_.reset();
  }
  return {};
}

Result<bool> SparseMapReader::add(std::string_view block) {
  constexpr std::size_t kLongest = 20;  // digits of 2^64
  for (const char c : block) {
    if (count_ && runs_.size() == *count_) {
      return true;  // the rest of the block is padding
    }
    if (c != '\n') {
      line_ += c;
      if (line_.size() > kLongest) {
        return bad_map("has a number that is none");
      }
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::uint64_t value, map_number(line_));
    FITMENT_TRY(number(value));
    line_.clear();
  }
  return count_ && runs_.size() == *count_;
}

Status check_sparse_runs(const std::vector<SparseRun>& runs,
                         std::uint64_t real_size,
                         std::uint64_t stored_size) {
  std::uint64_t end = 0;
  std::uint64_t sum = 0;
  for (const SparseRun& run : runs) {
    if (run.offset < end || run.offset > real_size || run.size > real_size - run.offset) {
      return bad_map("has runs that overlap or leave the file");
    }
    end = run.offset + run.size;
    sum += run.size;
  }
  if (sum != stored_size) {
    return bad_map(fmt::format("speaks of {} bytes where {} are stored", sum, stored_size));
  }
  return {};
}

}  // namespace fitment
