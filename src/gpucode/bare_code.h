// SPDX-License-Identifier: Apache-2.0
// GPU code that is a file of its own: a cubin, an AMD code object, PTX text.
#pragma once

#include "base/byte_source.h"
#include "gpucode/entry.h"

#include <optional>
#include <string_view>

namespace fitment {

/// What the first bytes of a file say: nothing when it is no bare GPU code. `start` is up to 64 KiB
/// of the source.
///
/// Cubin: the architecture stands in e_flags (bits 8-15 from ABI version 8 on, bits 0-7 before);
/// the suffix only in the compiler's note, as `-arch sm_90a`. Code object: e_flags as in LLVM's
/// AMDGPUUsage, "ELF Header e_flags". PTX: its `.version` and `.target` lines.
std::optional<GpuEntry> read_bare_code(const ByteSource& source, std::string_view start);

}  // namespace fitment
