// SPDX-License-Identifier: Apache-2.0
#include "elf/ld_so_cache.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  if (const auto cache = fitment::LdCache::parse(bytes, "input")) {
    static_cast<void>(cache->find("liba.so.1", fitment::ElfMachine::em_x86_64, {"x86-64-v3"}));
  }
  return 0;
}
