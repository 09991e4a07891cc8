// SPDX-License-Identifier: Apache-2.0
// Bytes that are made before they are read, such as an inflated member of an archive: in memory
// while they are few, beyond that in a file without a name, which goes away with the process.
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace fitment {

/// How much memory may be used, and where the file is made.
struct ScratchOptions {
  std::uint64_t in_memory_bytes = 64ULL << 20U;
  std::filesystem::path folder = "/tmp";
};

class ScratchBytes {
 public:
  explicit ScratchBytes(ScratchOptions options) : options_(std::move(options)) {}
  ScratchBytes(const ScratchBytes&) = delete;
  ScratchBytes& operator=(const ScratchBytes&) = delete;
  ScratchBytes(ScratchBytes&&) = delete;
  ScratchBytes& operator=(ScratchBytes&&) = delete;
  ~ScratchBytes();

  /// Errors: io_error (no file can be made in the folder, or the disk is full).
  Status append(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// All bytes as a source of this name. Nothing is left here.
  std::unique_ptr<ByteSource> finish(std::string name);

 private:
  Status open_file();
  [[nodiscard]] Status write_all(std::string_view bytes) const;

  ScratchOptions options_;
  std::string memory_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace fitment
