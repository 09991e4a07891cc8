// SPDX-License-Identifier: Apache-2.0
// Tar archives, read once from front to back: ustar, V7, pax, GNU long names, sparse files in all
// forms.
//
// This is our own reader, not a library's, for what a library hides: the bytes of each entry's
// headers as they stand. A rewritten layer hands them on, so an entry that nobody touched keeps its
// header, its extended attributes and its place, whatever program wrote it in which form, and the
// digest of a layer in which nothing changes does not either. A library would write its own form.
// And every program that unpacks a layer must read the same of it as this one, so what is ambiguous
// or lies is refused here, with the entry named.
//
// An archive is a row of entries, each one or more headers and then data, all in blocks of 512
// bytes; two blocks of zeros end it. An extended header (type x, of one entry; g, of all that
// follow) or a GNU long name (L, link target: K) is a header with data of its own.
#pragma once

#include "image/byte_stream.h"
#include "image/tar_header.h"
#include "image/tar_pax.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

constexpr std::string_view kTarFile = "07S";  ///< types that hold a file's data
constexpr char kTarHardLink = '1';
constexpr char kTarLink = '2';
constexpr char kTarCharacterDevice = '3';
constexpr char kTarBlockDevice = '4';
constexpr char kTarFolder = '5';
constexpr char kTarPipe = '6';
constexpr char kTarGlobal = 'g';  ///< an extended header of all that follow, as an entry of its own

struct TarEntry {
  std::string path;  ///< as written; not checked
  std::string link;
  char type = '0';
  std::uint64_t mode = 0;
  std::uint64_t uid = 0;
  std::uint64_t gid = 0;
  std::int64_t mtime = 0;
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;
  std::uint64_t data_bytes = 0;                ///< that follow `raw`
  std::uint64_t file_bytes = 0;                ///< with the holes of a sparse file
  std::optional<std::vector<SparseRun>> runs;  ///< of a sparse file
  PaxRecords pax;                              ///< in force, its own and global ones
  std::uint64_t offset = 0;                    ///< of its first header
  std::string raw;                             ///< its headers, in whole blocks

  [[nodiscard]] bool is_file() const { return kTarFile.find(type) != std::string_view::npos; }
};

class TarReader {
 public:
  /// The stream must outlive it and stand at the beginning of an archive.
  explicit TarReader(ByteStream& stream) : stream_(stream) {}

  /// The next entry, with its data still to be read; none: the archive has ended and so has the
  /// stream. What was not read of the entry before is passed over. Errors: those of the stream;
  /// parse_error with the entry and the offset.
  Result<std::optional<TarEntry>> next();
  /// The next bytes of the entry's data, without padding; empty: there are no more.
  Result<std::string_view> data(std::uint64_t most);

 private:
  Status skip_data();
  Result<std::optional<std::string>> block(bool may_end);
  Result<std::string> own_data(std::uint64_t size);
  Result<bool> take_header(std::string_view header_block, TarEntry& entry, PaxRecords& own);
  Status complete(TarEntry& entry, const TarHeader& header, const PaxRecords& own);
  Status read_sparse_map(TarEntry& entry, std::vector<SparseRun>& runs);
  Status end();
  [[nodiscard]] Error located(Error error, const std::string& path, std::uint64_t offset) const;

  ByteStream& stream_;
  PaxRecords global_;
  std::uint64_t global_bytes_ = 0;
  std::uint64_t left_ = 0;  // data of the entry
  std::uint64_t padding_ = 0;
  std::string current_;  // path of the entry whose data are read
};

/// An entry's headers for another number of data bytes; not of sparse files.
Result<std::string> tar_headers_with_size(const TarEntry& entry, std::uint64_t size);

}  // namespace fitment
