// SPDX-License-Identifier: Apache-2.0
// Small texts about variants: [variant] of fitment.toml, VARIANT_ABI_DEPENDENCY, properties as
// people write them, addresses of schemas.
#include "variant/abi_dependency.h"
#include "variant/schema_url.h"
#include "variant/static_lists.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto policy = parse_trust_policy(text, "fuzz");
  if (!policy && !policy.error().origin()) {
    std::abort();
  }
  std::vector<std::string> ignored;
  static_cast<void>(abi_dependencies(parse_abi_dependencies(text, ignored)));
  if (const auto property = parse_variant_property(text)) {
    const auto again = parse_variant_property(to_string(*property));
    if (!again || *again != *property || !is_variant_name(property->space)
        || !is_variant_value(property->value)) {
      std::abort();
    }
  }
  static_cast<void>(parse_schema_url(text));
  return 0;
}
