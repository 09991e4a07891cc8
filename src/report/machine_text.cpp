// SPDX-License-Identifier: Apache-2.0
#include "report/machine_text.h"

#include "report/human.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace fitment {

namespace {

/// A fact as text; nothing: unknown.
struct Shown {
  std::optional<std::string> text;
  std::string evidence;
};

template <typename T, typename Convert>
Shown show(const Known<T>& fact, Convert convert) {
  return fact ? Shown{convert(*fact), fact.evidence()} : Shown{};
}
Shown show(const Known<std::string>& fact) {
  return show(fact, [](const std::string& text) { return text; });
}
Shown show(const Known<DottedVersion>& fact) {
  return show(fact, [](const DottedVersion& version) { return version.text(); });
}

class MachinePrinter {
 public:
  MachinePrinter(const Theme& theme, bool evidence) : theme_(theme), evidence_(evidence) {
    table_.column("").column("", Table::Align::left, Table::Wrap::words);
    if (evidence) {
      table_.column("");
    }
  }

  void fact(std::string_view label, const Shown& shown) {
    std::vector<StyledText> row{
        StyledText(label, Role::dim),
        shown.text ? StyledText(*shown.text) : StyledText("unknown", Role::warning)};
    if (evidence_) {
      row.emplace_back(shown.evidence, Role::dim);
    }
    table_.row(std::move(row));
  }

  /// Left out when unknown: few machines have it.
  void fact_if_known(std::string_view label, const Shown& shown) {
    if (shown.text) {
      fact(label, shown);
    }
  }

  std::string print(const Machine& machine) {
    system(machine.system);
    cpu(machine.cpu);
    gpus(machine);
    drivers(machine.drivers);
    toolkits(machine.toolkits);
    fact("python", python(machine.python));
    for (const MachineOverride& set : machine.overrides) {
      fact("override", {set.name + " = " + (set.value.empty() ? "(empty)" : set.value), ""});
    }
    std::string text = table_.render(theme_);
    for (const MachineFinding& finding : machine.findings) {
      text += "\n" + paint("warning: ", Role::warning, theme_) + printable(finding.message) + "\n";
      if (!finding.fix.empty()) {
        text += paint("   hint: ", Role::dim, theme_) + printable(finding.fix) + "\n";
      }
    }
    return text;
  }

 private:
  void system(const System& system) {
    fact("system",
         {fmt::format("{} {}",
                      system.os.value_or("unknown system"),
                      system.arch.value_or("unknown architecture")),
          system.arch.evidence()});
    fact("distribution", show(system.distribution));
    fact("kernel", show(system.kernel));
    fact("libc", show(system.libc, [](const Libc& libc) {
           return fmt::format("{} {}", libc.family, to_string(libc.version));
         }));
    if (system.container && *system.container != "none") {
      fact("container", show(system.container));
    }
    if (system.wsl.value_or(false)) {
      fact("wsl", {"2", system.wsl.evidence()});
    }
  }

  void cpu(const Cpu& cpu) {
    fact("cpu", show(cpu.name));
    fact("cpu level", show(cpu.level, [&](const std::string& level) {
           return cpu.microarchitecture ? fmt::format("{} ({})", level, *cpu.microarchitecture)
                                        : level;
         }));
    if (evidence_) {
      fact("cpu features", show(cpu.features, [](const std::vector<std::string>& features) {
             return fmt::format("{}", fmt::join(features, " "));
           }));
    }
  }

  static std::string describe(const Gpu& gpu) {
    std::string text =
        gpu.name ? *gpu.name : (gpu.vendor ? std::string(to_string(*gpu.vendor)) + " GPU" : "GPU");
    text += ", " + (gpu.target ? to_string(*gpu.target) : std::string("target unknown"));
    if (gpu.memory_bytes) {
      text += ", " + human_bytes(*gpu.memory_bytes);
    }
    if (gpu.mig) {
      text += ", MIG " + *gpu.mig;
    }
    if (gpu.integrated.value_or(false)) {
      text += ", integrated";
    }
    return gpu.pci_id ? text + fmt::format(" [{}]", *gpu.pci_id) : text;
  }

  void gpus(const Machine& machine) {
    if (!machine.gpus) {
      fact("gpu", {});
      return;
    }
    if (machine.gpus->empty()) {
      fact("gpu", {"none", machine.gpus.evidence()});
    }
    std::size_t index = 0;
    for (const Gpu& gpu : *machine.gpus) {
      fact(fmt::format("gpu {}", index++), {describe(gpu), gpu.target.evidence()});
    }
  }

  template <typename T, typename Describe>
  void driver(std::string_view label, const DriverState<T>& state, Describe describe) {
    if (state.is_present()) {
      describe(state.driver);
    } else if (state.is_none()) {
      fact(label, {"none", state.evidence});
    }
  }

  void drivers(const Drivers& drivers) {
    driver("nvidia driver", drivers.nvidia, [&](const NvidiaDriver& nvidia) {
      fact("nvidia driver", show(nvidia.version));
      fact("cuda driver api", show(nvidia.cuda_api));
      fact_if_known("forward compat", show(nvidia.forward_compat));
    });
    driver("amd driver", drivers.amd, [&](const AmdDriver& amd) {
      fact("amdgpu", show(amd.kernel));
      fact_if_known("rocm", show(amd.rocm));
    });
    driver("intel driver", drivers.intel, [&](const IntelDriver& intel) {
      fact("level zero", show(intel.level_zero));
    });
  }

  void toolkits(const Known<std::vector<Toolkit>>& toolkits) {
    if (!toolkits) {
      return;
    }
    for (const Toolkit& toolkit : *toolkits) {
      fact(toolkit.kind,
           {fmt::format("{}  {}", to_string(toolkit.version), toolkit.root), toolkit.evidence});
    }
  }

  static Shown python(const Python& python) {
    if (!python.version) {
      return {};
    }
    std::string text =
        fmt::format("{} {}", python.implementation.value_or("python"), *python.version);
    return {python.executable ? text + "  " + *python.executable : text, python.version.evidence()};
  }

  const Theme& theme_;
  bool evidence_;
  Table table_;
};

}  // namespace

std::string machine_text(const Machine& machine, const Theme& theme, bool evidence) {
  return MachinePrinter(theme, evidence).print(machine);
}

std::string gpus_and_driver(const Machine& machine) {
  if (!machine.gpus) {
    return "GPUs unknown";
  }
  if (machine.gpus->empty()) {
    return "no GPU";
  }
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const Gpu& gpu : *machine.gpus) {
    std::string name = gpu.name ? *gpu.name : (gpu.target ? to_string(*gpu.target) : "unnamed GPU");
    if (!counts.empty() && counts.back().first == name) {
      ++counts.back().second;
    } else {
      counts.emplace_back(std::move(name), 1);
    }
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + name + (count > 1 ? fmt::format(" x{}", count) : "");
  }
  const auto& nvidia = machine.drivers.nvidia;
  // What was assumed for targets is not known.
  if (nvidia.is_present() && nvidia.driver.cuda_api
      && nvidia.driver.cuda_api.evidence() != "assumed") {
    text += ", CUDA " + to_string(*nvidia.driver.cuda_api);
  }
  return text;
}

}  // namespace fitment
