// SPDX-License-Identifier: Apache-2.0
// Private: the few facts of an ELF file that a probe needs: its architecture and the loader that it
// asks for. Bounded: reads the first pages only.
#pragma once

#include "probe/host_view.h"

#include <optional>
#include <string>

namespace fitment {

struct ElfHead {
  std::string arch;  ///< as uname says it: `x86_64`; empty: another one
  std::string
      interpreter;  ///< PT_INTERP, `/lib64/ld-linux-x86-64.so.2`; empty: static, or a library
};

/// Nothing when the file cannot be read or is no 64-bit little-endian ELF file.
std::optional<ElfHead> read_elf_head(const HostView& host, const std::string& path);

}  // namespace fitment
