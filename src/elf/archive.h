// SPDX-License-Identifier: Apache-2.0
// ar archives (.a): the members of a static library.
//
// After the magic, each member is a header of 60 bytes of text (name 16, date 12, owner 6, group 6,
// mode 8, size 10, end mark "`\n") and its bytes, padded to even. Names longer than 15 bytes stand
// in the member `//` (GNU: `/123` is an offset into it) or before the member's bytes (BSD:
// `#1/20`). In a thin archive the members are other files, and only their names are here.
#pragma once

#include "base/sub_source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ArchiveMember {
  std::string name;
  std::uint64_t offset = 0;  ///< of its bytes in the archive; 0 in a thin archive
  std::uint64_t size = 0;
};

struct Archive {
  bool is_thin = false;
  std::vector<ArchiveMember> members;  ///< without symbol tables and the table of long names
};

/// Whether the bytes start as an archive does.
bool looks_like_archive(std::string_view bytes);

/// Reads the headers alone. Errors: parse_error with the offset of the bad header.
Result<Archive> read_archive(const ByteSource& source);

/// The bytes of a member of an archive that is not thin, named `archive!member`.
SubSource member_source(const ByteSource& archive, const ArchiveMember& member);

}  // namespace fitment
