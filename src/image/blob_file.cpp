// SPDX-License-Identifier: Apache-2.0
#include "image/blob_file.h"

#include "base/posix_io.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace fitment {

Status DigestingSink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), gathered_->room());
    std::memcpy(gathered_->end(), bytes.data(), count);
    gathered_->grow(count);
    bytes.remove_prefix(count);
    if (gathered_->room() == 0) {
      FITMENT_TRY(flush());
    }
  }
  return {};
}

Status DigestingSink::flush() {
  if (gathered_->size() == 0) {
    return {};
  }
  const Block block = std::exchange(gathered_, std::make_shared<BlockBuffer>());
  digest_.add(block);
  return take(block->view());
}

Result<std::unique_ptr<BlobFile>> BlobFile::create(const std::filesystem::path& folder) {
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(folder / "blob"));
  return std::unique_ptr<BlobFile>(new BlobFile(std::move(file), folder));
}

Status BlobFile::take(std::string_view block) {
  return write_all(file_.descriptor(), block) ? Status()
                                              : Status(system_error(errno, "write", file_.path()));
}

Result<BlobFile::Done> BlobFile::finish() {
  FITMENT_TRY(flush());
  Done done{digest(), bytes()};
  file_.aim_at(folder_ / done.digest.sha256);
  FITMENT_TRY(file_.commit(true));
  return done;
}

Result<std::unique_ptr<LayerWriter>> LayerWriter::create(const std::filesystem::path& folder,
                                                         LayerCompression compression) {
  FITMENT_TRY_ASSIGN(auto blob, BlobFile::create(folder));
  return std::unique_ptr<LayerWriter>(new LayerWriter(std::move(blob), compression));
}

Result<LayerDigests> LayerWriter::finish() {
  FITMENT_TRY(flush());
  FITMENT_TRY(deflater_.finish());
  FITMENT_TRY_ASSIGN(const BlobFile::Done blob, blob_->finish());
  const StreamDigest archive = digest();
  return LayerDigests{.compression = compression_,
                      .stored_bytes = blob.bytes,
                      .stored_sha256 = blob.digest.sha256,
                      .bytes = bytes(),
                      .sha256 = archive.sha256,
                      .stored_keyed = blob.digest.keyed,
                      .keyed = archive.keyed};
}

}  // namespace fitment
