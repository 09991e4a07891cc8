// SPDX-License-Identifier: Apache-2.0
#include "elf/archive.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = fitment::memory_source(std::string(data, data + size), "input");
  if (const auto archive = fitment::read_archive(*source)) {
    for (const fitment::ArchiveMember& member : archive->members) {
      const fitment::SubSource part = fitment::member_source(*source, member);
      static_cast<void>(part.read(0, part.size(), "a member"));
    }
  }
  return 0;
}
