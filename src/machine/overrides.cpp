// SPDX-License-Identifier: Apache-2.0
#include "machine/overrides.h"

#include "base/closest.h"
#include "base/text.h"
#include "machine/override_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace fitment {

namespace {

constexpr std::string_view kNull = "null";

/// The machine to change, the position of a GPU where the key names one, and the value. No value:
/// the fact becomes unknown.
struct Change {
  Machine& machine;
  std::size_t index = 0;
  std::optional<std::string> value;
};

struct Setting {
  std::string key;  ///< `gpus[N].target` for any position
  std::function<Status(const Change&)> apply;
};

Error bad_value(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message));
}

template <typename Fact>
Setting text_setting(std::string key, Fact fact) {
  return {std::move(key), [fact](const Change& change) -> Status {
            Known<std::string>& known = fact(change);
            if (!change.value) {
              known.forget();
            } else if (change.value->empty()) {
              return bad_value("an empty value").hint("write null to make the fact unknown");
            } else {
              known.set(*change.value, kOverrideEvidence);
            }
            return {};
          }};
}

template <typename Fact>
Setting flag_setting(std::string key, Fact fact) {
  return {std::move(key), [fact](const Change& change) -> Status {
            Known<bool>& known = fact(change);
            if (!change.value) {
              known.forget();
            } else if (*change.value == "true" || *change.value == "false") {
              known.set(*change.value == "true", kOverrideEvidence);
            } else {
              return bad_value(fmt::format("`{}` is neither true, false nor null", *change.value));
            }
            return {};
          }};
}

/// A version. `set` does more than setting the fact where other facts hang on it.
template <typename Fact, typename Set>
Setting version_setting(std::string key, Fact fact, Set set) {
  return {std::move(key), [fact, set](const Change& change) -> Status {
            if (!change.value) {
              fact(change).forget();
              return {};
            }
            FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(*change.value));
            set(change, std::move(version));
            return {};
          }};
}

/// `none`, `null`: a whole driver.
template <typename Driver>
Setting driver_setting(std::string key, Driver driver) {
  return {std::move(key), [driver](const Change& change) -> Status {
            auto& state = driver(change);
            using Presence = typename std::remove_reference_t<decltype(state)>::Presence;
            if (change.value && *change.value != "none") {
              return bad_value(fmt::format("`{}` is neither none nor null", *change.value))
                  .hint("set one of its facts, for example drivers.nvidia.version=550.54.14");
            }
            override_presence(state, change.value ? Presence::none : Presence::unknown);
            return {};
          }};
}

/// Changes one GPU; `gpus[N]` with N the number of GPUs adds one.
template <typename Edit>
Setting gpu_setting(const std::string& field, Edit edit) {
  return {"gpus[N]." + field, [edit](const Change& change) -> Status {
            std::vector<Gpu> gpus = change.machine.gpus.value_or({});
            std::string evidence = change.machine.gpus.evidence();
            if (change.index > gpus.size()) {
              return bad_value(fmt::format(
                  "there are {} GPUs, so the next one is gpus[{}]", gpus.size(), gpus.size()));
            }
            if (change.index == gpus.size()) {
              gpus.emplace_back();
              evidence = kOverrideEvidence;
            }
            FITMENT_TRY(edit(gpus[change.index], change.value));
            change.machine.gpus.set(std::move(gpus), std::move(evidence));
            return {};
          }};
}

Setting gpu_text_setting(const std::string& field, Known<std::string> Gpu::*member) {
  return gpu_setting(field, [member](Gpu& gpu, const std::optional<std::string>& value) -> Status {
    if (!value) {
      (gpu.*member).forget();
    } else if (value->empty()) {
      return bad_value("an empty value").hint("write null to make the fact unknown");
    } else {
      (gpu.*member).set(*value, kOverrideEvidence);
    }
    return {};
  });
}

Status set_gpu_vendor(Gpu& gpu, const std::optional<std::string>& value) {
  if (!value) {
    gpu.vendor.forget();
    return {};
  }
  FITMENT_TRY_ASSIGN(const GpuVendor vendor, parse_gpu_vendor(*value));
  if (gpu.target && vendor_of(*gpu.target) != vendor) {
    gpu.target.forget();
  }
  gpu.vendor.set(vendor, kOverrideEvidence);
  return {};
}

Status set_gpu_target(Gpu& gpu, const std::optional<std::string>& value) {
  if (!value) {
    gpu.target.forget();
    return {};
  }
  const bool intel_gpu = gpu.vendor && *gpu.vendor == GpuVendor::intel;
  FITMENT_TRY_ASSIGN(
      GpuTarget target,
      intel_gpu ? parse_gpu_target(GpuVendor::intel, *value) : parse_any_target(*value));
  const GpuVendor vendor = vendor_of(target);
  if (gpu.vendor && *gpu.vendor != vendor) {
    return bad_value(fmt::format("`{}` is a target of {}, and this GPU is of {}",
                                 *value,
                                 to_string(vendor),
                                 to_string(*gpu.vendor)));
  }
  gpu.vendor.set_if_unknown(vendor, kOverrideEvidence);
  gpu.target.set(std::move(target), kOverrideEvidence);
  return {};
}

Status set_gpu_memory(Gpu& gpu, const std::optional<std::string>& value) {
  if (!value) {
    gpu.memory_bytes.forget();
    return {};
  }
  const auto bytes = parse_unsigned(*value);
  if (!bytes) {
    return bad_value(fmt::format("`{}` is not a whole number of bytes", *value));
  }
  gpu.memory_bytes.set(*bytes, kOverrideEvidence);
  return {};
}

Status set_gpu_integrated(Gpu& gpu, const std::optional<std::string>& value) {
  if (!value) {
    gpu.integrated.forget();
  } else if (*value == "true" || *value == "false") {
    gpu.integrated.set(*value == "true", kOverrideEvidence);
  } else {
    return bad_value(fmt::format("`{}` is neither true, false nor null", *value));
  }
  return {};
}

/// `[]`, `null`, or targets: `sm_90,sm_86`.
Status set_gpus(const Change& change) {
  if (!change.value) {
    change.machine.gpus.forget();
    return {};
  }
  std::vector<Gpu> gpus;
  if (*change.value != "[]") {
    for (const std::string_view piece : split(*change.value, ',')) {
      Gpu gpu;
      FITMENT_TRY(set_gpu_target(gpu, std::string(trim(piece))));
      gpus.push_back(std::move(gpu));
    }
  }
  change.machine.gpus.set(std::move(gpus), kOverrideEvidence);
  return {};
}

Status set_features(const Change& change) {
  if (!change.value) {
    change.machine.cpu.features.forget();
    return {};
  }
  std::vector<std::string> features;
  for (const std::string_view piece : split(*change.value, ',')) {
    if (const std::string_view feature = trim(piece); !feature.empty() && feature != "[]") {
      features.emplace_back(feature);
    }
  }
  override_cpu_features(change.machine, std::move(features));
  return {};
}

/// `glibc-2.35`, `musl 1.2.4`.
Status set_libc(const Change& change) {
  if (!change.value) {
    change.machine.system.libc.forget();
    return {};
  }
  const std::string text = replace_all(*change.value, "-", " ");
  const auto words = split_words(text);
  if (words.size() != 2 || (words[0] != "glibc" && words[0] != "musl")) {
    return bad_value(fmt::format("`{}` is not a C library such as glibc-2.35", *change.value));
  }
  FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(words[1]));
  override_libc(change.machine, std::string(words[0]), std::move(version));
  return {};
}

std::vector<Setting> system_settings() {
  return {
      {"name",
       [](const Change& change) -> Status {
         change.machine.name = change.value.value_or("");
         return {};
       }},
      text_setting(
          "system.os", [](const Change& c) -> auto& { return c.machine.system.os; }),
      text_setting(
          "system.arch", [](const Change& c) -> auto& { return c.machine.system.arch; }),
      text_setting(
          "system.kernel", [](const Change& c) -> auto& { return c.machine.system.kernel; }),
      text_setting(
          "system.distribution",
          [](const Change& c) -> auto& { return c.machine.system.distribution; }),
      text_setting(
          "system.container", [](const Change& c) -> auto& { return c.machine.system.container; }),
      flag_setting(
          "system.wsl", [](const Change& c) -> auto& { return c.machine.system.wsl; }),
      {"system.libc", set_libc},
      version_setting(
          "system.libc.version",
          [](const Change& c) -> auto& { return c.machine.system.libc; },
          [](const Change& c, DottedVersion v) { override_libc(c.machine, "", std::move(v)); }),
  };
}

std::vector<Setting> cpu_settings() {
  return {
      text_setting(
          "cpu.vendor", [](const Change& c) -> auto& { return c.machine.cpu.vendor; }),
      text_setting(
          "cpu.name", [](const Change& c) -> auto& { return c.machine.cpu.name; }),
      {"cpu.microarchitecture",
       [](const Change& c) -> Status {
         if (c.value && !c.value->empty()) {
           override_microarchitecture(c.machine, *c.value);
         } else {
           c.machine.cpu.microarchitecture.forget();
         }
         return {};
       }},
      {"cpu.level",
       [](const Change& c) -> Status {
         if (!c.value) {
           c.machine.cpu.level.forget();
           return {};
         }
         if (!c.value->starts_with("x86-64-v") && !c.value->starts_with("armv")) {
           return bad_value(fmt::format("`{}` is not a CPU level", *c.value))
               .hint("levels look like x86-64-v3 or armv8.2-a");
         }
         override_cpu_level(c.machine, *c.value);
         return {};
       }},
      {"cpu.features", set_features},
  };
}

std::vector<Setting> gpu_settings() {
  return {
      {"gpus", set_gpus},
      gpu_setting("vendor", set_gpu_vendor),
      gpu_setting("target", set_gpu_target),
      gpu_setting("memory_bytes", set_gpu_memory),
      gpu_setting("integrated", set_gpu_integrated),
      gpu_text_setting("name", &Gpu::name),
      gpu_text_setting("pci_id", &Gpu::pci_id),
      gpu_text_setting("uuid", &Gpu::uuid),
      gpu_text_setting("mig", &Gpu::mig),
  };
}

std::vector<Setting> driver_settings() {
  const auto nvidia = [](const Change& c) -> auto& {
    return c.machine.drivers.nvidia;
  };
  const auto amd = [](const Change& c) -> auto& {
    return c.machine.drivers.amd;
  };
  const auto intel = [](const Change& c) -> auto& {
    return c.machine.drivers.intel;
  };
  const auto plain = [](auto state, auto fact) {
    return [state, fact](const Change& c, DottedVersion version) {
      make_present(state(c));
      fact(c).set(std::move(version), kOverrideEvidence);
    };
  };
  const auto compat = [nvidia](const Change& c) -> auto& {
    return nvidia(c).driver.forward_compat;
  };
  const auto kernel = [amd](const Change& c) -> auto& {
    return amd(c).driver.kernel;
  };
  const auto rocm = [amd](const Change& c) -> auto& {
    return amd(c).driver.rocm;
  };
  const auto level_zero = [intel](const Change& c) -> auto& {
    return intel(c).driver.level_zero;
  };
  return {
      driver_setting("drivers.nvidia", nvidia),
      driver_setting("drivers.amd", amd),
      driver_setting("drivers.intel", intel),
      version_setting(
          "drivers.nvidia.version",
          [nvidia](const Change& c) -> auto& { return nvidia(c).driver.version; },
          [](const Change& c, DottedVersion v) {
            override_nvidia_version(c.machine, std::move(v));
          }),
      version_setting(
          "drivers.nvidia.cuda_api",
          [nvidia](const Change& c) -> auto& { return nvidia(c).driver.cuda_api; },
          [](const Change& c, DottedVersion v) { override_cuda_api(c.machine, std::move(v)); }),
      version_setting("drivers.nvidia.forward_compat", compat, plain(nvidia, compat)),
      version_setting("drivers.amd.kernel", kernel, plain(amd, kernel)),
      version_setting("drivers.amd.rocm", rocm, plain(amd, rocm)),
      version_setting("drivers.intel.level_zero", level_zero, plain(intel, level_zero)),
  };
}

std::vector<Setting> other_settings() {
  return {
      {"toolkits",
       [](const Change& c) -> Status {
         if (!c.value) {
           c.machine.toolkits.forget();
         } else if (*c.value == "[]") {
           c.machine.toolkits.set({}, kOverrideEvidence);
         } else {
           return bad_value(fmt::format("`{}` is neither [] nor null", *c.value));
         }
         return {};
       }},
      text_setting(
          "python.implementation",
          [](const Change& c) -> auto& { return c.machine.python.implementation; }),
      {"python.version",
       [](const Change& c) -> Status {
         if (!c.value) {
           c.machine.python.version.forget();
         } else if (DottedVersion::parse_prefix(*c.value).value_or(DottedVersion()).size() < 2) {
           return bad_value(fmt::format("`{}` is not a Python version such as 3.12", *c.value));
         } else {
           c.machine.python.version.set(std::string(*c.value), kOverrideEvidence);
         }
         return {};
       }},
      text_setting(
          "python.executable",
          [](const Change& c) -> auto& { return c.machine.python.executable; }),
  };
}

std::vector<Setting> all_settings() {
  std::vector<Setting> settings = system_settings();
  for (auto group : {cpu_settings(), gpu_settings(), driver_settings(), other_settings()}) {
    settings.insert(settings.end(), group.begin(), group.end());
  }
  return settings;
}

/// `gpus[3].target` becomes `gpus[N].target` and 3.
std::string generic_key(std::string_view key, std::size_t& index) {
  constexpr std::string_view kList = "gpus[";
  const std::size_t close = key.find(']');
  if (key.starts_with(kList) && close != std::string_view::npos) {
    const auto number = parse_unsigned(key.substr(kList.size(), close - kList.size()));
    constexpr std::uint64_t kMostGpus = 4096;
    if (number && *number < kMostGpus) {
      index = static_cast<std::size_t>(*number);
      return fmt::format("gpus[N]{}", key.substr(close + 1));
    }
  }
  return std::string(key);
}

Error no_such_key(std::string_view key, const std::vector<Setting>& settings) {
  std::vector<std::string> known;
  known.reserve(settings.size());
  for (const Setting& setting : settings) {
    known.push_back(setting.key);
  }
  Error error = fail(ErrorCode::invalid_argument, fmt::format("a machine has no fact `{}`", key));
  std::size_t index = 0;
  const std::string generic = generic_key(key, index);
  auto closest = find_closest(generic, known);
  if (!closest) {
    // The last word of a path is often all that somebody remembers: `cuda_api`, `level`.
    const std::string ending = "." + generic.substr(generic.rfind('.') + 1);
    const auto same_end = std::find_if(
        known.begin(), known.end(), [&ending](const auto& name) { return name.ends_with(ending); });
    if (same_end != known.end()) {
      closest = *same_end;
    }
  }
  if (closest) {
    return std::move(error).hint(
        fmt::format("did you mean `{}`", replace_all(*closest, "[N]", fmt::format("[{}]", index))));
  }
  return std::move(error).hint("keys are those of a machine file, for example cpu.level or gpus");
}

}  // namespace

Status apply_setting(Machine& machine, std::string_view setting) {
  const Origin origin{"--set"};
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not KEY=VALUE", setting))
        .at(origin)
        .hint("for example --set drivers.nvidia.cuda_api=12.4");
  }
  const std::string_view key = trim(setting.substr(0, equals));
  const std::string_view value = trim(setting.substr(equals + 1));
  Change change{machine, 0, std::nullopt};
  const std::string generic = generic_key(key, change.index);
  const std::vector<Setting> settings = all_settings();
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&generic](const Setting& candidate) {
        return candidate.key == generic;
      });
  if (found == settings.end()) {
    return no_such_key(key, settings).at(origin);
  }
  if (value != kNull) {
    change.value = std::string(value);
  }
  if (Status status = found->apply(change); !status) {
    Error error = fail(ErrorCode::invalid_argument,
                       fmt::format("cannot set `{}`: {}", key, status.error().message()))
                      .at(origin);
    for (const std::string& hint : status.error().hints()) {
      error = std::move(error).hint(hint);
    }
    return error;
  }
  machine.overrides.push_back({fmt::format("--set {}", key), std::string(value)});
  return {};
}

}  // namespace fitment
