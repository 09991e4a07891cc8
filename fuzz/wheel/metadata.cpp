// SPDX-License-Identifier: Apache-2.0
// METADATA of wheels, and the same with variant markers settled: nothing is left to settle.
#include "wheel/metadata.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(fitment::parse_metadata(text, "METADATA"));
  fitment::MarkerEnvironment chosen;
  chosen.variant_label = "cu128";
  chosen.variant_namespaces = {"nvidia"};
  const auto settled = fitment::settle_variant_markers(text, "METADATA", chosen);
  if (!settled || !*settled) {
    return 0;
  }
  const auto again = fitment::settle_variant_markers(**settled, "METADATA", chosen);
  if (!again || *again) {
    std::abort();
  }
  return 0;
}
