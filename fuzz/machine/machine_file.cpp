// SPDX-License-Identifier: Apache-2.0
// Machine files: whatever is read writes to a file that reads back to the same bytes, and every
// export of it ends.
#include "machine/machine_file.h"

#include "machine/exports_conda.h"
#include "machine/exports_env.h"
#include "machine/exports_nfd.h"
#include "machine/exports_slurm.h"
#include "machine/redact.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto machine = fitment::parse_machine(text, "fuzz");
  if (!machine) {
    if (machine.error().message().empty() || !machine.error().origin()) {
      std::abort();
    }
    return 0;
  }
  const std::string once = fitment::write_machine(*machine);
  const auto again = fitment::parse_machine(once, "again");
  if (!again || fitment::write_machine(*again) != once) {
    std::abort();
  }
  fitment::conda_virtual_packages(*machine);
  fitment::nfd_features(*machine);
  fitment::slurm_gres(*machine);
  fitment::shell_variables(*machine);
  fitment::redact(*machine);
  return 0;
}
