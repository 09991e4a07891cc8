// SPDX-License-Identifier: Apache-2.0
#include "wheel/marker.h"

#include "base/closest.h"
#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"
#include "wheel/specifier.h"
#include "wheel/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace fitment {

namespace {

using Field = std::string MarkerEnvironment::*;
using Step = Marker::Step;

struct FieldName {
  std::string_view name;
  Field field;
};

constexpr std::array<FieldName, 13> kFields{{
    {"python_version", &MarkerEnvironment::python_version},
    {"python_full_version", &MarkerEnvironment::python_full_version},
    {"os_name", &MarkerEnvironment::os_name},
    {"sys_platform", &MarkerEnvironment::sys_platform},
    {"platform_machine", &MarkerEnvironment::platform_machine},
    {"platform_system", &MarkerEnvironment::platform_system},
    {"platform_release", &MarkerEnvironment::platform_release},
    {"platform_version", &MarkerEnvironment::platform_version},
    {"platform_python_implementation", &MarkerEnvironment::platform_python_implementation},
    {"implementation_name", &MarkerEnvironment::implementation_name},
    {"implementation_version", &MarkerEnvironment::implementation_version},
    {"extra", &MarkerEnvironment::extra},
    {"variant_label", &MarkerEnvironment::variant_label},
}};

struct SetName {
  std::string_view name;
  std::vector<std::string> MarkerEnvironment::*set;
};

constexpr std::array<SetName, 3> kSets{{
    {"variant_namespaces", &MarkerEnvironment::variant_namespaces},
    {"variant_features", &MarkerEnvironment::variant_features},
    {"variant_properties", &MarkerEnvironment::variant_properties},
}};

/// Spellings of PEP 345 and of old setuptools.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOldNames{{
    {"os.name", "os_name"},
    {"sys.platform", "sys_platform"},
    {"platform.version", "platform_version"},
    {"platform.machine", "platform_machine"},
    {"platform.python_implementation", "platform_python_implementation"},
    {"python_implementation", "platform_python_implementation"},
}};

bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '.';
}

class MarkerParser {
 public:
  MarkerParser(std::string_view text, const Origin& start) : cursor_(text, start) {}

  Result<std::vector<Step>> parse() {
    FITMENT_TRY(read_either(0));
    if (!cursor_.at_end()) {
      return cursor_.wrong(
          fmt::format("expected `and`, `or` or the end of the marker, found {}", found()));
    }
    return std::move(steps_);
  }

 private:
  static constexpr int kDeepest = 64;

  [[nodiscard]] std::string found() const {
    return cursor_.at_end() ? std::string("the end") : quote(cursor_.rest());
  }
  [[nodiscard]] bool at_word(std::string_view word) const {
    const std::string_view rest = cursor_.rest();
    return rest.starts_with(word) && (rest.size() == word.size() || !is_word(rest[word.size()]));
  }
  bool take_word(std::string_view word) {
    cursor_.skip_blanks();
    return at_word(word) && cursor_.take(word);
  }

  Status read_either(int depth) {
    FITMENT_TRY(read_both(depth));
    while (take_word("or")) {
      FITMENT_TRY(read_both(depth));
      steps_.push_back({.kind = Step::Kind::either});
    }
    return {};
  }
  Status read_both(int depth) {
    FITMENT_TRY(read_atom(depth));
    while (take_word("and")) {
      FITMENT_TRY(read_atom(depth));
      steps_.push_back({.kind = Step::Kind::both});
    }
    return {};
  }
  Status read_atom(int depth) {
    cursor_.skip_blanks();
    if (cursor_.peek() != '(') {
      return read_comparison();
    }
    if (depth == kDeepest) {
      return cursor_.wrong(fmt::format("parentheses nest deeper than {}", kDeepest));
    }
    const Origin open = cursor_.origin();
    cursor_.take("(");
    FITMENT_TRY(read_either(depth + 1));
    cursor_.skip_blanks();
    if (!cursor_.take(")")) {
      return cursor_.wrong(fmt::format(
          "expected `)` for the `(` in column {}, found {}", open.column.value_or(0), found()));
    }
    cursor_.skip_blanks();
    return {};
  }

  Status read_comparison() {
    Step step;
    cursor_.skip_blanks();
    const std::size_t begin = cursor_.offset();
    FITMENT_TRY_ASSIGN(step.left, read_operand());
    FITMENT_TRY_ASSIGN(step.op, read_operator());
    FITMENT_TRY_ASSIGN(step.right, read_operand());
    FITMENT_TRY(check_sets(step, begin));
    steps_.push_back(std::move(step));
    cursor_.skip_blanks();
    return {};
  }

  /// Sets know `"literal" in SET` and `"literal" not in SET`, nothing else.
  [[nodiscard]] Status check_sets(const Step& step, std::size_t begin) const {
    if (step.left.set == nullptr && step.right.set == nullptr) {
      return {};
    }
    const bool is_member_test = step.op == "in" || step.op == "not in";
    const bool left_is_literal = step.left.set == nullptr && step.left.field == nullptr;
    if (is_member_test && left_is_literal) {
      return {};
    }
    const std::string& name = (step.right.set != nullptr ? step.right : step.left).text;
    return fail(ErrorCode::parse_error, fmt::format("`{}` is a set of texts", name))
        .at(cursor_.origin_at(begin))
        .hint(fmt::format("write `\"...\" in {}` or `\"...\" not in {}`", name, name));
  }

  Result<Marker::Operand> read_operand() {
    cursor_.skip_blanks();
    const char first = cursor_.peek();
    if (first == '"' || first == '\'') {
      const Origin open = cursor_.origin();
      cursor_.take(std::string_view(&first, 1));
      const std::string_view text = cursor_.take_while([first](char c) { return c != first; });
      if (!cursor_.take(std::string_view(&first, 1))) {
        return fail(ErrorCode::parse_error, "a quoted value does not end")
            .at(open)
            .hint(fmt::format("close it with `{}`", first));
      }
      return Marker::Operand{nullptr, std::string(text), nullptr};
    }
    const std::size_t begin = cursor_.offset();
    std::string_view word = cursor_.take_while(is_word);
    for (const auto& [old_name, name] : kOldNames) {
      word = word == old_name ? name : word;
    }
    if (const Field field = find_marker_field(word)) {
      return Marker::Operand{field, std::string(word), nullptr};
    }
    for (const SetName& known : kSets) {
      if (word == known.name) {
        return Marker::Operand{nullptr, std::string(word), known.set};
      }
    }
    cursor_.move_to(begin);
    return unknown_operand(word);
  }

  [[nodiscard]] Error unknown_operand(std::string_view word) const {
    if (word.empty() || is_digit(word.front())) {
      return cursor_
          .wrong(fmt::format("expected a marker variable or a quoted value, found {}", found()))
          .hint("quote values: `python_version < \"3.13\"`");
    }
    Error error = cursor_.wrong(fmt::format("{} is not a marker variable", quote(word)));
    std::vector<std::string> names;
    names.reserve(kFields.size() + kSets.size());
    for (const FieldName& known : kFields) {
      names.emplace_back(known.name);
    }
    for (const SetName& known : kSets) {
      names.emplace_back(known.name);
    }
    if (const auto closest = word.size() <= 64 ? find_closest(word, names) : std::nullopt) {
      return std::move(error).hint(fmt::format("did you mean `{}`?", *closest));
    }
    return std::move(error).hint(fmt::format("a value must be quoted: \"{}\"", word.substr(0, 64)));
  }

  Result<std::string> read_operator() {
    cursor_.skip_blanks();
    for (const std::string_view op : {"===", "==", "~=", "!=", "<=", ">=", "<", ">"}) {
      if (cursor_.take(op)) {
        return std::string(op);
      }
    }
    if (take_word("in")) {
      return std::string("in");
    }
    const std::size_t begin = cursor_.offset();
    if (take_word("not") && (cursor_.peek() == ' ' || cursor_.peek() == '\t') && take_word("in")) {
      return std::string("not in");
    }
    cursor_.move_to(begin);
    Error error = cursor_.wrong(fmt::format("expected a comparison operator, found {}", found()));
    if (cursor_.peek() == '=') {
      return std::move(error).hint("did you mean `==`?");
    }
    return std::move(error).hint("operators are ==, !=, <=, >=, <, >, ~=, ===, in and not in");
  }

  TextCursor cursor_;
  std::vector<Step> steps_;
};

bool compare_text(std::string_view left, std::string_view op, std::string_view right) {
  if (op == "in" || op == "not in") {
    return (right.find(left) != std::string_view::npos) == (op == "in");
  }
  if (op == "==") {
    return left == right;
  }
  if (op == "!=") {
    return left != right;
  }
  if (op == "<") {
    return left < right;
  }
  if (op == "<=") {
    return left <= right;
  }
  if (op == ">") {
    return left > right;
  }
  if (op == ">=") {
    return left >= right;
  }
  return op == "===" && to_lower(left) == to_lower(right);
}

/// The answer where both values are versions and the operator accepts the right one.
std::optional<bool> compare_versions(std::string left,
                                     std::string_view op,
                                     std::string_view right) {
  if (op == "in" || op == "not in" || op == "==="
      || right.find_first_of(",=<>!~") != std::string_view::npos) {
    return std::nullopt;
  }
  if (left.ends_with('+')) {
    left += "local";  // how Python names a build from a changed source tree
  }
  const auto version = Version::parse(left);
  const auto specifiers = SpecifierSet::parse(std::string(op).append(right));
  if (!version || !specifiers) {
    return std::nullopt;
  }
  return specifiers->contains(*version, Prereleases::yes);
}

/// `nvidia::sm_arch` as the sets spell it: `nvidia :: sm_arch`.
std::string spaced(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find("::", begin);
    result += trim(text.substr(begin, end - begin));
    if (end == std::string_view::npos) {
      return result;
    }
    result += " :: ";
    begin = end + 2;
  }
}

bool is_about_variant(const Step& step) {
  const auto is_label = [](const Marker::Operand& operand) {
    return operand.field == &MarkerEnvironment::variant_label;
  };
  return step.right.set != nullptr || is_label(step.left) || is_label(step.right);
}

bool compare(const Step& step, const MarkerEnvironment& environment) {
  if (step.right.set != nullptr) {
    const std::vector<std::string>& set = environment.*step.right.set;
    const bool is_member = std::find(set.begin(), set.end(), spaced(step.left.text)) != set.end();
    return is_member == (step.op == "in");
  }
  const auto value = [&environment](const Marker::Operand& operand) {
    return operand.field == nullptr ? operand.text : environment.*operand.field;
  };
  const std::string left = value(step.left);
  const std::string right = value(step.right);
  if (step.left.field == &MarkerEnvironment::extra
      || step.right.field == &MarkerEnvironment::extra) {
    return compare_text(normalize_name(left), step.op, normalize_name(right));
  }
  if (is_about_variant(step)) {
    return compare_text(left, step.op, right);  // a label is never a version
  }
  const auto answer = compare_versions(left, step.op, right);
  return answer ? *answer : compare_text(left, step.op, right);
}

}  // namespace

Field find_marker_field(std::string_view name) {
  for (const FieldName& known : kFields) {
    if (name == known.name) {
      return known.field;
    }
  }
  return nullptr;
}

Result<Marker> Marker::parse(std::string_view text, const Origin& start) {
  Marker marker;
  FITMENT_TRY_ASSIGN(marker.steps_, MarkerParser(text, start).parse());
  return marker;
}

bool Marker::evaluate(const MarkerEnvironment& environment) const {
  std::vector<bool> values;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::compare) {
      values.push_back(compare(step, environment));
      continue;
    }
    const bool last = values.back();
    values.pop_back();
    values.back() = step.kind == Step::Kind::both ? values.back() && last : values.back() || last;
  }
  return values.empty() || values.back();
}

bool Marker::mentions_extra() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
    return step.left.field == &MarkerEnvironment::extra
           || step.right.field == &MarkerEnvironment::extra;
  });
}

bool Marker::mentions_variant() const {
  return std::any_of(steps_.begin(), steps_.end(), is_about_variant);
}

std::variant<bool, Marker> Marker::settle_variant(const MarkerEnvironment& environment) const {
  using Part = std::variant<bool, Marker>;
  std::vector<Part> parts;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::compare) {
      Marker rest;
      rest.steps_.push_back(step);
      parts.push_back(is_about_variant(step) ? Part(compare(step, environment)) : Part(rest));
      continue;
    }
    Part right = std::move(parts.back());
    parts.pop_back();
    Part& left = parts.back();
    if (std::holds_alternative<bool>(left)) {
      std::swap(left, right);
    }
    if (const bool* known = std::get_if<bool>(&right)) {
      // `false and x` and `true or x` are settled, the other two leave x.
      if (*known == (step.kind == Step::Kind::either)) {
        left = *known;
      }
      continue;
    }
    std::vector<Step>& steps = std::get<Marker>(left).steps_;
    const std::vector<Step>& more = std::get<Marker>(right).steps_;
    steps.insert(steps.end(), more.begin(), more.end());
    steps.push_back(step);
  }
  return parts.empty() ? Part(true) : std::move(parts.back());
}

std::string to_string(const Marker& marker) {
  struct Piece {
    std::string text;
    Step::Kind kind;
  };
  const auto operand = [](const Marker::Operand& value) {
    if (value.field != nullptr || value.set != nullptr) {
      return value.text;
    }
    const char mark = value.text.find('"') == std::string::npos ? '"' : '\'';
    return mark + value.text + mark;
  };
  std::vector<Piece> pieces;
  for (const Step& step : marker.steps()) {
    if (step.kind == Step::Kind::compare) {
      pieces.push_back({operand(step.left) + " " + step.op + " " + operand(step.right), step.kind});
      continue;
    }
    const Piece right = std::move(pieces.back());
    pieces.pop_back();
    Piece& left = pieces.back();
    const bool is_both = step.kind == Step::Kind::both;
    // The right side keeps its parentheses also at the same level, so that reading the text again
    // gives the same steps.
    if (is_both && left.kind == Step::Kind::either) {
      left.text = "(" + left.text + ")";
    }
    const bool needs_parentheses =
        is_both ? right.kind != Step::Kind::compare : right.kind == Step::Kind::either;
    left.text += is_both ? " and " : " or ";
    left.text += needs_parentheses ? "(" + right.text + ")" : right.text;
    left.kind = step.kind;
  }
  return pieces.empty() ? std::string() : pieces.back().text;
}

}  // namespace fitment
