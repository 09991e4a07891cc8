// SPDX-License-Identifier: Apache-2.0
// Requirements files, as pip reads them: one requirement or option a line.
//
//   torch==2.8.0 ; python_version < "3.14" \     a backslash continues the line
//       --hash=sha256:0123...                    # a comment starts after a blank
//   -r other.txt
//   --index-url https://user:${TOKEN}@host/simple/
//
// `${VAR}` is left as it stands, and files named by -r and -c are not opened: that is the caller's
// part.
#pragma once

#include "base/error.h"
#include "wheel/requirement.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// `--hash=sha256:0123...`
struct PinnedHash {
  std::string algorithm;  ///< sha256, sha384 or sha512
  std::string digits;     ///< lower case
};

struct RequirementsFile {
  struct Entry {
    Requirement requirement;
    Origin origin;
    std::vector<PinnedHash> hashes;
  };
  /// A file named by -r or -c, as written: relative to the folder of this file.
  struct Include {
    std::string path;
    Origin origin;
  };
  struct IndexOptions {
    std::optional<std::string> index_url;
    std::vector<std::string> extra_index_urls;
    std::vector<std::string> find_links;
    bool no_index = false;
    bool prereleases = false;     ///< `--pre`
    bool require_hashes = false;  ///< `--require-hashes`
  };
  /// A line that is well-formed but not read: an editable install, a path, an option without
  /// meaning here.
  struct Note {
    Origin origin;
    std::string text;  ///< why, in one sentence
  };

  std::vector<Entry> entries;
  std::vector<Include> includes;
  std::vector<Include> constraints;
  IndexOptions index;
  std::vector<Note> notes;
};

/// `source` names the file in errors. Error: parse_error with line and column.
Result<RequirementsFile> parse_requirements_file(std::string_view text, const std::string& source);

}  // namespace fitment
