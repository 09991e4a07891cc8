// SPDX-License-Identifier: Apache-2.0
#include "machine/machine_reader.h"

#include "base/json_position.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kSchemaName = "fitment.machine/";
constexpr std::string_view kSchema = "fitment.machine/1";
constexpr std::size_t kMostGpus = 4096;

/// `gpus[0].target`, the spelling of paths in evidence and messages.
std::string dotted(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& key : path) {
    if (parse_unsigned(key)) {
      text += "[" + key + "]";
    } else {
      text += (text.empty() ? "" : ".") + key;
    }
  }
  return text;
}

std::string pointer(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& key : path) {
    text += "/" + replace_all(replace_all(key, "~", "~0"), "/", "~1");
  }
  return text;
}

std::vector<std::string> below(std::vector<std::string> path, std::string key) {
  path.push_back(std::move(key));
  return path;
}

const nlohmann::ordered_json* value_at(const nlohmann::ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

std::string describe_json_error(std::string_view what) {
  // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while ..."
  const std::size_t colon = what.find(": ");
  return std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
}

namespace {

/// `the number -5`, `a list`: what stands where something else should.
std::string describe(const nlohmann::ordered_json& got) {
  switch (got.type()) {
    case nlohmann::ordered_json::value_t::object:
      return "an object";
    case nlohmann::ordered_json::value_t::array:
      return "a list";
    case nlohmann::ordered_json::value_t::string:
      return "a string";
    case nlohmann::ordered_json::value_t::boolean:
    case nlohmann::ordered_json::value_t::null:
      return got.dump();
    default:
      return "the number " + got.dump();
  }
}

}  // namespace

Error MachineReader::wrong(const Path& path, const std::string& message) const {
  return fail(ErrorCode::parse_error, message)
      .at(origin_of_offset(source_, text_, find_json_value(text_, path)))
      .while_doing("reading a machine file");
}

Error MachineReader::wrong_type(const Path& path,
                                std::string_view expected,
                                const Json& got) const {
  return wrong(path, fmt::format("`{}` must be {}, not {}", dotted(path), expected, describe(got)))
      .hint("null or no key at all means that the fact is unknown");
}

std::string MachineReader::evidence_for(const Path& path) const {
  if (evidence_ == nullptr) {
    return {};
  }
  const auto found = evidence_->find(dotted(path));
  return found != evidence_->end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
}

Result<const MachineReader::Json*> MachineReader::object_at(const Json& parent, const Path& path) {
  const Json* value = value_at(parent, path.back().c_str());
  if (value != nullptr && !value->is_object()) {
    return wrong_type(path, "an object", *value);
  }
  return value;
}

void MachineReader::keep_unknown_keys(const Json& object,
                                      const Path& path,
                                      const std::set<std::string>& known) {
  for (const auto& [key, value] : object.items()) {
    if (known.count(key) == 0) {
      extras_.push_back(
          {pointer(below(path, key)), value.dump(-1, ' ', false, Json::error_handler_t::replace)});
    }
  }
}

Status MachineReader::read_text(const Json& object,
                                Path path,
                                const char* key,
                                Known<std::string>& fact) const {
  path.emplace_back(key);
  const Json* value = value_at(object, key);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_string()) {
    return wrong_type(path, "a string", *value);
  }
  if (value->get_ref<const std::string&>().empty()) {
    return wrong(path, fmt::format("`{}` is an empty string", dotted(path)))
        .hint("write null where the fact is unknown");
  }
  fact.set(value->get<std::string>(), evidence_for(path));
  return {};
}

Status MachineReader::read_bool(const Json& object,
                                Path path,
                                const char* key,
                                Known<bool>& fact) const {
  path.emplace_back(key);
  const Json* value = value_at(object, key);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_boolean()) {
    return wrong_type(path, "true or false", *value);
  }
  fact.set(value->get<bool>(), evidence_for(path));
  return {};
}

Status MachineReader::read_version(const Json& object,
                                   Path path,
                                   const char* key,
                                   Known<DottedVersion>& fact,
                                   bool may_have_suffix) const {
  Known<std::string> text;
  FITMENT_TRY(read_text(object, path, key, text));
  path.emplace_back(key);
  if (text) {
    // ROCm calls its releases `6.4.1-83` in files: the number of the build does not count.
    const std::size_t end = may_have_suffix ? text->find('-') : std::string::npos;
    auto version = DottedVersion::parse(std::string_view(*text).substr(0, end));
    if (!version) {
      return wrong(path, fmt::format("`{}`: {}", dotted(path), version.error().message()));
    }
    fact.set(std::move(*version), text.evidence());
  }
  return {};
}

Status MachineReader::read_system(const Json& parent, System& system) {
  const Path path{"system"};
  FITMENT_TRY_ASSIGN(const Json* object, object_at(parent, path));
  if (object == nullptr) {
    return {};
  }
  keep_unknown_keys(
      *object, path, {"os", "arch", "kernel", "distribution", "libc", "container", "wsl"});
  FITMENT_TRY(read_text(*object, path, "os", system.os));
  FITMENT_TRY(read_text(*object, path, "arch", system.arch));
  FITMENT_TRY(read_text(*object, path, "kernel", system.kernel));
  FITMENT_TRY(read_text(*object, path, "distribution", system.distribution));
  FITMENT_TRY(read_text(*object, path, "container", system.container));
  FITMENT_TRY(read_bool(*object, path, "wsl", system.wsl));
  const Path libc_path = below(path, "libc");
  FITMENT_TRY_ASSIGN(const Json* libc, object_at(*object, libc_path));
  if (libc != nullptr) {
    keep_unknown_keys(*libc, libc_path, {"family", "version"});
    Known<std::string> family;
    Known<DottedVersion> version;
    FITMENT_TRY(read_text(*libc, libc_path, "family", family));
    FITMENT_TRY(read_version(*libc, libc_path, "version", version));
    if (family) {
      system.libc.set({*family, version.value_or({})}, evidence_for(libc_path));
    }
  }
  return {};
}

Status MachineReader::read_cpu(const Json& parent, Cpu& cpu) {
  const Path path{"cpu"};
  FITMENT_TRY_ASSIGN(const Json* object, object_at(parent, path));
  if (object == nullptr) {
    return {};
  }
  keep_unknown_keys(*object, path, {"vendor", "name", "microarchitecture", "level", "features"});
  FITMENT_TRY(read_text(*object, path, "vendor", cpu.vendor));
  FITMENT_TRY(read_text(*object, path, "name", cpu.name));
  FITMENT_TRY(read_text(*object, path, "microarchitecture", cpu.microarchitecture));
  FITMENT_TRY(read_text(*object, path, "level", cpu.level));
  const Path features_path = below(path, "features");
  const Json* features = value_at(*object, "features");
  if (features == nullptr) {
    return {};
  }
  if (!features->is_array()) {
    return wrong_type(features_path, "a list of strings", *features);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < features->size(); ++i) {
    if (!(*features)[i].is_string()) {
      return wrong_type(below(features_path, std::to_string(i)), "a string", (*features)[i]);
    }
    names.push_back((*features)[i].get<std::string>());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  cpu.features.set(std::move(names), evidence_for(features_path));
  return {};
}

Result<Gpu> MachineReader::read_gpu(const Json& object, const Path& path) {
  if (!object.is_object()) {
    return wrong_type(path, "an object", object);
  }
  keep_unknown_keys(
      object,
      path,
      {"vendor", "name", "target", "memory_bytes", "pci_id", "integrated", "uuid", "mig"});
  Gpu gpu;
  Known<std::string> vendor;
  Known<std::string> target;
  FITMENT_TRY(read_text(object, path, "vendor", vendor));
  FITMENT_TRY(read_text(object, path, "target", target));
  FITMENT_TRY(read_text(object, path, "name", gpu.name));
  FITMENT_TRY(read_text(object, path, "pci_id", gpu.pci_id));
  FITMENT_TRY(read_text(object, path, "uuid", gpu.uuid));
  FITMENT_TRY(read_bool(object, path, "integrated", gpu.integrated));
  const Path mig_path = below(path, "mig");
  FITMENT_TRY_ASSIGN(const Json* mig, object_at(object, mig_path));
  if (mig != nullptr) {
    keep_unknown_keys(*mig, mig_path, {"profile"});
    FITMENT_TRY(read_text(*mig, mig_path, "profile", gpu.mig));
    gpu.mig.set_evidence(evidence_for(mig_path));
  }
  if (vendor) {
    auto parsed = parse_gpu_vendor(*vendor);
    if (!parsed) {
      // A vendor that we do not know is a fact that we cannot use, not a broken file.
      extras_.push_back({pointer(below(path, "vendor")), Json(*vendor).dump()});
    } else {
      gpu.vendor.set(*parsed, vendor.evidence());
    }
  }
  if (target && gpu.vendor) {
    auto parsed = parse_gpu_target(*gpu.vendor, *target);
    if (!parsed) {
      Error error =
          wrong(below(path, "target"),
                fmt::format("`{}`: {}", dotted(below(path, "target")), parsed.error().message()));
      for (const std::string& hint : parsed.error().hints()) {
        error = std::move(error).hint(hint);
      }
      return error;
    }
    gpu.target.set(std::move(*parsed), target.evidence());
  } else if (target) {
    extras_.push_back({pointer(below(path, "target")), Json(*target).dump()});
  }
  if (const Json* memory = value_at(object, "memory_bytes"); memory != nullptr) {
    if (!memory->is_number_unsigned()) {
      return wrong_type(below(path, "memory_bytes"), "a whole number of bytes", *memory);
    }
    gpu.memory_bytes.set(memory->get<std::uint64_t>(), evidence_for(below(path, "memory_bytes")));
  }
  return gpu;
}

Status MachineReader::read_gpus(const Json& parent, Known<std::vector<Gpu>>& gpus) {
  const Path path{"gpus"};
  const Json* list = value_at(parent, "gpus");
  if (list == nullptr) {
    return {};
  }
  if (!list->is_array()) {
    return wrong_type(path, "a list (empty when there is no GPU)", *list);
  }
  if (list->size() > kMostGpus) {
    return wrong(
        path, fmt::format("{} GPUs in one machine; at most {} are read", list->size(), kMostGpus));
  }
  std::vector<Gpu> read;
  for (std::size_t i = 0; i < list->size(); ++i) {
    FITMENT_TRY_ASSIGN(Gpu gpu, read_gpu((*list)[i], below(path, std::to_string(i))));
    read.push_back(std::move(gpu));
  }
  gpus.set(std::move(read), evidence_for(path));
  return {};
}

template <typename T, typename Read>
Status MachineReader::read_driver(const Json& parent,
                                  const char* key,
                                  DriverState<T>& state,
                                  Read read) {
  const Path path{"drivers", key};
  const Json* value = value_at(parent, key);
  if (value == nullptr) {
    return {};
  }
  state.evidence = evidence_for(path);
  if (value->is_string() && value->get_ref<const std::string&>() == "none") {
    state.presence = DriverState<T>::Presence::none;
    return {};
  }
  if (!value->is_object()) {
    return wrong_type(
        path, "an object, null (unknown) or \"none\" (known to have no driver)", *value);
  }
  state.presence = DriverState<T>::Presence::present;
  return read(*value, path, state.driver);
}

Status MachineReader::read_drivers(const Json& parent, Drivers& drivers) {
  const Path path{"drivers"};
  FITMENT_TRY_ASSIGN(const Json* object, object_at(parent, path));
  if (object == nullptr) {
    return {};
  }
  keep_unknown_keys(*object, path, {"nvidia", "amd", "intel"});
  FITMENT_TRY(read_driver(*object,
                          "nvidia",
                          drivers.nvidia,
                          [this](const Json& json, const Path& at, NvidiaDriver& driver) -> Status {
                            keep_unknown_keys(json, at, {"version", "cuda_api", "forward_compat"});
                            FITMENT_TRY(read_version(json, at, "version", driver.version));
                            FITMENT_TRY(
                                read_version(json, at, "forward_compat", driver.forward_compat));
                            return read_version(json, at, "cuda_api", driver.cuda_api);
                          }));
  FITMENT_TRY(read_driver(*object,
                          "amd",
                          drivers.amd,
                          [this](const Json& json, const Path& at, AmdDriver& driver) -> Status {
                            keep_unknown_keys(json, at, {"kernel", "rocm"});
                            FITMENT_TRY(read_version(json, at, "kernel", driver.kernel));
                            return read_version(json, at, "rocm", driver.rocm, true);
                          }));
  return read_driver(*object,
                     "intel",
                     drivers.intel,
                     [this](const Json& json, const Path& at, IntelDriver& driver) -> Status {
                       keep_unknown_keys(json, at, {"level_zero"});
                       return read_version(json, at, "level_zero", driver.level_zero);
                     });
}

Status MachineReader::read_toolkits(const Json& parent, Known<std::vector<Toolkit>>& toolkits) {
  const Path path{"toolkits"};
  const Json* list = value_at(parent, "toolkits");
  if (list == nullptr) {
    return {};
  }
  if (!list->is_array()) {
    return wrong_type(path, "a list", *list);
  }
  std::vector<Toolkit> read;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Path item = below(path, std::to_string(i));
    const Json& object = (*list)[i];
    if (!object.is_object()) {
      return wrong_type(item, "an object", object);
    }
    keep_unknown_keys(object, item, {"kind", "version", "root"});
    Known<std::string> kind;
    Known<DottedVersion> version;
    Known<std::string> root;
    FITMENT_TRY(read_text(object, item, "kind", kind));
    FITMENT_TRY(read_version(object, item, "version", version));
    FITMENT_TRY(read_text(object, item, "root", root));
    read.push_back(
        {kind.value_or(""), version.value_or({}), root.value_or(""), evidence_for(item)});
  }
  toolkits.set(std::move(read), evidence_for(path));
  return {};
}

Status MachineReader::read_python(const Json& parent, Python& python) {
  const Path path{"python"};
  FITMENT_TRY_ASSIGN(const Json* object, object_at(parent, path));
  if (object == nullptr) {
    return {};
  }
  keep_unknown_keys(*object, path, {"implementation", "version", "executable"});
  FITMENT_TRY(read_text(*object, path, "implementation", python.implementation));
  FITMENT_TRY(read_text(*object, path, "version", python.version));
  if (python.version
      && DottedVersion::parse_prefix(*python.version).value_or(DottedVersion()).size() < 2) {
    return wrong(below(path, "version"),
                 fmt::format("`python.version`: `{}` is not a Python version", *python.version))
        .hint("versions look like 3.12.3, or 3.13t for a free-threaded build");
  }
  return read_text(*object, path, "executable", python.executable);
}

Status MachineReader::read_notes(const Json& parent, Machine& machine) {
  for (const char* key : {"findings", "overrides"}) {
    const Json* list = value_at(parent, key);
    if (list == nullptr) {
      continue;
    }
    if (!list->is_array()) {
      return wrong_type({key}, "a list", *list);
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Path item{key, std::to_string(i)};
      const Json& object = (*list)[i];
      if (!object.is_object()) {
        return wrong_type(item, "an object", object);
      }
      const auto text = [&object](const char* name) {
        const Json* value = value_at(object, name);
        return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
      };
      if (std::string_view(key) == "findings") {
        machine.findings.push_back({text("id"), text("message"), text("fix")});
      } else {
        machine.overrides.push_back({text("name"), text("value")});
      }
    }
  }
  return {};
}

Result<Machine> MachineReader::read(const Json& document) {
  if (!document.is_object()) {
    return wrong({}, fmt::format("a machine file is a JSON object, not {}", describe(document)))
        .hint("`fitment probe --json` writes one");
  }
  const Json* schema = value_at(document, "schema");
  if (schema == nullptr || !schema->is_string()
      || !schema->get_ref<const std::string&>().starts_with(kSchemaName)) {
    return wrong({"schema"}, fmt::format("not a machine file: `schema` must be \"{}\"", kSchema))
        .hint("`fitment probe --json` writes a machine file");
  }
  if (schema->get_ref<const std::string&>() != kSchema) {
    return wrong({"schema"},
                 fmt::format(R"(`schema` is "{}"; this fitment reads "{}")",
                             schema->get_ref<const std::string&>(),
                             kSchema))
        .hint("use a newer fitment, or write the file again with `fitment probe --json`");
  }
  FITMENT_TRY_ASSIGN(evidence_, object_at(document, {"evidence"}));

  Machine machine;
  Known<std::string> name;
  FITMENT_TRY(read_text(document, {}, "name", name));
  machine.name = name.value_or("");
  FITMENT_TRY(read_system(document, machine.system));
  FITMENT_TRY(read_cpu(document, machine.cpu));
  FITMENT_TRY(read_gpus(document, machine.gpus));
  FITMENT_TRY(read_drivers(document, machine.drivers));
  FITMENT_TRY(read_toolkits(document, machine.toolkits));
  FITMENT_TRY(read_python(document, machine.python));
  FITMENT_TRY(read_notes(document, machine));
  keep_unknown_keys(document,
                    {},
                    {"schema",
                     "name",
                     "system",
                     "cpu",
                     "gpus",
                     "drivers",
                     "toolkits",
                     "python",
                     "evidence",
                     "findings",
                     "overrides"});
  machine.extras = std::move(extras_);
  return machine;
}

}  // namespace fitment
