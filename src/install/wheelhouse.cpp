// SPDX-License-Identifier: Apache-2.0
#include "install/wheelhouse.h"

#include "base/files.h"
#include "base/posix_io.h"
#include "wheel/name.h"
#include "wheel/url.h"
#include "wheel/wheel_filename.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fitment {

namespace {

Result<WheelhouseFile> plan_file(const ReportedPackage& package) {
  WheelhouseFile file{normalize_name(package.name),
                      package.version,
                      url_filename(package.url),
                      package.url,
                      package.sha256,
                      0};
  const bool is_plain = file.filename == safe_file_name(file.filename);
  if (package.is_direct || !is_plain || !read_wheel_filename(file.filename)) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} {} comes from no index as a wheel: {}",
                            file.name,
                            file.version,
                            shown_address(package.url)))
        .hint("build a wheel of it, and give the folder as an index in fitment.toml");
  }
  return file;
}

/// By a hard link where store and folder share a disk, so that gigabytes are not written twice.
Status place(const StoredFile& stored, const std::filesystem::path& target) {
  std::error_code code;
  std::filesystem::remove(target, code);
  if (::link(stored.path.c_str(), target.c_str()) == 0) {
    return {};
  }
  std::filesystem::copy_file(stored.path, target, code);
  if (code) {
    return system_error(code.value(), "write", target);
  }
  return {};
}

}  // namespace

Result<std::vector<WheelhouseFile>> plan_wheelhouse(const PipReport& report) {
  std::vector<WheelhouseFile> files;
  for (const ReportedPackage& package : report.packages) {
    FITMENT_TRY_ASSIGN(WheelhouseFile file, plan_file(package));
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const WheelhouseFile& a, const WheelhouseFile& b) {
    return a.name < b.name;
  });
  return files;
}

Status apply_wheelhouse(const std::function<Result<StoredFile>(const WheelhouseFile&)>& fetch,
                        const std::filesystem::path& folder,
                        std::vector<WheelhouseFile>& files,
                        const std::function<void(const WheelhouseFile&)>& tell) {
  FITMENT_TRY(make_folder(folder));
  for (WheelhouseFile& file : files) {
    FITMENT_TRY_ASSIGN(const StoredFile stored, fetch(file));
    file.sha256 = stored.sha256;
    file.size = stored.size;
    FITMENT_TRY(place(stored, folder / file.filename));
    tell(file);
  }
  FITMENT_TRY(write_file_atomic(folder / "requirements.txt", wheelhouse_requirements(files)));
  return write_file_atomic(folder / "SHA256SUMS", wheelhouse_sums(files));
}

std::string wheelhouse_requirements(const std::vector<WheelhouseFile>& files) {
  std::string text;
  for (const WheelhouseFile& file : files) {
    text += fmt::format("{}=={} --hash=sha256:{}\n", file.name, file.version, file.sha256);
  }
  return text;
}

std::string wheelhouse_sums(const std::vector<WheelhouseFile>& files) {
  std::string text;
  for (const WheelhouseFile& file : files) {
    text += fmt::format("{}  {}\n", file.sha256, file.filename);
  }
  return text;
}

std::vector<std::string> wheelhouse_command(const std::filesystem::path& folder) {
  return {"python3",
          "-m",
          "pip",
          "install",
          "--no-index",
          "--find-links",
          folder.string(),
          "--require-hashes",
          "--requirement",
          (folder / "requirements.txt").string()};
}

}  // namespace fitment
