// SPDX-License-Identifier: Apache-2.0
#include "store/download.h"

#include "base/digest.h"
#include "base/posix_io.h"
#include "store/http_fault.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestFile = 64ULL << 30U;  // where the index states no size

class DownloadSink final : public BodySink {
 public:
  DownloadSink(const WantedFile& wanted,
               int fd,
               const std::filesystem::path& path,
               const FetchProgress& progress,
               bool may_resume)
      : wanted_(wanted), fd_(fd), path_(path), progress_(progress), may_resume_(may_resume) {
    struct stat info {};
    if (::fstat(fd_, &info) == 0) {
      have_ = static_cast<std::uint64_t>(info.st_size);
    }
    // What an earlier process left is trusted for the hash alone.
    if (!may_resume || wanted.sha256.empty() || have_ > limit()) {
      static_cast<void>(restart());
    }
    is_pieced_ = have_ > 0;
  }

  void ask(FetchRequest& request) override {
    // Without a hash nothing tells whether the pieces fit.
    is_rest_ = may_resume_ && have_ > 0 && !wanted_.sha256.empty();
    if (is_rest_) {
      request.range = ByteRange{have_, {}, false};
      request.if_range = validator_;
      is_pieced_ = true;
    }
  }

  Status begin(const FetchHead& head) override {
    constexpr int kPartial = 206;
    validator_ = head.strong_validator();
    if (head.status != kPartial) {
      FITMENT_TRY(restart());
      return check_total(head.content_length);
    }
    if (!head.content_range || head.content_range->first != have_) {
      is_confused_ = true;
      return fail(ErrorCode::network_error,
                  fmt::format("{} sent another part than was asked for", shown()))
          .hint("the server's ranges are broken; tell its operator");
    }
    return check_total(head.content_range->size);
  }

  Status take(std::string_view bytes) override {
    if (bytes.size() > limit() - have_) {
      return fail(
                 ErrorCode::network_error,
                 wanted_.size ? fmt::format(
                     "{} is longer than the {} bytes that its index states", shown(), *wanted_.size)
                              : fmt::format("{} is longer than {} bytes", shown(), limit()))
          .hint("the file is not the one that its index describes; do not use it");
    }
    if (!write_all(fd_, bytes)) {
      const int code = errno;
      static_cast<void>(restart());  // a full disk is not helped by what cannot be used
      return system_error(code, "write", path_)
          .hint("`fitment cache gc` makes room; XDG_CACHE_HOME names another place");
    }
    have_ += bytes.size();
    if (progress_) {
      progress_(have_, total_);
    }
    return {};
  }

  [[nodiscard]] std::uint64_t kept() const override { return have_; }
  /// The bytes came with more than one answer, so that asking for the whole may mend a fault.
  [[nodiscard]] bool is_pieced() const { return is_pieced_; }
  /// An answer to a range that makes no sense.
  [[nodiscard]] bool is_confused() const { return is_confused_; }

  Status restart() {
    have_ = 0;
    if (::ftruncate(fd_, 0) != 0 || ::lseek(fd_, 0, SEEK_SET) != 0) {
      return system_error(errno, "write", path_);
    }
    return {};
  }

 private:
  [[nodiscard]] std::string shown() const { return shown_address(wanted_.url); }
  [[nodiscard]] std::uint64_t limit() const { return wanted_.size.value_or(kLargestFile); }

  Status check_total(const std::optional<std::uint64_t>& total) {
    if (total && wanted_.size && *total != *wanted_.size) {
      is_confused_ = is_rest_;
      return fail(ErrorCode::network_error,
                  fmt::format(
                      "{} has {} bytes, but its index states {}", shown(), *total, *wanted_.size))
          .hint("the file is not the one that its index describes; do not use it");
    }
    total_ = total.value_or(wanted_.size.value_or(0));
    ::lseek(fd_, static_cast<off_t>(have_), SEEK_SET);
    return {};
  }

  const WantedFile& wanted_;
  int fd_;
  const std::filesystem::path& path_;
  const FetchProgress& progress_;
  bool may_resume_;
  std::uint64_t have_ = 0;
  std::uint64_t total_ = 0;  ///< 0: not known
  std::string validator_;    ///< of the answer that the bytes came with
  bool is_rest_ = false;     ///< the rest is asked for, not the whole
  bool is_pieced_ = false;
  bool is_confused_ = false;
};

/// Fills the file; no error means that all has come.
Status receive(HttpClient& client, const WantedFile& wanted, DownloadSink& sink) {
  if (wanted.size && !wanted.sha256.empty() && sink.kept() == *wanted.size) {
    return {};  // the process ended between the last byte and the check
  }
  FetchRequest request;
  request.url = wanted.url;
  FITMENT_TRY_ASSIGN(const FetchHead head, client.send(request, sink));
  constexpr int kNoSuchRange = 416;
  if (head.status == kNoSuchRange && sink.is_pieced()) {
    return {};  // nothing is missing, it says: the hash decides
  }
  return check_status(head.status, head.url);
}

}  // namespace

Status check_promise(const WantedFile& wanted, std::uint64_t size, const std::string& sha256) {
  const std::string shown = shown_address(wanted.url);
  constexpr std::string_view kHint =
      "the file is not the one that its index describes; do not use it";
  if (wanted.size && size != *wanted.size) {
    return fail(ErrorCode::network_error,
                fmt::format("{} has {} bytes, but its index states {}", shown, size, *wanted.size))
        .hint(std::string(kHint));
  }
  if (!wanted.sha256.empty() && sha256 != wanted.sha256) {
    return fail(ErrorCode::network_error,
                fmt::format(
                    "{} has the SHA-256 {}, but its index states {}", shown, sha256, wanted.sha256))
        .hint(std::string(kHint));
  }
  return {};
}

Result<std::string> download(HttpClient& client,
                             const WantedFile& wanted,
                             const FileLease& lease,
                             const std::filesystem::path& partial,
                             const FetchProgress& progress) {
  for (bool may_resume = true;; may_resume = false) {
    DownloadSink sink(wanted, lease.descriptor(), partial, progress, may_resume);
    Status status = receive(client, wanted, sink);
    const bool has_all = status.has_value();
    if (has_all) {
      FITMENT_TRY_ASSIGN(const auto source, open_file_source(partial));
      FITMENT_TRY_ASSIGN(std::string sha256, sha256_hex(*source));
      status = check_promise(wanted, source->size(), sha256);
      if (status) {
        return sha256;
      }
    }
    // Pieces that do not fit, or a server that confuses ranges: the whole, once.
    if (!may_resume || !sink.is_pieced() || !(has_all || sink.is_confused())) {
      if (has_all) {
        FITMENT_TRY(sink.restart());
      }
      return std::move(status).error();
    }
  }
}

}  // namespace fitment
