// SPDX-License-Identifier: Apache-2.0
// Asks the processor, the kernel and the C library of this process.
#include "probe/witnesses.h"

#include <sys/auxv.h>
#include <sys/utsname.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace fitment {

namespace {

#ifdef __x86_64__

/// The leaves that detectors read: features, brand string, hypervisor. In a virtual machine every
/// CPUID leaves to the hypervisor, so only these are asked.
std::optional<CpuidTable> live_cpuid() {
  CpuidTable table;
  const auto ask = [&table](std::uint32_t leaf, std::uint32_t subleaf) {
    CpuidLeaf row{leaf, subleaf};
    __cpuid_count(leaf, subleaf, row.eax, row.ebx, row.ecx, row.edx);
    table.leaves.push_back(row);
    return row;
  };
  constexpr std::uint32_t kExtended = 0x80000000;
  constexpr std::uint32_t kHypervisor = 0x40000000;
  const std::uint32_t highest = ask(0, 0).eax;
  const CpuidLeaf first = ask(1, 0);
  if (highest >= 7) {
    if (ask(7, 0).eax >= 1) {
      ask(7, 1);
    }
  }
  if (highest >= 0xd) {
    ask(0xd, 1);
  }
  const std::uint32_t highest_extended = ask(kExtended, 0).eax;
  for (std::uint32_t leaf = kExtended + 1; leaf <= highest_extended && leaf <= kExtended + 8;
       ++leaf) {
    if (leaf <= kExtended + 4 || leaf == kExtended + 8) {
      ask(leaf, 0);
    }
  }
  if ((first.ecx >> 31U) != 0) {
    ask(kHypervisor, 0);
  }
  constexpr std::uint32_t kOsxsave = 27;
  if (((first.ecx >> kOsxsave) & 1U) != 0) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    table.xcr0 = (std::uint64_t{high} << 32U) | low;
  }
  return table;
}

#else

std::optional<CpuidTable> live_cpuid() {
  return {};
}

#endif

std::string process_glibc() {
#ifdef __GLIBC__
  return ::gnu_get_libc_version();
#else
  return {};
#endif
}

}  // namespace

HostWitnesses live_witnesses() {
  HostWitnesses witnesses;
  witnesses.cpuid = live_cpuid();
  AuxiliaryVector auxv{::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2), {}};
  if (const unsigned long platform = ::getauxval(AT_PLATFORM); platform != 0) {
    // The kernel's string in our stack. NOLINTNEXTLINE(performance-no-int-to-ptr)
    auxv.platform = reinterpret_cast<const char*>(platform);
  }
  witnesses.auxv = auxv;
  utsname name{};
  if (::uname(&name) == 0) {
    witnesses.kernel = KernelName{name.sysname, name.nodename, name.release, name.machine};
  }
  witnesses.glibc = process_glibc();
  return witnesses;
}

}  // namespace fitment
