// SPDX-License-Identifier: Apache-2.0
// Processors by the names that uname, platform tags and machine files use.
#pragma once

#include "elf/types.h"

#include <optional>
#include <string_view>

namespace fitment {

/// `x86_64`, `aarch64`, `ppc64le`, `riscv64`; empty for other machines. The byte order of POWER is
/// not in e_machine: little-endian is taken for granted, as in all Linux distributions of today.
std::string_view architecture_name(ElfMachine machine);

/// The machine of such a name.
std::optional<ElfMachine> find_architecture(std::string_view name);

}  // namespace fitment
