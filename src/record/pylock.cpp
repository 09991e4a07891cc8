// SPDX-License-Identifier: Apache-2.0
#include "record/pylock.h"

#include "base/text.h"
#include "record/pinned_package.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// A basic string of TOML.
std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string list(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  parts.reserve(words.size());
  for (const std::string& word : words) {
    parts.push_back(toml_text(word));
  }
  return "[" + join(parts, ", ") + "]";
}

/// The metadata without the labels of other wheels.
std::string variants_text(const VariantMetadata& metadata, const std::string& label) {
  std::string text =
      fmt::format("[packages.variants-json]\n\"$schema\" = {}\n", toml_text(metadata.schema.url));
  text += fmt::format("default-priorities = {{ namespace = {} }}\n", list(metadata.namespaces));
  for (const VariantProvider& provider : metadata.providers) {
    const std::string table =
        fmt::format("[packages.variants-json.providers.{}]\n", toml_text(provider.space));
    text += table;
    if (!provider.requirements.empty()) {
      text += fmt::format("requires = {}\n", list(provider.requirements));
    }
    for (const SupportedFeature& feature : provider.static_properties) {
      text += fmt::format("static-properties.{} = {}\n", feature.name, list(feature.values));
    }
  }
  text += fmt::format("[packages.variants-json.variants.{}]\n", toml_text(label));
  if (const VariantEntry* entry = metadata.find_variant(label)) {
    for (const VariantFeature& feature : entry->features) {
      text += fmt::format("{}.{} = {}\n", feature.space, feature.name, list(feature.values));
    }
  }
  return text;
}

/// Markers that say where the target's wheels can be installed at all.
std::string environment_of(const Machine& machine) {
  std::string marker = "sys_platform == 'linux'";
  if (machine.system.arch) {
    marker += fmt::format(" and platform_machine == '{}'", *machine.system.arch);
  }
  if (machine.python.version) {
    const auto parts = split(*machine.python.version, '.');
    if (parts.size() > 1) {
      marker += fmt::format(" and python_version == '{}.{}'", parts[0], parts[1]);
    }
  }
  return marker;
}

/// What only fitment knows of a package that it chose.
std::string choice_text(const RecordedPackage& package, const RecordedFile& file) {
  std::string text;
  if (package.metadata && package.variant) {
    text += "\n" + variants_text(*package.metadata, *package.variant);
  }
  text += fmt::format("\n[packages.tool.fitment]\nrequest = {}\n", toml_text(package.request));
  if (!package.backend.empty()) {
    text += fmt::format("backend = {}\n", toml_text(package.backend));
  }
  if (package.variant) {
    text += fmt::format("variant = {}\n", toml_text(*package.variant));
  }
  if (file.derived_from) {
    text += fmt::format("derived-from = {}\n", toml_text("sha256:" + *file.derived_from));
  }
  return text + fmt::format("why = {}\n", list(package.why));
}

Error missing_file(const PinnedPackage& package) {
  const std::string_view missing = package.file == nullptr     ? "file"
                                   : package.file->url.empty() ? "address"
                                                               : "digest";
  return fail(ErrorCode::invalid_argument,
              fmt::format("the record does not know the {} of {}", missing, package.requirement))
      .hint(package.choice == nullptr
                ? "`fitment install` into a new environment records every file that it installs"
                : "`fitment lock --index INDEX` asks an index for files and digests");
}

Result<std::string> package_text(const PinnedPackage& package) {
  if (!package.has_address()) {
    return missing_file(package);
  }
  const RecordedFile& file = *package.file;
  std::string text = fmt::format("\n[[packages]]\nname = {}\nversion = {}\n",
                                 toml_text(normalize_name(package.name)),
                                 toml_text(package.version));
  if (package.index.find("://") != std::string::npos) {  // a folder is no index
    text += fmt::format("index = {}\n", toml_text(package.index));
  }
  text += fmt::format("\n{}\nname = {}\nurl = {}\n",
                      file.name.ends_with(".whl") ? "[[packages.wheels]]" : "[packages.sdist]",
                      toml_text(file.name),
                      toml_text(file.url));
  if (file.size) {
    text += fmt::format("size = {}\n", *file.size);
  }
  text += fmt::format("hashes = {{ sha256 = {} }}\n", toml_text(*file.sha256));
  return text + (package.choice == nullptr ? "" : choice_text(*package.choice, file));
}

}  // namespace

std::string pylock_name(const RecordedTarget& target) {
  std::string name;
  for (const char c : target.machine.name) {
    name += is_alnum(c) || c == '-' || c == '_' ? c : '-';
  }
  return name.empty() ? "pylock.toml" : fmt::format("pylock.{}.toml", name);
}

Result<std::string> write_pylock(const LockRecord& record, const RecordedTarget& target) {
  std::string text =
      fmt::format("lock-version = \"1.0\"\nenvironments = {}\ncreated-by = \"fitment\"\n",
                  list({environment_of(target.machine)}));
  std::vector<PinnedPackage> packages = pinned_packages(target);
  std::sort(packages.begin(), packages.end(), [](const auto& a, const auto& b) {
    return normalize_name(a.name) < normalize_name(b.name);
  });
  for (const PinnedPackage& package : packages) {
    FITMENT_TRY_ASSIGN(const std::string lines, package_text(package));
    text += lines;
  }
  text += fmt::format("\n[tool.fitment]\nmachine = {}\nfacts = {}\ncatalog = {}\n",
                      toml_text(target.machine.name),
                      toml_text("sha256:" + target.digest),
                      toml_text("sha256:" + record.catalog));
  return text;
}

}  // namespace fitment
