// SPDX-License-Identifier: Apache-2.0
#include "record/pylock.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/wheel_filename.h"

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

/// With the local label, which the record keeps apart as the backend.
std::string version_of(const RecordedPackage& package, const RecordedFile& file) {
  const auto wheel = read_wheel_filename(file.name);
  return wheel ? to_string(wheel->version) : package.version;
}

Result<std::string> package_text(const RecordedPackage& package) {
  const RecordedFile* file = package.file ? &*package.file : nullptr;
  if (file == nullptr || file->url.empty() || !file->sha256) {
    const std::string_view missing = file == nullptr     ? "file"
                                     : file->url.empty() ? "address"
                                                         : "digest";
    return fail(ErrorCode::invalid_argument,
                fmt::format("the record does not know the {} of {}", missing, package.requirement))
        .hint("`fitment lock --index INDEX` asks an index for files and digests");
  }
  std::string text = fmt::format("\n[[packages]]\nname = {}\nversion = {}\n",
                                 toml_text(normalize_name(package.name)),
                                 toml_text(version_of(package, *file)));
  if (package.index.find("://") != std::string::npos) {  // a folder is no index
    text += fmt::format("index = {}\n", toml_text(package.index));
  }
  text += fmt::format(
      "\n[[packages.wheels]]\nname = {}\nurl = {}\n", toml_text(file->name), toml_text(file->url));
  if (file->size) {
    text += fmt::format("size = {}\n", *file->size);
  }
  text += fmt::format("hashes = {{ sha256 = {} }}\n", toml_text(*file->sha256));
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
  if (file->derived_from) {
    text += fmt::format("derived-from = {}\n", toml_text("sha256:" + *file->derived_from));
  }
  return text + fmt::format("why = {}\n", list(package.why));
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
  std::vector<const RecordedPackage*> packages;
  for (const RecordedPackage& package : target.packages) {
    packages.push_back(&package);
  }
  std::sort(packages.begin(), packages.end(), [](const auto* a, const auto* b) {
    return normalize_name(a->name) < normalize_name(b->name);
  });
  for (const RecordedPackage* package : packages) {
    FITMENT_TRY_ASSIGN(const std::string lines, package_text(*package));
    text += lines;
  }
  text += fmt::format("\n[tool.fitment]\nmachine = {}\nfacts = {}\ncatalog = {}\n",
                      toml_text(target.machine.name),
                      toml_text("sha256:" + target.digest),
                      toml_text("sha256:" + record.catalog));
  return text;
}

std::string write_requirements(const RecordedTarget& target) {
  std::string text =
      fmt::format("# fitment: {}, facts sha256:{}\n", target.machine.name, target.digest);
  std::vector<std::string> indexes;
  for (const RecordedPackage& package : target.packages) {
    const bool has_address = package.file && !package.file->url.empty() && package.file->sha256;
    if (!has_address && std::find(indexes.begin(), indexes.end(), package.index) == indexes.end()) {
      indexes.push_back(package.index);
    }
  }
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    text += fmt::format("--{} {}\n", i == 0 ? "index-url" : "extra-index-url", indexes[i]);
  }
  for (const RecordedPackage& package : target.packages) {
    const std::string extras = package.extras.empty() ? "" : "[" + join(package.extras, ",") + "]";
    if (package.file && !package.file->url.empty() && package.file->sha256) {
      text += fmt::format(
          "{}{} @ {}#sha256={}\n", package.name, extras, package.file->url, *package.file->sha256);
    } else {
      text += package.requirement + "\n";
    }
  }
  return text;
}

}  // namespace fitment
