// SPDX-License-Identifier: Apache-2.0
// RECORD of an installed distribution or a wheel: every file with its digest and size (PEP 376,
// 427, 627).
//
//   torch/lib/libc10.so,sha256=nYGY4iluctPMinp-ucAsjPVEMJh2whXoVO4p4cM-3yw,13224
//   "a,b.txt",,
//   torch-2.8.0.dist-info/RECORD,,
//
// Comma-separated as Python's csv module writes it: a field with commas, quotes or line ends stands
// in quotes, a quote inside is doubled. Paths use `/` and are relative to the folder that holds the
// dist-info folder; they may climb out of it (`../../../bin/x`).
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct RecordEntry {
  std::string path;       ///< as written
  std::string algorithm;  ///< `sha256`; empty: no digest
  std::string digest;     ///< URL-safe base64 without padding
  std::optional<std::uint64_t> size;

  friend bool operator==(const RecordEntry&, const RecordEntry&) = default;
};

/// Empty lines are passed over. Error: parse_error with the line (an open quote, a size that is no
/// number, a digest without algorithm, an empty path, a NUL).
Result<std::vector<RecordEntry>> parse_record(std::string_view bytes, const std::string& source);

/// The text of a RECORD file, lines in the order given, each ending in `\n`.
std::string write_record(const std::vector<RecordEntry>& entries);

/// `sha256=` of RECORD: the digest in URL-safe base64 without padding. `hex`: 64 digits.
std::string record_digest(std::string_view hex);

/// The path a RECORD line means, seen from `folder` (absolute): `.` and `..` are resolved by name
/// and never climb above `/`.
std::string record_path(std::string_view folder, std::string_view path);

}  // namespace fitment
