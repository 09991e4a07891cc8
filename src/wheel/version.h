// SPDX-License-Identifier: Apache-2.0
// Package versions (PEP 440).
//
//   v1!2.8.0rc1.post2.dev3+cu128.1
//    | |    |   |     |    `---- local label: which build of the same release this is
//    | |    |   |     `--------- developmental release, before everything of its number
//    | |    |   `--------------- post-release
//    | |    `------------------- pre-release: a, b or rc
//    | `------------------------ release numbers; missing ones count as zero
//    `-------------------------- epoch
//
// Order: `1.dev1 < 1a1.dev1 < 1a1 < 1b1 < 1rc1 < 1 < 1+cpu < 1+cu126 < 1+1 < 1.post1`.
#pragma once

#include "base/error.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// One package version, held in its normal form.
class Version {
 public:
  enum class PreKind {
    alpha,      ///< `a`
    beta,       ///< `b`
    candidate,  ///< `rc`
  };
  struct PreRelease {
    PreKind kind = PreKind::alpha;
    std::uint64_t number = 0;
    friend auto operator<=>(const PreRelease&, const PreRelease&) = default;
  };

  /// The version `0`.
  Version() = default;

  /// Accepts every spelling that PEP 440 normalises. Error: parse_error that names the first wrong
  /// character or the number that does not fit into 64 bits (digits of a local label always fit).
  static Result<Version> parse(std::string_view text);

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  /// As written, trailing zeros included; never empty.
  [[nodiscard]] const std::vector<std::uint64_t>& release() const { return release_; }
  /// A release number; zero where the release is shorter.
  [[nodiscard]] std::uint64_t part(std::size_t index) const {
    return index < release_.size() ? release_[index] : 0;
  }
  [[nodiscard]] std::uint64_t major() const { return part(0); }
  [[nodiscard]] std::uint64_t minor() const { return part(1); }
  [[nodiscard]] std::optional<PreRelease> pre() const { return pre_; }
  [[nodiscard]] std::optional<std::uint64_t> post() const { return post_; }
  [[nodiscard]] std::optional<std::uint64_t> dev() const { return dev_; }

  /// The local label without `+`: `cu128`; empty where there is none.
  [[nodiscard]] std::string local() const;
  /// The normal form without the local label.
  [[nodiscard]] std::string public_text() const;
  [[nodiscard]] Version without_local() const;

  /// Alpha, beta, candidate or developmental.
  [[nodiscard]] bool is_prerelease() const { return pre_.has_value() || dev_.has_value(); }
  [[nodiscard]] bool is_postrelease() const { return post_.has_value(); }

  /// `1.0` and `1.0.0` are equal.
  friend std::strong_ordering operator<=>(const Version& a, const Version& b);
  friend bool operator==(const Version& a, const Version& b) { return std::is_eq(a <=> b); }

 private:
  friend class VersionParser;

  /// A piece of the local label. Numbers of any length stay text, without leading zeros.
  struct LocalPart {
    bool is_number = false;
    std::string text;
    std::strong_ordering operator<=>(const LocalPart& other) const;
    bool operator==(const LocalPart& other) const = default;
  };

  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> release_{0};
  std::optional<PreRelease> pre_;
  std::optional<std::uint64_t> post_;
  std::optional<std::uint64_t> dev_;
  std::vector<LocalPart> local_;
};

/// The normal form.
std::string to_string(const Version& version);

}  // namespace fitment
