// SPDX-License-Identifier: Apache-2.0
#include "image/layout_writer.h"

#include "base/files.h"
#include "base/posix_io.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kLayoutVersion = R"({"imageLayoutVersion":"1.0.0"})";

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

Status check_layout_place(const std::filesystem::path& output) {
  const std::filesystem::path target = without_slash(output);
  std::error_code error;
  if (std::filesystem::exists(target, error)
      && !(std::filesystem::is_directory(target, error)
           && std::filesystem::is_empty(target, error))) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is there already", target.string()))
        .hint("name a folder that does not exist, or an empty one");
  }
  const std::filesystem::path above = folder_of(target);
  if (!std::filesystem::is_directory(above, error)) {
    return fail(ErrorCode::not_found,
                fmt::format("there is no folder `{}` to write in", above.string()))
        .missing(above.string())
        .hint(fmt::format("`mkdir -p {}` makes it", above.string()));
  }
  return ::access(above.c_str(), W_OK | X_OK) == 0
             ? Status()
             : Status(system_error(errno, "write in", above)
                          .hint("name a place that you may write to: `--output DIR`"));
}

Result<LayoutWriter> LayoutWriter::create(const std::filesystem::path& output) {
  FITMENT_TRY(check_layout_place(output));
  const std::filesystem::path target = without_slash(output);
  std::string name = (folder_of(target) / ("." + target.filename().string() + ".XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return system_error(errno, "make a folder beside", target);
  }
  LayoutWriter writer(name, target);
  std::error_code error;
  std::filesystem::permissions(
      name, static_cast<std::filesystem::perms>(0755), error);  // mkdtemp makes it private
  FITMENT_TRY(make_folder(writer.blobs()));
  return writer;
}

LayoutWriter::LayoutWriter(LayoutWriter&& other) noexcept
    : path_(std::move(other.path_)), output_(std::move(other.output_)) {
  other.path_.clear();
}

LayoutWriter::~LayoutWriter() {
  if (!path_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

Result<OciDescriptor> LayoutWriter::add_document(std::string_view text,
                                                 std::string_view media_type) const {
  FITMENT_TRY_ASSIGN(const auto blob, BlobFile::create(blobs()));
  FITMENT_TRY(blob->write(text));
  FITMENT_TRY_ASSIGN(const BlobFile::Done done, blob->finish());
  OciDescriptor descriptor;
  descriptor.media_type = media_type;
  descriptor.digest = "sha256:" + done.digest.sha256;
  descriptor.size = done.bytes;
  return descriptor;
}

Status LayoutWriter::copy_blob(const ByteSource& source, const std::string& sha256) const {
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(blobs() / "blob"));
  SourceStream stream(source);
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part, stream.next(source.size()));
    if (part.empty()) {
      break;
    }
    if (!write_all(file.descriptor(), part)) {
      return system_error(errno, "write", file.path());
    }
  }
  file.aim_at(blobs() / sha256);
  return file.commit(true);
}

Status LayoutWriter::add_index(const OciDescriptor& manifest) {
  FITMENT_TRY(write_file_atomic(path_ / "oci-layout", kLayoutVersion));
  return write_file_atomic(path_ / "index.json", write_oci_index(manifest));
}

Status LayoutWriter::commit() {
  std::error_code error;
  std::filesystem::rename(path_, output_, error);
  if (error) {
    return system_error(error.value(), "move the new layout to", output_);
  }
  path_.clear();
  sync_folder(folder_of(output_));
  return {};
}

}  // namespace fitment
