// SPDX-License-Identifier: Apache-2.0
#include "image/place_file.h"

#include "base/posix_io.h"

#include <system_error>

namespace fitment {

namespace fs = std::filesystem;

Status place_file(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::remove(to, code);
  const fs::path real = fs::canonical(from, code);
  if (code) {
    return system_error(code.value(), "open", from);
  }
  fs::create_hard_link(real, to, code);
  if (code) {
    fs::copy_file(real, to, fs::copy_options::overwrite_existing, code);
  }
  return code ? Status(system_error(code.value(), "write", to)) : Status();
}

}  // namespace fitment
