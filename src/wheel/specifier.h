// SPDX-License-Identifier: Apache-2.0
// Version specifiers (PEP 440): which versions a requirement accepts.
//
// How local labels count: `==2.8.0`, `==2.8.*`, `~=`, `>=` and `<=` accept 2.8.0+cu126, `>2.8.0`
// and
// `===2.8.0` do not, `!=2.8.0` rejects it; `==2.8.0+cu126` accepts only that build.
// `>V` accepts no post-release of V and `<V` no pre-release of V, unless V is one itself.
#pragma once

#include "base/error.h"
#include "wheel/version.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class SpecifierOperator {
  compatible,     ///< `~=`
  equal,          ///< `==`, also with `.*`
  not_equal,      ///< `!=`, also with `.*`
  less_equal,     ///< `<=`
  greater_equal,  ///< `>=`
  less,           ///< `<`
  greater,        ///< `>`
  arbitrary,      ///< `===`: the same text
};
std::string_view to_string(SpecifierOperator op);

/// Whether alpha, beta, candidate and developmental versions may be contained.
enum class Prereleases {
  no,
  yes,
  by_specifier,  ///< only where a specifier (other than `!=`) names one, as installers do
};

/// One operator with its version.
struct Specifier {
  SpecifierOperator op = SpecifierOperator::equal;
  std::string text;        ///< normal form of the version: `2.8.*`; for `===` as written
  Version version;         ///< without `.*`; for `===` the default where the text is no version
  bool is_prefix = false;  ///< `.*`

  /// Pre-releases count like other versions here.
  [[nodiscard]] bool contains(const Version& candidate) const;
  /// Whether it asks for pre-releases by naming one.
  [[nodiscard]] bool names_prerelease() const;

  friend bool operator==(const Specifier& a, const Specifier& b) {
    return a.op == b.op && a.text == b.text;
  }
};
/// `==2.8.*`
std::string to_string(const Specifier& specifier);

/// Specifiers joined by commas, in the order given; all must hold. The empty set contains every
/// version.
class SpecifierSet {
 public:
  SpecifierSet() = default;

  /// Blanks around parts and empty parts are allowed. `start` is the place of the first character.
  /// Error: parse_error with the column, and what was probably meant.
  static Result<SpecifierSet> parse(std::string_view text,
                                    const Origin& start = {"specifier", 1, 1, {}});

  [[nodiscard]] bool contains(const Version& version,
                              Prereleases prereleases = Prereleases::by_specifier) const;
  [[nodiscard]] bool empty() const { return specifiers_.empty(); }
  [[nodiscard]] const std::vector<Specifier>& specifiers() const { return specifiers_; }
  /// The local label that an `==` or `===` demands: `cu126` for `==2.8.0+cu126`.
  [[nodiscard]] std::optional<std::string> pinned_local() const;

  friend bool operator==(const SpecifierSet&, const SpecifierSet&) = default;

 private:
  std::vector<Specifier> specifiers_;
};

/// `>=2.6,<3`
std::string to_string(const SpecifierSet& set);

}  // namespace fitment
