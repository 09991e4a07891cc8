// SPDX-License-Identifier: Apache-2.0
// The one place that decides who answers for a namespace (PEP 850 with nothing executed):
//
//   1. the user's own list in fitment.toml, exclusively
//   2. nobody, when the publisher calls the provider optional and it was not switched on
//   3. the publisher's list in the metadata (`static-properties`), exclusively
//   4. a native provider: by namespace where the format names no packages, else only when the
//      publisher requires the package that it stands for
//   5. nobody: no package is ever installed or run to answer
#pragma once

#include "base/error.h"
#include "machine/machine.h"
#include "variant/variant_metadata.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// What the user decided.
struct TrustPolicy {
  SupportedProperties lists;         ///< `[variant.static.NAMESPACE]`
  std::vector<std::string> enabled;  ///< namespaces whose optional provider is switched on
};

struct NamespaceAnswer {
  enum class Source {
    user,       ///< the user's list
    publisher,  ///< the list in the metadata: asserted, not detected
    native,     ///< worked out from the facts of the machine
    disabled,   ///< an optional provider that is off
    nobody,     ///< a provider that would have to be run
  };
  std::string space;
  Source source = Source::nobody;
  std::string provider;  ///< package that the publisher requires, or that the native one stands for
  std::vector<SupportedFeature> features;  ///< empty: nothing is supported
};
/// `native`
std::string_view to_string(NamespaceAnswer::Source source);

/// `named` is what the metadata say; `has_providers` tells a format that names providers at all.
/// Error: invalid_argument for an override that cannot be read.
Result<NamespaceAnswer> answer_namespace(std::string_view space,
                                         const VariantProvider* named,
                                         bool has_providers,
                                         const Machine& machine,
                                         const TrustPolicy& policy);

/// The namespaces that the metadata list, in their order.
Result<std::vector<NamespaceAnswer>> answer_namespaces(const VariantMetadata& metadata,
                                                       const Machine& machine,
                                                       const TrustPolicy& policy);

SupportedProperties supported_by(const std::vector<NamespaceAnswer>& answers);

/// Who answered, in words, and for an empty answer the next step.
std::string describe_answer(const NamespaceAnswer& answer);

}  // namespace fitment
