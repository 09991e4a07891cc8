// SPDX-License-Identifier: Apache-2.0
// An ar archive with other bytes for some members: sizes and the table of symbols follow.
#pragma once

#include "base/splice.h"
#include "elf/archive.h"

#include <cstdint>
#include <map>

namespace fitment {

/// New bytes by ArchiveMember::offset. The offsets of their runs are those in the member.
using ReplacedMembers = std::map<std::uint64_t, Splice>;

/// The table of symbols (`/` and `/SYM64/`) is rewritten for the new places. Errors: parse_error;
/// unsupported for thin archives, BSD tables of symbols and sizes that do not fit a header.
Result<Splice> edit_archive(const ByteSource& source, const ReplacedMembers& replaced);

}  // namespace fitment
