// SPDX-License-Identifier: Apache-2.0
// Variant metadata: whatever is read writes to a document that reads back the same, merges with
// itself, and orders in one way; what is refused has a place and a hint.
#include "variant/merge.h"
#include "variant/metadata_reader.h"
#include "variant/variant_order.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void must(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto reading = fitment::examine_metadata(text);
  must(reading.metadata.has_value() != reading.fault.has_value());
  if (reading.fault) {
    const fitment::Error error = fitment::metadata_error(*reading.fault, text, "fuzz");
    must(error.origin().has_value() && !error.hints().empty());
    return 0;
  }
  const fitment::VariantMetadata& metadata = *reading.metadata;
  const std::string once = fitment::write_variant_metadata(metadata);
  const auto again = fitment::parse_variant_metadata(once, "again");
  must(again.has_value() && fitment::write_variant_metadata(*again) == once);
  const auto merged = fitment::merge_metadata({metadata, *again, metadata});
  must(merged.has_value() && merged->variants == metadata.variants);

  std::vector<std::string> labels{"null", "not listed"};
  fitment::SupportedProperties supported;
  for (const fitment::VariantEntry& entry : metadata.variants) {
    labels.push_back(entry.label);
    for (const fitment::VariantFeature& feature : entry.features) {
      supported.push_back({feature.space, {{feature.name, feature.values}}});
    }
  }
  const auto order = fitment::order_variants(metadata, supported, labels);
  must(order.eligible.size() + order.dropped.size() >= metadata.variants.size());
  fitment::order_variants(metadata, {}, labels);
  return 0;
}
