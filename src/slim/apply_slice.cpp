// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"
#include "base/new_file.h"
#include "elf/dynamic.h"
#include "elf/elf_file.h"
#include "slim/load_test.h"
#include "slim/loader_trace.h"
#include "slim/slice.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <string>

namespace fitment {

namespace {

/// Owns the descriptor of the original.
class OpenOriginal {
 public:
  explicit OpenOriginal(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {}
  OpenOriginal(const OpenOriginal&) = delete;
  OpenOriginal& operator=(const OpenOriginal&) = delete;
  ~OpenOriginal() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

Error refuse(std::string message) {
  return fail(ErrorCode::internal, fmt::format("the slice is not proven: {}", std::move(message)))
      .hint("nothing was replaced; the original is as it was");
}

/// The host's loader must say of the result what it says of the original.
Status compare_traces(const std::filesystem::path& original,
                      const ByteSource& original_source,
                      const std::filesystem::path& result,
                      SliceProof& proof) {
  FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(original_source));
  const std::filesystem::path folder =
      original.has_parent_path() ? original.parent_path() : std::filesystem::path(".");
  const auto after = trace_loading(result, elf, folder);
  if (!after) {
    proof.statements.emplace_back("not asked: this host's loader cannot load such a file");
    return {};
  }
  if (!after->is_loaded || !after->complaints.empty()) {
    const auto before = trace_loading(original, elf, folder);
    if (before
        && (before->is_loaded != after->is_loaded || before->complaints != after->complaints)) {
      return refuse(fmt::format(
          "the loader says: {}",
          after->complaints.empty() ? std::string("nothing") : *after->complaints.begin()));
    }
    proof.statements.emplace_back(
        "the loader has the same complaints about the original and the slice");
    return {};
  }
  proof.statements.push_back(
      fmt::format("the loader maps and relocates it with {} libraries", after->libraries.size()));
  return {};
}

/// Where the original loads, so must the result.
Status compare_loading(const std::filesystem::path& original,
                       const ByteSource& original_source,
                       const std::filesystem::path& result,
                       SliceProof& proof) {
  FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(original_source));
  FITMENT_TRY_ASSIGN(const auto dynamic, read_dynamic(elf));
  if (!dynamic || elf.header().type != ElfType::et_dyn
      || elf.find_segment(SegmentType::pt_interp)) {
    proof.statements.emplace_back("not loaded: it is a program");
    return {};
  }
  const std::filesystem::path folder =
      original.has_parent_path() ? original.parent_path() : std::filesystem::path(".");
  FITMENT_TRY_ASSIGN(const LoadOutcome before, test_loading(original, dynamic->needed, folder));
  FITMENT_TRY_ASSIGN(const LoadOutcome after, test_loading(result, dynamic->needed, folder));
  if (before.is_loaded != after.is_loaded) {
    return refuse(fmt::format("loading it says: {}",
                              after.is_loaded ? std::string("nothing") : after.complaint));
  }
  proof.statements.push_back(
      after.is_loaded
          ? std::string("a child process loaded it with RTLD_NOW and ran its constructors")
          : fmt::format("the original does not load on this host either: {}", before.complaint));
  return {};
}

}  // namespace

Result<SliceProof> apply_slice(const std::filesystem::path& path,
                               const SlicePlan& plan,
                               const SliceOptions& options,
                               const ApplyOptions& apply) {
  const OpenOriginal original(path);
  if (original.get() < 0) {
    return fail(ErrorCode::io_error, fmt::format("cannot open `{}` as a file", path.string()));
  }
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(path));
  if (source->size() != plan.before_bytes) {
    return refuse("the file changed since it was planned");
  }
  // While the result is written and proven, the original is read once more for its digest.
  const bool needs_digest = plan.digest_at.has_value() || apply.before_commit != nullptr;
  auto digest = std::async(needs_digest ? std::launch::async : std::launch::deferred,
                           [&] { return sha256_hex(*source); });
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(apply.output.value_or(path)));
  FITMENT_TRY(write_splice(file.descriptor(), original.get(), plan.bytes, path.string()));
  FITMENT_TRY_ASSIGN(const auto result, open_file_source(file.path()));
  // The result's own digest is known but for what stands in the note, near its end.
  Sha256 own;
  const std::uint64_t settled = plan.digest_at.value_or(result->size());
  auto start_of_own = std::async(apply.before_commit ? std::launch::async : std::launch::deferred,
                                 [&] { return own.add(*result, 0, settled); });
  FITMENT_TRY_ASSIGN(SliceProof proof, prove_slice(*source, *result, plan, options));
  if (apply.traces && plan.kind == GpuFileKind::library) {
    FITMENT_TRY(compare_traces(path, *source, file.path(), proof));
  }
  if (apply.load_tests && plan.kind == GpuFileKind::library) {
    FITMENT_TRY(compare_loading(path, *source, file.path(), proof));
  }
  std::string hex;
  if (needs_digest) {
    FITMENT_TRY_ASSIGN(hex, digest.get());
  }
  if (plan.digest_at) {
    if (::pwrite(file.descriptor(), hex.data(), hex.size(), static_cast<off_t>(*plan.digest_at))
        != static_cast<ssize_t>(hex.size())) {
      return fail(ErrorCode::io_error, fmt::format("cannot write `{}`", file.path().string()));
    }
  }
  FITMENT_TRY(file.take_attributes(path));
  if (apply.before_commit) {
    FITMENT_TRY(start_of_own.get());
    FITMENT_TRY(own.add(*result, settled, result->size()));
    FITMENT_TRY(apply.before_commit({file.path(), hex, own.hex(), result->size()}));
  }
  FITMENT_TRY(file.commit(apply.syncs));
  return proof;
}

}  // namespace fitment
