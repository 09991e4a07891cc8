// SPDX-License-Identifier: Apache-2.0
#include "machine/machine_file.h"

#include "base/json_position.h"
#include "base/text.h"
#include "machine/machine_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "fitment.machine/1";

/// Writes facts and collects their evidence on the way.
class MachineWriter {
 public:
  template <typename T, typename Convert>
  void put(Json& object,
           const std::string& path,
           const char* key,
           const Known<T>& fact,
           Convert convert) {
    object[key] = fact ? Json(convert(*fact)) : Json(nullptr);
    if (fact && !fact.evidence().empty()) {
      note(path.empty() ? key : path + "." + key, fact.evidence());
    }
  }
  template <typename T>
  void put(Json& object, const std::string& path, const char* key, const Known<T>& fact) {
    put(object, path, key, fact, [](const T& value) { return value; });
  }
  /// Keys that only some machines have are left out when unknown.
  template <typename T, typename Convert>
  void put_if_known(Json& object,
                    const std::string& path,
                    const char* key,
                    const Known<T>& fact,
                    Convert convert) {
    if (fact) {
      put(object, path, key, fact, convert);
    }
  }
  template <typename T>
  void put_if_known(Json& object, const std::string& path, const char* key, const Known<T>& fact) {
    put_if_known(object, path, key, fact, [](const T& value) { return value; });
  }

  template <typename T, typename WriteDriver>
  Json driver(const std::string& path, const DriverState<T>& state, WriteDriver write) {
    if (!state.evidence.empty()) {
      note(path, state.evidence);
    }
    if (state.is_none()) {
      return "none";
    }
    if (state.is_unknown()) {
      return nullptr;
    }
    Json object = Json::object();
    write(object, path, state.driver);
    return object;
  }

  void note(const std::string& path, const std::string& evidence) { evidence_[path] = evidence; }
  [[nodiscard]] const Json& evidence() const { return evidence_; }

 private:
  Json evidence_ = Json::object();
};

/// An empty text stands for unknown.
Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

const auto kDotted = [](const DottedVersion& version) { return version.text(); };

Json system_json(MachineWriter& out, const System& system) {
  Json json = Json::object();
  out.put(json, "system", "os", system.os);
  out.put(json, "system", "arch", system.arch);
  out.put(json, "system", "kernel", system.kernel);
  out.put(json, "system", "distribution", system.distribution);
  out.put(json, "system", "libc", system.libc, [](const Libc& libc) {
    return Json{{"family", libc.family}, {"version", text_or_null(libc.version.text())}};
  });
  out.put(json, "system", "container", system.container);
  out.put(json, "system", "wsl", system.wsl);
  return json;
}

Json cpu_json(MachineWriter& out, const Cpu& cpu) {
  Json json = Json::object();
  out.put(json, "cpu", "vendor", cpu.vendor);
  out.put(json, "cpu", "name", cpu.name);
  out.put(json, "cpu", "microarchitecture", cpu.microarchitecture);
  out.put(json, "cpu", "level", cpu.level);
  out.put(json, "cpu", "features", cpu.features);
  return json;
}

Json gpus_json(MachineWriter& out, const std::vector<Gpu>& gpus) {
  Json list = Json::array();
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Gpu& gpu = gpus[i];
    const std::string path = fmt::format("gpus[{}]", i);
    Json json = Json::object();
    out.put(json, path, "vendor", gpu.vendor, [](GpuVendor vendor) {
      return std::string(to_string(vendor));
    });
    out.put(json, path, "name", gpu.name);
    out.put(json, path, "target", gpu.target, [](const GpuTarget& target) {
      return to_string(target);
    });
    out.put(json, path, "memory_bytes", gpu.memory_bytes);
    out.put(json, path, "pci_id", gpu.pci_id);
    out.put(json, path, "integrated", gpu.integrated);
    out.put_if_known(json, path, "uuid", gpu.uuid);
    out.put_if_known(json, path, "mig", gpu.mig, [](const std::string& profile) {
      return Json{{"profile", profile}};
    });
    list.push_back(std::move(json));
  }
  return list;
}

Json drivers_json(MachineWriter& out, const Drivers& drivers) {
  Json json = Json::object();
  json["nvidia"] =
      out.driver("drivers.nvidia",
                 drivers.nvidia,
                 [&](Json& object, const std::string& path, const NvidiaDriver& driver) {
                   out.put(object, path, "version", driver.version, kDotted);
                   out.put(object, path, "cuda_api", driver.cuda_api, kDotted);
                   out.put_if_known(object, path, "forward_compat", driver.forward_compat, kDotted);
                 });
  json["amd"] = out.driver("drivers.amd",
                           drivers.amd,
                           [&](Json& object, const std::string& path, const AmdDriver& driver) {
                             out.put(object, path, "kernel", driver.kernel, kDotted);
                             out.put(object, path, "rocm", driver.rocm, kDotted);
                           });
  json["intel"] = out.driver("drivers.intel",
                             drivers.intel,
                             [&](Json& object, const std::string& path, const IntelDriver& driver) {
                               out.put(object, path, "level_zero", driver.level_zero, kDotted);
                             });
  return json;
}

Json toolkits_json(MachineWriter& out, const std::vector<Toolkit>& toolkits) {
  Json list = Json::array();
  for (std::size_t i = 0; i < toolkits.size(); ++i) {
    const Toolkit& toolkit = toolkits[i];
    list.push_back({{"kind", text_or_null(toolkit.kind)},
                    {"version", text_or_null(toolkit.version.text())},
                    {"root", text_or_null(toolkit.root)}});
    if (!toolkit.evidence.empty()) {
      out.note(fmt::format("toolkits[{}]", i), toolkit.evidence);
    }
  }
  return list;
}

/// Puts kept keys back where they stood; a parent that is no longer there takes its extras with it.
void put_extras(Json& document, const std::vector<ExtraKey>& extras) {
  for (const ExtraKey& extra : extras) {
    const std::size_t slash = extra.path.rfind('/');
    const nlohmann::json_pointer<std::string> parent(extra.path.substr(0, slash));
    if (document.contains(parent) && document[parent].is_object()) {
      const std::string key = nlohmann::json_pointer<std::string>(extra.path).back();
      document[parent][key] = Json::parse(extra.json, nullptr, false);
    }
  }
}

Json machine_json(MachineWriter& out, const Machine& machine) {
  Json document = Json::object();
  document["schema"] = kSchema;
  document["name"] = text_or_null(machine.name);
  document["system"] = system_json(out, machine.system);
  document["cpu"] = cpu_json(out, machine.cpu);
  document["gpus"] = machine.gpus ? gpus_json(out, *machine.gpus) : Json(nullptr);
  if (machine.gpus && !machine.gpus.evidence().empty()) {
    out.note("gpus", machine.gpus.evidence());
  }
  document["drivers"] = drivers_json(out, machine.drivers);
  document["toolkits"] = machine.toolkits ? toolkits_json(out, *machine.toolkits) : Json(nullptr);
  Json python = Json::object();
  out.put(python, "python", "implementation", machine.python.implementation);
  out.put(python, "python", "version", machine.python.version);
  out.put_if_known(python, "python", "executable", machine.python.executable);
  document["python"] = std::move(python);
  return document;
}

}  // namespace

std::string write_machine(const Machine& machine) {
  MachineWriter out;
  Json document = machine_json(out, machine);
  for (const MachineOverride& set : machine.overrides) {
    document["overrides"].push_back({{"name", set.name}, {"value", set.value}});
  }
  for (const MachineFinding& finding : machine.findings) {
    document["findings"].push_back(
        {{"id", finding.id}, {"message", finding.message}, {"fix", finding.fix}});
  }
  document["evidence"] = out.evidence();
  put_extras(document, machine.extras);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string canonical_facts(const Machine& machine) {
  MachineWriter out;
  Json document = machine_json(out, machine);
  document.erase("name");
  document.erase("toolkits");
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

constexpr std::string_view kWritesOne = "`fitment probe --json` writes a machine file";

}  // namespace

Result<Machine> parse_machine(std::string_view json, const std::string& source) {
  if (trim(json).find_first_not_of("\r\n") == std::string_view::npos) {
    return fail(ErrorCode::parse_error, "the file is empty")
        .at({source, 1, 1, {}})
        .while_doing("reading a machine file")
        .hint(std::string(kWritesOne));
  }
  constexpr std::size_t kDeepest = 64;
  if (const auto deep = find_too_deep_json(json, kDeepest)) {
    return fail(ErrorCode::parse_error, fmt::format("nested more than {} deep", kDeepest))
        .at(origin_of_offset(source, json, *deep))
        .while_doing("reading a machine file")
        .hint(std::string(kWritesOne));
  }
  try {
    const Json document = Json::parse(json);
    MachineReader reader(json, source);
    return reader.read(document);
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::parse_error, "not valid JSON: " + describe_json_error(error.what()))
        .at(origin_of_offset(source, json, error.byte > 0 ? error.byte - 1 : 0))
        .while_doing("reading a machine file")
        .hint(std::string(kWritesOne));
  } catch (const Json::exception& error) {  // a number that fits no type; it carries no position
    return fail(ErrorCode::parse_error, "not usable JSON: " + describe_json_error(error.what()))
        .at({source, {}, {}, {}})
        .while_doing("reading a machine file")
        .hint(std::string(kWritesOne));
  }
}

}  // namespace fitment
