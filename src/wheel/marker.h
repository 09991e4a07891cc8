// SPDX-License-Identifier: Apache-2.0
// Environment markers (PEP 508): `python_version < "3.13" and extra == "cuda"`, with the variables
// of wheel variants (PEP 825): `"nvidia :: sm_arch" in variant_features`.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fitment {

/// The facts that markers ask for, spelled as Python spells them. Unknown ones stay empty.
struct MarkerEnvironment {
  std::string python_version;                        ///< `3.12`
  std::string python_full_version;                   ///< `3.12.3`
  std::string os_name;                               ///< `posix`
  std::string sys_platform;                          ///< `linux`
  std::string platform_machine;                      ///< `x86_64`
  std::string platform_system;                       ///< `Linux`
  std::string platform_release;                      ///< kernel release
  std::string platform_version;                      ///< kernel build text
  std::string platform_python_implementation;        ///< `CPython`
  std::string implementation_name;                   ///< `cpython`
  std::string implementation_version;                ///< `3.12.3`
  std::string extra;                                 ///< the extra under evaluation, or empty
  std::string variant_label = {};                    ///< of the chosen wheel; empty: not a variant
  std::vector<std::string> variant_namespaces = {};  ///< `nvidia`
  std::vector<std::string> variant_features = {};    ///< `nvidia :: sm_arch`
  std::vector<std::string> variant_properties = {};  ///< `nvidia :: sm_arch :: 90_real`
};

/// The field that a variable of markers stands for: `python_version`; null for the name of none,
/// and for that of a set.
std::string MarkerEnvironment::*find_marker_field(std::string_view name);

/// A parsed marker: a list of steps in postfix order, so that neither evaluating nor destroying it
/// recurses.
class Marker {
 public:
  /// A field of the environment, or a literal.
  struct Operand {
    std::string MarkerEnvironment::*field = nullptr;  ///< null for a literal and for a set
    std::string text;                                 ///< the name of the field, or the literal
    /// A set of texts, which stands only on the right of `in` and `not in`, with a literal on the
    /// left; white space around `::` does not count.
    std::vector<std::string> MarkerEnvironment::*set = nullptr;

    friend bool operator==(const Operand&, const Operand&) = default;
  };
  struct Step {
    enum class Kind {
      compare,  ///< pushes the value of `left op right`
      both,     ///< replaces the two topmost values by `and`
      either,   ///< replaces the two topmost values by `or`
    };
    Kind kind = Kind::compare;
    Operand left;
    std::string op;  ///< a version operator, `in` or `not in`
    Operand right;

    friend bool operator==(const Step&, const Step&) = default;
  };

  /// Parentheses may nest 64 deep. `start` is the place of the first character. Error: parse_error
  /// with the column.
  static Result<Marker> parse(std::string_view text, const Origin& start = {"marker", 1, 1, {}});

  /// Two versions compare by PEP 440, anything else as text; `extra` compares as a name. An
  /// operator that has no meaning for the two values (`~=` between words) is false.
  [[nodiscard]] bool evaluate(const MarkerEnvironment& environment) const;

  /// Whether the answer may depend on the extra.
  [[nodiscard]] bool mentions_extra() const;
  /// Whether the answer may depend on the chosen variant.
  [[nodiscard]] bool mentions_variant() const;

  /// What is left once the wheel is chosen: the answer where nothing else is asked, or the marker
  /// about the rest.
  [[nodiscard]] std::variant<bool, Marker> settle_variant(
      const MarkerEnvironment& environment) const;

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  friend bool operator==(const Marker&, const Marker&) = default;

 private:
  std::vector<Step> steps_;
};

/// `python_version < "3.13" and (os_name == "posix" or extra == "x")`
std::string to_string(const Marker& marker);

}  // namespace fitment
