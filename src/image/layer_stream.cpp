// SPDX-License-Identifier: Apache-2.0
#include "image/layer_stream.h"

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

DigestKind digest_kind(LayerCheck check) {
  return check == LayerCheck::full ? DigestKind::sha256 : DigestKind::same_run;
}

}  // namespace

LayerStream::LayerStream(const ByteSource& blob, LayerCompression compression, LayerCheck check)
    : ByteStream(blob.name()),
      blob_(blob),
      compression_(compression),
      archive_(digest_kind(check)) {
  if (compression != LayerCompression::none && check != LayerCheck::archive) {
    stored_.emplace(digest_kind(check));
  }
  producer_ = std::jthread([this] { produce(); });
}

Result<std::unique_ptr<LayerStream>> LayerStream::open(const ByteSource& blob, LayerCheck check) {
  constexpr std::uint64_t kStart = 8;
  FITMENT_TRY_ASSIGN(const std::string start,
                     blob.read(0, std::min(kStart, blob.size()), "the beginning of a layer"));
  return std::unique_ptr<LayerStream>(new LayerStream(blob, detect_compression(start), check));
}

LayerStream::~LayerStream() {
  queue_.close();
}

void LayerStream::produce() {
  failure_ = inflate_all();
  queue_.close();
}

Status LayerStream::inflate_all() {
  const std::unique_ptr<LayerInflater> inflater = make_inflater(compression_);
  auto out = std::make_shared<BlockBuffer>();
  bool is_wanted = true;
  const auto hand_on = [&] {
    archive_.add(out);
    is_wanted = queue_.push(out);
    out = std::make_shared<BlockBuffer>();
  };
  for (std::uint64_t offset = 0; offset < blob_.size() && is_wanted;) {
    const auto in = std::make_shared<BlockBuffer>();
    const std::size_t count = std::min<std::uint64_t>(kBlockBytes, blob_.size() - offset);
    FITMENT_TRY(blob_.read_exact(offset, count, in->end(), "a layer"));
    in->grow(count);
    if (stored_) {
      stored_->add(in);
    }
    std::string_view left = in->view();
    // A full block may leave more behind in the inflater: it is asked until it leaves room.
    while (is_wanted) {
      char* at = out->end();
      std::size_t room = out->room();
      auto inflated = inflater->inflate(left, at, room);
      if (!inflated) {
        return std::move(inflated).error().at({blob_.name(), {}, {}, offset + count - left.size()});
      }
      out->grow(out->room() - room);
      if (room > 0) {
        if (left.empty()) {
          break;
        }
        continue;
      }
      hand_on();
    }
    offset += count;
    read_ = offset;
  }
  if (is_wanted && out->size() > 0) {
    hand_on();
  }
  if (is_wanted && !inflater->is_complete()) {
    return fail(ErrorCode::parse_error, "its compressed data end too early")
        .at({blob_.name(), {}, {}, blob_.size()});
  }
  return {};
}

Result<std::string_view> LayerStream::next(std::uint64_t most) {
  if (current_ == nullptr || used_ == current_->size()) {
    auto block = queue_.pop();
    if (!block) {
      if (producer_.joinable()) {
        producer_.join();
      }
      FITMENT_TRY(failure_);
      current_ = nullptr;
      return std::string_view();
    }
    current_ = std::move(*block);
    used_ = 0;
  }
  const std::size_t count = std::min<std::uint64_t>(most, current_->size() - used_);
  const std::string_view part = current_->view().substr(used_, count);
  used_ += count;
  advance(count);
  return part;
}

Result<LayerDigests> LayerStream::finish() {
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part, next(kBlockBytes));
    if (part.empty()) {
      break;
    }
  }
  LayerDigests digests;
  digests.compression = compression_;
  digests.bytes = archive_.bytes();
  StreamDigest archive = archive_.finish();
  StreamDigest stored = stored_                                  ? stored_->finish()
                        : compression_ == LayerCompression::none ? archive
                                                                 : StreamDigest();
  digests.sha256 = std::move(archive.sha256);
  digests.keyed = archive.keyed;
  digests.stored_bytes = blob_.size();
  digests.stored_sha256 = std::move(stored.sha256);
  digests.stored_keyed = stored.keyed;
  return digests;
}

}  // namespace fitment
