// SPDX-License-Identifier: Apache-2.0
// arm64 instruction-set extensions as Linux names them, their HWCAP bits, and the architecture
// version that a set of them shows. Names and bits: arch/arm64/kernel/cpuinfo.c and
// include/uapi/asm/hwcap.h of Linux.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace fitment {

/// The features of AT_HWCAP and AT_HWCAP2.
std::set<std::string> arm_features(std::uint64_t hwcap, std::uint64_t hwcap2);

/// `armv8.2-a`: the highest version whose mandatory features, as far as Linux shows them to
/// programs, are all there. Versions between 9.x follow from 8.5 and SVE2.
std::string arm_level(const std::set<std::string>& features);

/// Arm's name for an implementer code: `ARM`, `Ampere`; empty for unknown ones.
std::string_view arm_implementer(std::string_view code);
/// Marketing name of a core: `Neoverse-V1` for 0x41 and 0xd40; empty for unknown ones.
std::string_view arm_core(std::string_view implementer, std::uint32_t part);

}  // namespace fitment
