// SPDX-License-Identifier: Apache-2.0
// The journal of what is done to a tree in place, so that an interruption at any point loses
// nothing and originals that were kept can be put back. It is `.fitment-slim/journal` in the tree's
// folder, lines of words that are only ever appended:
//
//   fitment-slim-journal 1
//   begin 3 slice lib/libfoo.so 5392               step, action, path in the tree, bytes
//   ready 3 SHA256 1616 SHA256 /keep/lib/libfoo.so before; bytes and digest after; kept original
//   done 3                                         the new file has taken its place
//
// `-` stands for nothing: no digest after a removal or before an addition, no original kept. The
// digest of a symbolic link is that of the words `symbolic link to TARGET`. `dropped` ends a step
// that did not happen, `undone` one that was taken back. Blanks, `%` and control characters in
// paths are written as %20 and so on. A line is on the disk before what it announces begins; the
// last line may be torn and then did not happen.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class StepAction {
  slice,   ///< replaced by its slice
  link,    ///< replaced by a link to another file
  record,  ///< a RECORD that tells what happened to others
  remove,
};
std::string_view to_string(StepAction action);

enum class StepState {
  begun,    ///< nothing has happened to the file
  ready,    ///< the old or the new file is there
  done,     ///< the new one
  dropped,  ///< the old one, for good
  undone,   ///< the old one again
};

struct JournalStep {
  StepAction action = StepAction::slice;
  std::string path;  ///< relative to the tree; never climbs out of it
  std::uint64_t before_bytes = 0;
  std::string before_sha256;  ///< from `ready` on; empty: there was nothing
  std::uint64_t after_bytes = 0;
  std::string after_sha256;  ///< empty: removed
  std::string backup;        ///< absolute; empty: no original was kept
  StepState state = StepState::begun;
};

struct JournalText {
  std::vector<JournalStep> steps;  ///< step 1 first
  std::uint64_t whole_bytes = 0;   ///< without a torn last line
};

/// Errors: parse_error with the line; a path that leaves the tree is one.
Result<JournalText> parse_journal(std::string_view bytes, const std::string& source);

/// The file of a tree.
std::filesystem::path journal_path(const std::filesystem::path& root);

/// What it says, without a lock. Errors: not_found, io_error, parse_error.
Result<std::vector<JournalStep>> read_journal(const std::filesystem::path& root);

/// The journal of one tree, open for appending and locked against a second run.
class Journal {
 public:
  /// Opens it, or makes it where there is none. Errors: io_error (also when another run holds it),
  /// parse_error.
  static Result<Journal> open(const std::filesystem::path& root);

  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  [[nodiscard]] const std::vector<JournalStep>& steps() const { return steps_; }

  // Each of these adds lines; they are on the disk when sync() has returned.

  /// A new step in state `begun`; its number in steps().
  Status begin(StepAction action, const std::string& path, std::uint64_t before_bytes);
  /// Takes the digests, sizes and backup of `facts`.
  Status ready(std::size_t step, const JournalStep& facts);
  Status end(std::size_t step, StepState state);
  Status sync();

  /// Takes the file and its folder away: nothing in it is needed any more.
  Status remove();

 private:
  Journal(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  Status append(const std::string& line);

  int fd_;
  std::filesystem::path path_;
  std::vector<JournalStep> steps_;
};

}  // namespace fitment
