// SPDX-License-Identifier: Apache-2.0
#include "image/layout_writer.h"

#include "base/files.h"
#include "base/posix_io.h"

#include <fmt/format.h>

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

}  // namespace

Result<LayoutWriter> LayoutWriter::create(const std::filesystem::path& output) {
  const std::filesystem::path target =
      output.has_filename() ? output : output.parent_path();  // without a slash at the end
  std::error_code error;
  if (std::filesystem::exists(target, error)
      && !(std::filesystem::is_directory(target, error)
           && std::filesystem::is_empty(target, error))) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is there already", target.string()))
        .hint("name a folder that does not exist, or an empty one");
  }
  std::string name = (folder_of(target) / ("." + target.filename().string() + ".XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return system_error(errno, "make a folder beside", target);
  }
  LayoutWriter writer(name, target);
  std::filesystem::permissions(
      name, static_cast<std::filesystem::perms>(0755), error);  // mkdtemp makes it private
  std::filesystem::create_directories(writer.blobs(), error);
  if (error) {
    return system_error(error.value(), "make a folder in", name);
  }
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
                                                 std::string_view media_type) {
  FITMENT_TRY_ASSIGN(const auto blob, BlobFile::create(blobs()));
  FITMENT_TRY(blob->write(text));
  FITMENT_TRY_ASSIGN(const BlobFile::Done done, blob->finish());
  OciDescriptor descriptor;
  descriptor.media_type = media_type;
  descriptor.digest = "sha256:" + done.digest.sha256;
  descriptor.size = done.bytes;
  return descriptor;
}

Status LayoutWriter::copy_blob(const ByteSource& source) {
  FITMENT_TRY_ASSIGN(const auto blob, BlobFile::create(blobs()));
  FITMENT_TRY(write_source(source, *blob));
  FITMENT_TRY(blob->finish());
  return {};
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
