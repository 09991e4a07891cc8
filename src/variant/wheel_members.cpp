// SPDX-License-Identifier: Apache-2.0
#include "variant/wheel_members.h"

#include "base/digest.h"
#include "wheel/quote.h"
#include "wheel/zip_member.h"

#include <fmt/format.h>

#include <filesystem>

namespace fitment {

std::string WheelMembers::path_of(std::string_view name) const {
  return fmt::format("{}/{}", wheel_.dist_info, name);
}

Result<WheelText> WheelMembers::read(std::string_view name) const {
  const std::string path = path_of(name);
  const ZipEntry* entry = wheel_.zip.find(path);
  if (entry == nullptr) {
    return fail(ErrorCode::unsupported, fmt::format("the wheel has no {}", quote(path)))
        .at({source_.name(), {}, {}, {}})
        .hint("build the wheel again: installers refuse it as it is");
  }
  FITMENT_TRY_ASSIGN(std::string text, read_zip_member(source_, *entry));
  return WheelText{entry, std::move(text), member_name(source_.name(), path)};
}

Result<WheelText> WheelMembers::read_record() const {
  for (const std::string_view name : {"RECORD.jws", "RECORD.p7s"}) {
    if (wheel_.zip.find(path_of(name)) != nullptr) {
      return fail(ErrorCode::unsupported, fmt::format("the wheel is signed by {}", quote(name)))
          .at({source_.name(), {}, {}, {}})
          .hint("a changed RECORD does not fit the signature: change the wheel, then sign it");
    }
  }
  return read("RECORD");
}

std::string file_of(const ByteSource& wheel) {
  return std::filesystem::path(wheel.name()).filename().string();
}

RecordEntry record_line(std::string path, std::string_view bytes) {
  return {std::move(path), "sha256", record_digest(sha256_hex(bytes)), bytes.size()};
}

}  // namespace fitment
