// SPDX-License-Identifier: Apache-2.0
#include "store/remote_file.h"

#include "base/scratch_bytes.h"
#include "store/http_fault.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

namespace fitment {

namespace {

constexpr int kPartial = 206;
constexpr int kNoSuchRange = 416;

/// The address for messages, with the name of the file as the file has it.
std::string source_name(const std::string& url) {
  std::string shown = shown_address(url);
  const std::size_t slash = shown.rfind('/');
  const std::string file = url_filename(without_credentials(url));
  return slash == std::string::npos || file.empty() ? shown : shown.substr(0, slash + 1) + file;
}

/// Takes one range of at most `limit` bytes, or the whole where the server sends that and it may.
class RangeSink final : public BodySink {
 public:
  RangeSink(std::uint64_t limit, const RemoteFileOptions* whole) : limit_(limit), whole_(whole) {}

  Status begin(const FetchHead& head) override {
    bytes_.clear();
    scratch_.reset();
    if (head.status == kPartial) {
      return {};
    }
    if (whole_ == nullptr || head.content_length.value_or(0) > whole_->largest_whole) {
      return no_ranges(head);
    }
    scratch_ = std::make_unique<ScratchBytes>(ScratchOptions{.folder = whole_->scratch_folder});
    return {};
  }
  Status take(std::string_view bytes) override {
    const std::uint64_t have = scratch_ ? scratch_->size() : bytes_.size();
    if (bytes.size() > (scratch_ ? whole_->largest_whole : limit_) - have) {
      return fail(ErrorCode::network_error, "the server sends more than was asked for");
    }
    if (scratch_) {
      return scratch_->append(bytes);
    }
    bytes_.append(bytes);
    return {};
  }

  /// Null where a range came.
  [[nodiscard]] ScratchBytes* whole() const { return scratch_.get(); }
  std::string release() { return std::move(bytes_); }

 private:
  [[nodiscard]] Status no_ranges(const FetchHead& head) const {
    const std::string shown = shown_address(head.url);
    if (whole_ == nullptr) {
      return fail(ErrorCode::network_error, fmt::format("{} changed while it was read", shown))
          .hint("try again");
    }
    return fail(ErrorCode::unsupported,
                fmt::format("{} cannot be read in parts: its server knows no ranges", shown))
        .hint("download it and give the file");
  }

  std::uint64_t limit_;
  const RemoteFileOptions* whole_;  ///< null: only a range will do
  std::unique_ptr<ScratchBytes> scratch_;
  std::string bytes_;
};

class RemoteFile final : public ByteSource {
 public:
  RemoteFile(HttpClient& client, std::string url, const FetchHead& head, RemoteFileOptions options)
      : ByteSource(source_name(url)),
        client_(client),
        url_(std::move(url)),
        validator_(head.strong_validator()),
        size_(head.content_range->size.value_or(0)),
        options_(std::move(options)) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  /// Bytes from `offset` that came already; blocks that they do not fill are dropped.
  void keep(std::uint64_t offset, std::string_view bytes) const {
    const std::uint64_t block = options_.block_bytes;
    const std::uint64_t end = offset + bytes.size();
    for (std::uint64_t at = (offset + block - 1) / block * block; at < end; at += block) {
      const std::uint64_t count = std::min(block, size_ - at);
      if (at + count > end) {
        break;
      }
      blocks_[at / block] = bytes.substr(at - offset, count);
    }
  }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    const std::scoped_lock lock(mutex_);
    count = std::min(count, size_ - std::min(offset, size_));
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t at = offset + done;
      FITMENT_TRY_ASSIGN(const std::string* block, block_at(at, count - done));
      const std::uint64_t inside = at % options_.block_bytes;
      const std::uint64_t part = std::min(count - done, block->size() - inside);
      block->copy(out + done, part, inside);
      done += part;
    }
    return count;
  }

 private:
  /// The block that holds the byte at `at`; what is missing of the next `wanted` bytes comes with
  /// it.
  Result<const std::string*> block_at(std::uint64_t at, std::uint64_t wanted) const {
    constexpr std::uint64_t kMostAtOnce = 8U << 20U;
    const std::uint64_t first = at / options_.block_bytes;
    if (const auto found = blocks_.find(first); found != blocks_.end()) {
      return &found->second;
    }
    if (blocks_.size() >= options_.most_blocks) {
      blocks_.clear();
    }
    const std::uint64_t end = std::min(size_, at + std::min(wanted, kMostAtOnce));
    std::uint64_t last = first;
    while ((last + 1) * options_.block_bytes < end && !blocks_.contains(last + 1)) {
      ++last;
    }
    const std::uint64_t begin = first * options_.block_bytes;
    FITMENT_TRY_ASSIGN(const std::string bytes,
                       fetch(begin, std::min(size_, (last + 1) * options_.block_bytes) - 1));
    keep(begin, bytes);
    return &blocks_.at(first);
  }

  Result<std::string> fetch(std::uint64_t first, std::uint64_t last) const {
    FetchRequest request;
    request.url = url_;
    request.range = ByteRange{first, last, false};
    request.if_range = validator_;
    RangeSink sink(last - first + 1, nullptr);
    FITMENT_TRY_ASSIGN(const FetchHead head, client_.send(request, sink));
    FITMENT_TRY(check_status(head.status, head.url));
    std::string bytes = sink.release();
    const auto& range = head.content_range;
    if (!range || range->first != first || range->last != last
        || range->size.value_or(size_) != size_ || bytes.size() != last - first + 1) {
      return fail(ErrorCode::network_error,
                  fmt::format("{} sent another part than was asked for", shown_address(url_)))
          .hint("the server's ranges are broken; download the file and give that");
    }
    return bytes;
  }

  HttpClient& client_;
  std::string url_;
  std::string validator_;
  std::uint64_t size_;
  RemoteFileOptions options_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint64_t, std::string> blocks_;  ///< by number
};

/// The size by HEAD, for servers that know ranges but no tails; nullopt where they know none.
Result<std::optional<FetchHead>> ask_for_size(HttpClient& client, const std::string& url) {
  FetchRequest request;
  request.url = url;
  request.is_head = true;
  class HeadSink final : public BodySink {
    Status begin(const FetchHead& /*head*/) override { return {}; }
    Status take(std::string_view /*bytes*/) override { return {}; }
  } sink;
  FITMENT_TRY_ASSIGN(FetchHead head, client.send(request, sink));
  if (!head.is_success() || head.accept_ranges != "bytes" || !head.content_length) {
    return std::optional<FetchHead>();
  }
  head.content_range = ContentRange{0, 0, head.content_length};
  return std::optional(std::move(head));
}

Result<std::unique_ptr<ByteSource>> fetch_whole(HttpClient& client,
                                                const std::string& url,
                                                const RemoteFileOptions& options) {
  FetchRequest request;
  request.url = url;
  RangeSink sink(0, &options);
  FITMENT_TRY_ASSIGN(const FetchHead head, client.send(request, sink));
  FITMENT_TRY(check_status(head.status, head.url));
  return sink.whole()->finish(source_name(url));
}

/// Whether the answer is the tail that was asked for.
bool is_tail(const FetchHead& head, std::string_view bytes, std::uint64_t asked) {
  const auto& range = head.content_range;
  return head.status == kPartial && range && range->size && range->last + 1 == *range->size
         && bytes.size() == std::min(asked, *range->size)
         && range->first == *range->size - bytes.size();
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_address(HttpClient& client,
                                                 const std::string& url,
                                                 const RemoteFileOptions& options) {
  if (const auto path = local_path(url)) {
    return open_file_source(*path);
  }
  FetchRequest request;
  request.url = url;
  request.range = ByteRange{options.tail_bytes, {}, true};
  RangeSink sink(options.tail_bytes, &options);
  FITMENT_TRY_ASSIGN(const FetchHead head, client.send(request, sink));
  if (head.is_success() && sink.whole() != nullptr) {
    return sink.whole()->finish(source_name(url));
  }
  const std::string tail = sink.release();
  if (is_tail(head, tail, options.tail_bytes)) {
    auto file = std::make_unique<RemoteFile>(client, url, head, options);
    file->keep(file->size() - tail.size(), tail);
    return std::unique_ptr<ByteSource>(std::move(file));
  }
  constexpr int kNotImplemented = 501;
  if (head.status != kNoSuchRange && head.status != kNotImplemented) {
    FITMENT_TRY(check_status(head.status, head.url));
  }
  FITMENT_TRY_ASSIGN(const std::optional<FetchHead> whole, ask_for_size(client, url));
  if (!whole) {
    return fetch_whole(client, url, options);
  }
  return std::unique_ptr<ByteSource>(std::make_unique<RemoteFile>(client, url, *whole, options));
}

}  // namespace fitment
