// SPDX-License-Identifier: Apache-2.0
// What the commands of `fitment variant` are given: wheels, folders of them and files of metadata,
// and the user's decisions about providers.
#pragma once

#include "base/error.h"
#include "cli/invocation.h"
#include "cli/streams.h"
#include "variant/abi_dependency.h"
#include "variant/metadata_reader.h"
#include "variant/trust.h"
#include "variant/wheel_folder.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// Metadata that were read, usable or not.
struct GivenMetadata {
  std::string file;
  std::string text;
};

/// One package version as it was given.
struct GivenPackage {
  std::string name;
  std::string version;
  std::vector<std::string> files;   ///< of wheels
  std::vector<std::string> labels;  ///< of those that are variants; may repeat
  std::optional<GivenMetadata> metadata;
};

struct VariantInputs {
  std::vector<GivenPackage> packages;  ///< sorted by name and version
  std::vector<std::string> misnamed;   ///< names of no wheel
};

/// Files may be names of wheels (which need not exist), folders of wheels, and JSON files; a JSON
/// file that is not named NAME-VERSION-variants.json belongs to the only package version there is.
Result<VariantInputs> gather_variant_inputs(const std::vector<std::string>& files);

/// Error: not_found with a hint.
Result<WheelFolder> wheel_folder_of(const std::filesystem::path& path);

/// --config (or ./fitment.toml when it exists) and --enable.
Result<TrustPolicy> load_trust_policy(const Invocation& invocation, const Streams& streams);

/// --environment and VARIANT_ABI_DEPENDENCY; nullopt when neither was given.
Result<std::optional<NamespaceAnswer>> load_abi_dependencies(const Invocation& invocation,
                                                             const Streams& streams);

/// --config and --enable.
std::vector<OptionSpec> trust_options();

}  // namespace fitment
