// SPDX-License-Identifier: Apache-2.0
#include "wheel/specifier.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto set = fitment::SpecifierSet::parse(text);
  if (set) {
    const auto again = fitment::SpecifierSet::parse(to_string(*set));
    if (!again || *again != *set) {
      std::abort();
    }
    for (const fitment::Specifier& specifier : set->specifiers()) {
      if (specifier.op == fitment::SpecifierOperator::equal
          && !set->contains(specifier.version, fitment::Prereleases::yes)
          && set->specifiers().size() == 1) {
        std::abort();
      }
    }
  }
  return 0;
}
