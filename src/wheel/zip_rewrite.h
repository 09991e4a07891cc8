// SPDX-License-Identifier: Apache-2.0
// A zip archive with some small members replaced, added or taken out, described as a splice over
// the original: every other member keeps all its bytes, and the result is known to the byte before
// anything is written. So an index tells size and digest of a wheel of gigabytes that nobody made
// yet, and answers requests for ranges of it.
#pragma once

#include "base/splice.h"
#include "wheel/zip_directory.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class ZipRewrite {
 public:
  /// Both arguments must outlive it.
  ZipRewrite(const ByteSource& archive, const ZipDirectory& zip) : archive_(archive), zip_(zip) {}

  /// New bytes for a member of the directory; its time, attributes, method and deflate level stay.
  void replace(const ZipEntry& entry, std::string bytes) { replaced_[&entry] = std::move(bytes); }
  void remove(const ZipEntry& entry) { removed_.insert(&entry); }
  /// A new member before one of the directory, with time, attributes and method of that one.
  void add_before(const ZipEntry& next, std::string name, std::string bytes) {
    added_[&next] = {std::move(name), std::move(bytes)};
  }

  /// Errors: those of reading the members that change.
  [[nodiscard]] Result<Splice> plan() const;

 private:
  struct NewMember {
    std::string name;
    std::string bytes;
  };
  struct Built;

  Status build(const ZipEntry& entry, Built& built) const;
  [[nodiscard]] Result<std::string> replacement(const ZipEntry& entry,
                                                std::string_view bytes,
                                                ZipEntry& own) const;

  const ByteSource& archive_;
  const ZipDirectory& zip_;
  std::map<const ZipEntry*, std::string> replaced_;
  std::map<const ZipEntry*, NewMember> added_;
  std::set<const ZipEntry*> removed_;
};

}  // namespace fitment
