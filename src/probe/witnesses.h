// SPDX-License-Identifier: Apache-2.0
// Facts about a host that are not files: what the CPUID instruction, the auxiliary vector, uname
// and the C library say; and their text forms for recorded hosts.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct CpuidLeaf {
  std::uint32_t leaf = 0;
  std::uint32_t subleaf = 0;
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
};

/// CPUID as a program of the host sees it.
struct CpuidTable {
  std::vector<CpuidLeaf> leaves;
  /// XGETBV(0): the register state that the kernel saves. Without it no AVX register is usable.
  std::optional<std::uint64_t> xcr0;

  [[nodiscard]] const CpuidLeaf* find(std::uint32_t leaf, std::uint32_t subleaf) const;
};

/// The kernel's word on arm64 instruction sets, and the platform name that it hands to programs.
struct AuxiliaryVector {
  std::uint64_t hwcap = 0;
  std::uint64_t hwcap2 = 0;
  std::string platform;
};

struct KernelName {
  std::string system;   ///< `Linux`
  std::string node;     ///< host name
  std::string release;  ///< `6.8.0-64-generic`
  std::string machine;  ///< `x86_64`
};

struct HostWitnesses {
  std::optional<CpuidTable> cpuid;
  std::optional<AuxiliaryVector> auxv;
  std::optional<KernelName> kernel;
  std::string glibc;  ///< version of the C library of this process; empty: another library, or none
};

/// The witnesses of the running process.
HostWitnesses live_witnesses();

/// One leaf a line, `0x00000007 0x00: eax=0x00000001 ebx=0x219c07ab ecx=0x00000000 edx=0x00000010`
/// (as `cpuid -1 -r` prints them), and `xcr0 0x00000000000002e7`; lines that begin with # or with
/// `CPU` are skipped. Error: parse_error with `source` and line.
Result<CpuidTable> parse_cpuid(std::string_view text, const std::string& source);
std::string to_string(const CpuidTable& table);

/// `HWCAP 0xffffffff`, `HWCAP2 0x1`, `PLATFORM aarch64`, one a line.
Result<AuxiliaryVector> parse_auxv(std::string_view text, const std::string& source);
std::string to_string(const AuxiliaryVector& auxv);

/// The four words of `uname -snrm`.
Result<KernelName> parse_uname(std::string_view text, const std::string& source);
std::string to_string(const KernelName& kernel);

}  // namespace fitment
