// SPDX-License-Identifier: Apache-2.0
// Everything that an audit tells of one file: ELF tables, unwind tables, relocations, code, GPU
// code.
#include "elf/elf_file.h"
#include "stack/audit_file.h"
#include "stack/unwind_ranges.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (!looks_like_elf(bytes)) {
    for (const AddressRange& range : read_unwind_ranges(bytes, 0x1000)) {
      if (range.size == 0) {
        std::abort();
      }
    }
  }
  const auto source = memory_source(bytes, "input");
  const auto audited = audit_file(*source, {.isa = true, .gpu_code = true, .functions = true});
  if (!audited) {
    if (audited.error().message().empty()) {
      std::abort();
    }
    return 0;
  }
  if (audited->bytes != size) {
    std::abort();
  }
  return 0;
}
