// SPDX-License-Identifier: Apache-2.0
#include "cli/variant_inputs.h"

#include "base/files.h"
#include "base/posix_io.h"
#include "base/text.h"
#include "cli/environment.h"
#include "stack/installed_distribution.h"
#include "stack/python_environment.h"
#include "variant/static_lists.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kVariants = "-variants.json";

using PackageKey = std::pair<std::string, std::string>;

class VariantGatherer {
 public:
  Status add(const std::string& given) {
    const std::filesystem::path path(given);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      return add_folder(path);
    }
    const std::string name = path.filename().string();
    if (name.ends_with(".json")) {
      return add_metadata(path);
    }
    if (const auto wheel = read_wheel_filename(name)) {
      add_wheel(*wheel, name);
    } else if (name.ends_with(".whl")) {
      inputs_.misnamed.push_back(name);
    } else {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("`{}` is no wheel, no folder and no JSON file", given))
          .hint("give names of wheels, a folder of wheels, and NAME-VERSION-variants.json");
    }
    return {};
  }

  Result<VariantInputs> take() {
    for (const auto& [path, metadata] : nameless_) {
      if (packages_.size() != 1) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("`{}` does not say which package it describes", path))
            .hint(packages_.empty() ? "give the wheels too, or name it NAME-VERSION-variants.json"
                                    : "name it NAME-VERSION-variants.json");
      }
      packages_.begin()->second.metadata = metadata;
    }
    for (auto& [key, package] : packages_) {
      inputs_.packages.push_back(std::move(package));
    }
    return std::move(inputs_);
  }

 private:
  GivenPackage& package_of(const std::string& name, const std::string& version) {
    GivenPackage& package = packages_[{name, version}];
    package.name = name;
    package.version = version;
    return package;
  }

  void add_wheel(const WheelFilename& wheel, const std::string& file) {
    GivenPackage& package =
        package_of(normalize_name(wheel.distribution), to_string(wheel.version));
    package.files.push_back(file);
    if (wheel.variant_label) {
      package.labels.push_back(*wheel.variant_label);
    }
  }

  Status add_metadata(const std::filesystem::path& path) {
    auto text = read_file(path, kLargestMetadata);
    if (!text) {
      return std::move(text).error().hint("a JSON file must be there; names of wheels need not");
    }
    GivenMetadata metadata{path.string(), std::move(*text)};
    const std::string file = path.filename().string();
    // Read as the name of a wheel, so that name and version mean the same in both.
    const std::string stem = file.substr(0, file.size() - std::min(file.size(), kVariants.size()));
    const auto name = read_wheel_filename(stem + "-py3-none-any.whl");
    if (!file.ends_with(kVariants) || !name) {
      nameless_.emplace_back(path.string(), std::move(metadata));
      return {};
    }
    package_of(normalize_name(name->distribution), to_string(name->version)).metadata =
        std::move(metadata);
    return {};
  }

  Status add_folder(const std::filesystem::path& path) {
    FITMENT_TRY_ASSIGN(WheelFolder folder, read_wheel_folder(path));
    for (const MisnamedWheel& wheel : folder.misnamed) {
      inputs_.misnamed.push_back(wheel.file);
    }
    for (const FolderPackage& package : folder.packages) {
      for (const FolderWheel& wheel : package.wheels) {
        add_wheel(wheel.name, wheel.file);
      }
      if (!package.index_file.empty()) {
        FITMENT_TRY(add_metadata(package.index_file));
      }
    }
    for (const std::string& file : folder.index_files_without_wheels) {
      FITMENT_TRY(add_metadata(path / file));
    }
    return {};
  }

  VariantInputs inputs_;
  std::map<PackageKey, GivenPackage> packages_;
  std::vector<std::pair<std::string, GivenMetadata>> nameless_;
};

Result<std::vector<AbiPackage>> installed_in(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(folder, error);
  if (error) {
    return system_error(error.value(), "look at", folder)
        .hint("give an environment folder or a site-packages folder");
  }
  const DirectoryView whole("/");
  FITMENT_TRY_ASSIGN(const PythonEnvironment environment,
                     read_python_environment(whole, path.string(), {}));
  std::vector<AbiPackage> packages;
  for (const std::string& site : environment.sites) {
    FITMENT_TRY_ASSIGN(const SitePackages content, read_site_packages(whole, site));
    for (const InstalledDistribution& distribution : content.distributions) {
      packages.push_back({distribution.name, distribution.metadata.version});
    }
  }
  return packages;
}

}  // namespace

Result<VariantInputs> gather_variant_inputs(const std::vector<std::string>& files) {
  VariantGatherer gatherer;
  for (const std::string& file : files) {
    FITMENT_TRY(gatherer.add(file));
  }
  return gatherer.take();
}

Result<WheelFolder> wheel_folder_of(const std::filesystem::path& path) {
  auto folder = read_wheel_folder(path);
  if (!folder) {
    return std::move(folder).error().hint("give a folder that holds wheels");
  }
  return folder;
}

Result<TrustPolicy> load_trust_policy(const Invocation& invocation, const Streams& streams) {
  TrustPolicy policy;
  std::error_code ignored;
  std::optional<std::string> file = invocation.find("config");
  const bool is_found = !file && std::filesystem::exists("fitment.toml", ignored);
  if (is_found) {
    file = "fitment.toml";
  }
  if (file) {
    const auto text = read_file(*file);
    if (!text) {
      return Error(text.error()).hint("--config names a file with the table [variant]");
    }
    FITMENT_TRY_ASSIGN(policy, parse_trust_policy(*text, *file));
    if (is_found && !policy.lists.empty()) {
      streams.note("lists of `fitment.toml` are in force");
    }
  }
  for (const std::string& space : invocation.list("enable")) {
    if (!is_variant_name(space)) {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a namespace", space))
          .at({"--enable", {}, {}, {}})
          .hint("namespaces are lower-case letters, digits and `_`: `--enable nvidia`");
    }
    policy.enabled.push_back(space);
  }
  return policy;
}

Result<std::optional<NamespaceAnswer>> load_abi_dependencies(const Invocation& invocation,
                                                             const Streams& streams) {
  const std::string forced = value_of(streams.environment, "VARIANT_ABI_DEPENDENCY");
  const auto folder = invocation.find("environment");
  std::vector<AbiPackage> packages;
  std::string provider;
  if (!forced.empty()) {
    std::vector<std::string> wrong;
    packages = parse_abi_dependencies(forced, wrong);
    provider = "VARIANT_ABI_DEPENDENCY";
    for (const std::string& item : wrong) {
      streams.warn(fmt::format("VARIANT_ABI_DEPENDENCY: `{}` is not NAME==VERSION", item));
    }
  } else if (folder) {
    FITMENT_TRY_ASSIGN(packages, installed_in(*folder));
    provider = *folder;
  } else {
    return std::optional<NamespaceAnswer>();
  }
  return std::optional(NamespaceAnswer{std::string(kAbiDependency),
                                       NamespaceAnswer::Source::native,
                                       provider,
                                       abi_dependencies(packages).features});
}

std::vector<OptionSpec> trust_options() {
  return {{.name = "config",
           .help = "file with the table [variant]: your own lists for namespaces (default: "
                   "./fitment.toml when it exists)",
           .value = "FILE",
           .completes = Completes::file,
           .group = "Providers"},
          {.name = "enable",
           .help = "switch on the optional provider of a namespace",
           .value = "NAMESPACE",
           .repeatable = true,
           .group = "Providers"}};
}

}  // namespace fitment
