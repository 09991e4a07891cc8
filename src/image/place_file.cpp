// SPDX-License-Identifier: Apache-2.0
#include "image/place_file.h"

#include <fmt/format.h>

#include <system_error>

namespace fitment {

namespace {

namespace fs = std::filesystem;

Error cannot(std::string_view what, const fs::path& path, const std::error_code& code) {
  return fail(ErrorCode::io_error, fmt::format("cannot {}: {}", what, code.message()))
      .at({path.string(), {}, {}, {}});
}

}  // namespace

Status make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  return code ? Status(cannot("make a folder", folder, code)) : Status();
}

Status place_file(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::remove(to, code);
  const fs::path real = fs::canonical(from, code);
  if (code) {
    return fail(ErrorCode::not_found, "there is no such file").at({from.string(), {}, {}, {}});
  }
  fs::create_hard_link(real, to, code);
  if (code) {
    fs::copy_file(real, to, fs::copy_options::overwrite_existing, code);
  }
  return code ? Status(cannot("place a file", to, code)) : Status();
}

}  // namespace fitment
