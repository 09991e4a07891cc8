// SPDX-License-Identifier: Apache-2.0
// WSL2 runs a kernel of Microsoft's; its GPUs hang on /dev/dxg instead of the PCI bus, and the
// Windows driver puts its libraries into /usr/lib/wsl/lib.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

namespace fitment {

void detect_wsl(const HostView& host, Observation& seen) {
  const System& system = seen.machine.system;
  if (!system.kernel) {
    return;
  }
  const bool microsoft = to_lower(*system.kernel).find("microsoft") != std::string::npos;
  const bool gpu_device = host.exists("/dev/dxg");
  // WSL1 has no kernel of its own: it says 4.4.0-19041-Microsoft and reaches no GPU.
  const bool first = microsoft && system.kernel->starts_with("4.4.0-");
  if (first) {
    seen.find("wsl1",
              "this is the first version of WSL, which reaches no GPU",
              "convert the distribution in Windows: wsl --set-version NAME 2");
  }
  seen.machine.system.wsl.set((microsoft && !first) || gpu_device,
                              gpu_device ? "/dev/dxg" : system.kernel.evidence());
}

}  // namespace fitment
