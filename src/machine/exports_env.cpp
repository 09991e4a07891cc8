// SPDX-License-Identifier: Apache-2.0
#include "machine/exports_env.h"

#include "base/shell.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace fitment {

namespace {

/// A control byte would end the line or the quotes of a reader that is not sh.
std::string printable(std::string value) {
  constexpr char kFirstPrintable = 0x20;
  constexpr char kDelete = 0x7f;
  std::erase_if(value, [](char c) { return (c >= 0 && c < kFirstPrintable) || c == kDelete; });
  return value;
}

class Lines {
 public:
  void add(std::string_view name, const std::string& value) {
    const std::string text = printable(value);
    text_ += fmt::format("FITMENT_{}={}\n", name, text.empty() ? "" : shell_word(text));
  }
  void add(std::string_view name, const Known<std::string>& fact) { add(name, fact.value_or("")); }
  void add(std::string_view name, const Known<DottedVersion>& fact) {
    add(name, fact.value_or({}).text());
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// `cu128` of 12.8.1.
std::string label_of(const DottedVersion& version) {
  return version.size() < 2 ? std::string()
                            : fmt::format("cu{}{}", version.major(), version.minor());
}

/// Targets of one vendor, each once, in the order of the GPUs.
std::string targets_of(const std::vector<Gpu>& gpus, GpuVendor vendor) {
  std::vector<std::string> targets;
  for (const Gpu& gpu : gpus) {
    if (gpu.target && vendor_of(*gpu.target) == vendor) {
      std::string text = to_string(*gpu.target);
      if (std::find(targets.begin(), targets.end(), text) == targets.end()) {
        targets.push_back(std::move(text));
      }
    }
  }
  return join(targets, " ");
}

/// The first toolkit of a kind: the one that the machine prefers.
DottedVersion toolkit_of(const Machine& machine, std::string_view kind) {
  const std::vector<Toolkit> toolkits = machine.toolkits.value_or({});
  const auto found = std::find_if(toolkits.begin(), toolkits.end(), [kind](const Toolkit& toolkit) {
    return toolkit.kind == kind;
  });
  return found == toolkits.end() ? DottedVersion() : found->version;
}

void add_system(const Machine& machine, Lines& lines) {
  lines.add("OS", machine.system.os);
  lines.add("ARCH", machine.system.arch);
  lines.add("DISTRIBUTION", machine.system.distribution);
  const Libc libc = machine.system.libc.value_or({});
  lines.add("LIBC", libc.family);
  lines.add("LIBC_VERSION", libc.version.text());
  lines.add("GLIBC",
            libc.family == "glibc" ? libc.version.text()
                                   : std::string(libc.family.empty() ? "" : "none"));
  lines.add("CONTAINER", machine.system.container);
  lines.add("CPU_LEVEL", machine.cpu.level);
  lines.add("CPU_MICROARCHITECTURE", machine.cpu.microarchitecture);
}

void add_cuda(const Machine& machine, Lines& lines) {
  const auto& nvidia = machine.drivers.nvidia;
  if (nvidia.is_none()) {
    lines.add("CUDA_DRIVER", std::string("none"));
    lines.add("CUDA_API", std::string("none"));
    lines.add("CUDA_API_LABEL", std::string("none"));
  } else {
    lines.add("CUDA_DRIVER", nvidia.driver.version);
    lines.add("CUDA_API", nvidia.driver.cuda_api);
    lines.add("CUDA_API_LABEL", label_of(nvidia.driver.cuda_api.value_or({})));
  }
  const DottedVersion toolkit = toolkit_of(machine, "cuda");
  const std::string absent = machine.toolkits && toolkit.size() == 0 ? "none" : "";
  lines.add("CUDA_TOOLKIT", absent.empty() ? toolkit.text() : absent);
  lines.add("CUDA_TOOLKIT_LABEL", absent.empty() ? label_of(toolkit) : absent);
  lines.add("CUDNN", toolkit_of(machine, "cudnn").text());
}

}  // namespace

std::string shell_variables(const Machine& machine) {
  Lines lines;
  add_system(machine, lines);
  const std::vector<Gpu> gpus = machine.gpus.value_or({});
  lines.add("GPU_COUNT", machine.gpus ? fmt::format("{}", gpus.size()) : std::string());
  lines.add("SM_TARGETS", targets_of(gpus, GpuVendor::nvidia));
  lines.add("GFX_TARGETS", targets_of(gpus, GpuVendor::amd));
  lines.add("INTEL_TARGETS", targets_of(gpus, GpuVendor::intel));
  add_cuda(machine, lines);
  lines.add("ROCM",
            machine.drivers.amd.is_none() ? std::string("none")
                                          : machine.drivers.amd.driver.rocm.value_or({}).text());
  lines.add("PYTHON", machine.python.version);
  return lines.text();
}

}  // namespace fitment
