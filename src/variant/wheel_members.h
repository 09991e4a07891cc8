// SPDX-License-Identifier: Apache-2.0
// The texts in the dist-info folder of a wheel that making, unmaking and deriving wheels rewrite.
// Used by this module alone.
#pragma once

#include "base/byte_source.h"
#include "wheel/record_file.h"
#include "wheel/wheel_archive.h"

#include <string>
#include <string_view>

namespace fitment {

struct WheelText {
  const ZipEntry* entry = nullptr;
  std::string text;
  std::string place;  ///< for messages: `x.whl: x-1.dist-info/RECORD`
};

class WheelMembers {
 public:
  /// Both arguments must outlive it.
  WheelMembers(const ByteSource& source, const WheelArchive& wheel)
      : source_(source), wheel_(wheel) {}

  /// `foo-1.0.dist-info/RECORD`
  [[nodiscard]] std::string path_of(std::string_view name) const;
  /// Errors: unsupported (the wheel has none), those of reading a member.
  [[nodiscard]] Result<WheelText> read(std::string_view name) const;
  /// RECORD, of a wheel that is not signed: a signature would no longer fit.
  [[nodiscard]] Result<WheelText> read_record() const;

 private:
  const ByteSource& source_;
  const WheelArchive& wheel_;
};

/// The file name of the wheel that a source reads.
std::string file_of(const ByteSource& wheel);

/// The line of RECORD for these bytes.
RecordEntry record_line(std::string path, std::string_view bytes);

}  // namespace fitment
