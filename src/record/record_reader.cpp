// SPDX-License-Identifier: Apache-2.0
#include "base/json_position.h"
#include "choose/policy.h"
#include "machine/machine_file.h"
#include "record/record_file.h"
#include "variant/metadata_reader.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;
constexpr std::string_view kSchema = "fitment.lock/1";

/// A value with its place in the document.
class Node {
 public:
  using Path = std::vector<std::string>;

  Node(const Json& json, std::string_view text, const std::string& source, Path path = {})
      : json_(json), text_(text), source_(source), path_(std::move(path)) {}

  [[nodiscard]] Error wrong(ErrorCode code, std::string message) const {
    std::string where;
    for (const std::string& step : path_) {
      where += (where.empty() ? "" : ".") + step;
    }
    return fail(code, where.empty() ? std::move(message) : fmt::format("{}: {}", where, message))
        .at(origin_of_offset(source_, text_, find_json_value(text_, path_)));
  }
  [[nodiscard]] Error wrong(std::string message) const {
    return wrong(ErrorCode::parse_error, std::move(message))
        .hint("`fitment lock` writes the record again");
  }

  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] const std::string& source() const { return source_; }

  /// The member of an object; an error where it is missing.
  [[nodiscard]] Result<Node> at(const char* key) const {
    if (!json_.is_object()) {
      return wrong("an object is expected");
    }
    const auto found = json_.find(key);
    if (found == json_.end()) {
      return wrong(fmt::format("the key `{}` is missing", key));
    }
    return below(*found, key);
  }
  [[nodiscard]] Result<std::vector<Node>> items() const {
    if (!json_.is_array()) {
      return wrong("a list is expected");
    }
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < json_.size(); ++i) {
      nodes.push_back(below(json_[i], std::to_string(i)));
    }
    return nodes;
  }
  [[nodiscard]] Result<std::string> text() const {
    if (!json_.is_string()) {
      return wrong("text is expected");
    }
    return json_.get<std::string>();
  }
  [[nodiscard]] Result<bool> flag() const {
    if (!json_.is_boolean()) {
      return wrong("true or false is expected");
    }
    return json_.get<bool>();
  }

 private:
  [[nodiscard]] Node below(const Json& json, std::string step) const {
    Path path = path_;
    path.push_back(std::move(step));
    return {json, text_, source_, std::move(path)};
  }

  const Json& json_;
  std::string_view text_;
  const std::string& source_;
  Path path_;
};

Status read_text(const Node& object, const char* key, std::string& text) {
  FITMENT_TRY_ASSIGN(const Node node, object.at(key));
  FITMENT_TRY_ASSIGN(text, node.text());
  return {};
}

/// Text or null.
Status read_text(const Node& object, const char* key, std::optional<std::string>& text) {
  FITMENT_TRY_ASSIGN(const Node node, object.at(key));
  if (!node.json().is_null()) {
    FITMENT_TRY_ASSIGN(text, node.text());
  }
  return {};
}

Status read_texts(const Node& object, const char* key, std::vector<std::string>& texts) {
  FITMENT_TRY_ASSIGN(const Node node, object.at(key));
  FITMENT_TRY_ASSIGN(const std::vector<Node> items, node.items());
  for (const Node& item : items) {
    FITMENT_TRY_ASSIGN(std::string text, item.text());
    texts.push_back(std::move(text));
  }
  return {};
}

Status read_flag(const Node& object, const char* key, bool& flag) {
  FITMENT_TRY_ASSIGN(const Node node, object.at(key));
  FITMENT_TRY_ASSIGN(flag, node.flag());
  return {};
}

bool is_sha256(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// `sha256:...`
Status read_digest(const Node& object, const char* key, std::string& digest) {
  constexpr std::string_view kPrefix = "sha256:";
  FITMENT_TRY_ASSIGN(const Node node, object.at(key));
  FITMENT_TRY_ASSIGN(const std::string text, node.text());
  if (!text.starts_with(kPrefix) || !is_sha256(std::string_view(text).substr(kPrefix.size()))) {
    return node.wrong(fmt::format("{} is not a digest like sha256:...", quote(text)));
  }
  digest = text.substr(kPrefix.size());
  return {};
}

Status read_policy(const Node& node, ChoosePolicy& policy) {
  FITMENT_TRY(read_text(node, "backend", policy.backend));
  std::optional<std::string> gpu;
  FITMENT_TRY(read_text(node, "gpu", gpu));
  if (gpu) {
    auto vendor = parse_gpu_vendor(*gpu);
    if (!vendor) {
      return node.wrong(vendor.error().message());
    }
    policy.gpu = *vendor;
  }
  FITMENT_TRY(read_flag(node, "allow_cpu", policy.allow_cpu));
  FITMENT_TRY(read_flag(node, "allow_unsure", policy.allow_unsure));
  std::string prefer;
  FITMENT_TRY(read_text(node, "prefer", prefer));
  const auto parsed = parse_prefer(prefer);
  if (!parsed) {
    return node.wrong(parsed.error().message());
  }
  policy.prefer = *parsed;
  return {};
}

Status read_file_entry(const Node& node, std::optional<RecordedFile>& recorded) {
  if (node.json().is_null()) {
    return {};
  }
  RecordedFile file;
  FITMENT_TRY(read_text(node, "name", file.name));
  FITMENT_TRY(read_text(node, "url", file.url));
  FITMENT_TRY(read_text(node, "sha256", file.sha256));
  FITMENT_TRY(read_text(node, "derived_from", file.derived_from));
  for (const auto& digest : {file.sha256, file.derived_from}) {
    if (digest && !is_sha256(*digest)) {
      return node.wrong(fmt::format("{} is no SHA-256 digest", quote(*digest)));
    }
  }
  FITMENT_TRY_ASSIGN(const Node size, node.at("size"));
  if (!size.json().is_null()) {
    if (!size.json().is_number_unsigned()) {
      return size.wrong("a size in bytes is expected");
    }
    file.size = size.json().get<std::uint64_t>();
  }
  recorded = std::move(file);
  return {};
}

Result<Verdict> read_verdict(const Node& node) {
  FITMENT_TRY_ASSIGN(const std::string text, node.text());
  for (const Verdict verdict : {Verdict::fits, Verdict::unsure}) {
    if (text == to_string(verdict)) {
      return verdict;
    }
  }
  return node.wrong(fmt::format("{} is no verdict of a choice", quote(text)));
}

Status read_version(const Node& object, std::string& version) {
  FITMENT_TRY(read_text(object, "version", version));
  if (const auto parsed = Version::parse(version); !parsed) {
    return object.wrong(parsed.error().message());
  }
  return {};
}

Result<RecordedPackage> read_package(const Node& node) {
  RecordedPackage package;
  FITMENT_TRY(read_text(node, "name", package.name));
  FITMENT_TRY(read_text(node, "request", package.request));
  FITMENT_TRY(read_version(node, package.version));
  std::optional<std::string> backend;
  FITMENT_TRY(read_text(node, "backend", backend));
  package.backend = backend.value_or("");
  FITMENT_TRY(read_text(node, "variant", package.variant));
  std::vector<std::string> properties;
  FITMENT_TRY(read_texts(node, "properties", properties));
  for (const std::string& text : properties) {
    auto property = parse_variant_property(text);
    if (!property) {
      return node.wrong(property.error().message());
    }
    package.properties.push_back(std::move(*property));
  }
  FITMENT_TRY_ASSIGN(const Node metadata, node.at("variants_json"));
  if (!metadata.json().is_null()) {
    auto read = parse_variant_metadata(metadata.json().dump(), node.source());
    if (!read) {
      return metadata.wrong(read.error().message());
    }
    package.metadata = std::move(*read);
  }
  FITMENT_TRY(read_text(node, "requirement", package.requirement));
  FITMENT_TRY(read_texts(node, "extras", package.extras));
  FITMENT_TRY(read_text(node, "index", package.index));
  FITMENT_TRY_ASSIGN(const Node file, node.at("file"));
  FITMENT_TRY(read_file_entry(file, package.file));
  FITMENT_TRY_ASSIGN(const Node verdict, node.at("verdict"));
  FITMENT_TRY_ASSIGN(package.verdict, read_verdict(verdict));
  FITMENT_TRY(read_texts(node, "why", package.why));
  FITMENT_TRY_ASSIGN(const Node warnings, node.at("warnings"));
  FITMENT_TRY_ASSIGN(const std::vector<Node> items, warnings.items());
  for (const Node& item : items) {
    Warning& warning = package.warnings.emplace_back();
    FITMENT_TRY(read_text(item, "id", warning.id));
    FITMENT_TRY(read_text(item, "text", warning.text));
  }
  return package;
}

Result<RecordedDependency> read_dependency(const Node& node) {
  RecordedDependency dependency;
  FITMENT_TRY(read_text(node, "name", dependency.name));
  if (normalize_name(dependency.name) != dependency.name || !is_valid_name(dependency.name)) {
    return node.wrong(fmt::format("{} is no name in normal form", quote(dependency.name)));
  }
  FITMENT_TRY(read_version(node, dependency.version));
  std::optional<std::string> index;
  FITMENT_TRY(read_text(node, "index", index));
  dependency.index = index.value_or("");
  FITMENT_TRY_ASSIGN(const Node file, node.at("file"));
  FITMENT_TRY(read_file_entry(file, dependency.file));
  return dependency;
}

/// A list or null; a record that was written before there were any has no such key.
Status read_dependencies(const Node& target,
                         std::optional<std::vector<RecordedDependency>>& dependencies) {
  if (!target.json().is_object() || !target.json().contains("dependencies")
      || target.json()["dependencies"].is_null()) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const Node list, target.at("dependencies"));
  FITMENT_TRY_ASSIGN(const std::vector<Node> items, list.items());
  dependencies.emplace();
  for (const Node& item : items) {
    FITMENT_TRY_ASSIGN(RecordedDependency dependency, read_dependency(item));
    dependencies->push_back(std::move(dependency));
  }
  return {};
}

Result<RecordedTarget> read_target(const Node& node) {
  RecordedTarget target;
  FITMENT_TRY_ASSIGN(const Node machine, node.at("machine"));
  auto parsed = parse_machine(machine.json().dump(), node.source());
  if (!parsed) {
    return machine.wrong(parsed.error().message());
  }
  target.machine = std::move(*parsed);
  FITMENT_TRY(read_text(node, "name", target.machine.name));
  FITMENT_TRY(read_digest(node, "digest", target.digest));
  FITMENT_TRY_ASSIGN(const Node packages, node.at("packages"));
  FITMENT_TRY_ASSIGN(const std::vector<Node> items, packages.items());
  for (const Node& item : items) {
    FITMENT_TRY_ASSIGN(RecordedPackage package, read_package(item));
    target.packages.push_back(std::move(package));
  }
  FITMENT_TRY(read_dependencies(node, target.dependencies));
  FITMENT_TRY(read_texts(node, "outside", target.outside));
  return target;
}

Result<LockRecord> read_record(const Node& root) {
  FITMENT_TRY_ASSIGN(const Node schema, root.at("schema"));
  FITMENT_TRY_ASSIGN(const std::string schema_text, schema.text());
  if (schema_text != kSchema) {
    return schema
        .wrong(ErrorCode::unsupported, fmt::format("the record says {}", quote(schema_text)))
        .hint(fmt::format("this fitment reads {}", kSchema));
  }
  LockRecord record;
  FITMENT_TRY(read_texts(root, "requests", record.requests));
  FITMENT_TRY_ASSIGN(const Node policy, root.at("policy"));
  FITMENT_TRY(read_policy(policy, record.policy));
  FITMENT_TRY_ASSIGN(const Node catalog, root.at("catalog"));
  FITMENT_TRY(read_digest(catalog, "digest", record.catalog));
  FITMENT_TRY(read_texts(root, "rules", record.rules));
  FITMENT_TRY_ASSIGN(const Node targets, root.at("targets"));
  FITMENT_TRY_ASSIGN(const std::vector<Node> items, targets.items());
  for (const Node& item : items) {
    FITMENT_TRY_ASSIGN(RecordedTarget target, read_target(item));
    record.targets.push_back(std::move(target));
  }
  return record;
}

}  // namespace

Result<LockRecord> parse_record_file(std::string_view text, const std::string& source) {
  if (const auto deep = find_too_deep_json(text, kDeepest)) {
    return fail(ErrorCode::parse_error, fmt::format("values nest deeper than {}", kDeepest))
        .at(origin_of_offset(source, text, *deep));
  }
  try {
    const Json json = Json::parse(text);
    return read_record(Node(json, text, source));
  } catch (const Json::parse_error& error) {
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    return fail(ErrorCode::parse_error, "the record is not JSON")
        .at(origin_of_offset(source, text, offset))
        .hint("`fitment lock` writes the record again");
  } catch (const Json::exception&) {
    return fail(ErrorCode::parse_error, "the record holds a number that is too large")
        .at({source, {}, {}, {}})
        .hint("`fitment lock` writes the record again");
  }
}

}  // namespace fitment
