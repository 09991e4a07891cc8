// SPDX-License-Identifier: Apache-2.0
#include "wheel/specifier.h"

#include "base/text.h"
#include "wheel/quote.h"
#include "wheel/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

using Operator = SpecifierOperator;

// Longest first, so that `===` is not read as `==`.
constexpr std::array<std::pair<std::string_view, Operator>, 8> kOperators{{
    {"===", Operator::arbitrary},
    {"~=", Operator::compatible},
    {"==", Operator::equal},
    {"!=", Operator::not_equal},
    {"<=", Operator::less_equal},
    {">=", Operator::greater_equal},
    {"<", Operator::less},
    {">", Operator::greater},
}};

std::string after_operator_marks(std::string_view text) {
  const std::size_t start = text.find_first_not_of("=<>!~^ \t");
  return std::string(start == std::string_view::npos ? std::string_view() : text.substr(start));
}

/// What somebody who wrote this instead of an operator probably meant.
Error with_operator_hint(Error error, std::string_view text) {
  const std::string version = after_operator_marks(text);
  const bool is_version = Version::parse(version).has_value();
  const std::string shown = is_version ? version : std::string("2.8.0");
  if (text.starts_with("=>") || text.starts_with("=<")) {
    return std::move(error).hint(fmt::format("did you mean `{}={}`?", text[1], shown));
  }
  if (text.starts_with('~')) {
    return std::move(error).hint(fmt::format("did you mean `~={}`?", shown));
  }
  if (text.starts_with('^')) {
    return std::move(error).hint(
        "`^` is not a Python operator; write a range such as `>=1.2,<2` instead");
  }
  if (text.starts_with('=') || is_version) {
    return std::move(error).hint(fmt::format("did you mean `=={}`?", shown));
  }
  return std::move(error).hint("operators are ==, !=, <=, >=, <, >, ~= and ===");
}

bool has_release_prefix(const Version& candidate, const Version& prefix, std::size_t length) {
  if (candidate.epoch() != prefix.epoch()) {
    return false;
  }
  for (std::size_t i = 0; i < length; ++i) {
    if (candidate.part(i) != prefix.part(i)) {
      return false;
    }
  }
  return true;
}

bool same_release(const Version& a, const Version& b) {
  return has_release_prefix(a, b, std::max(a.release().size(), b.release().size()));
}

bool equals(const Version& candidate, const Specifier& specifier) {
  if (specifier.is_prefix) {
    return has_release_prefix(candidate, specifier.version, specifier.version.release().size());
  }
  return specifier.version.local().empty() ? candidate.without_local() == specifier.version
                                           : candidate == specifier.version;
}

bool is_less(const Version& candidate, const Version& bound) {
  if (candidate >= bound) {
    return false;
  }
  // What lies between V.dev0 and V: of a final V every version with its release numbers that comes
  // before it, of a post-release V its own developmental releases.
  const bool is_prerelease_of_bound =
      same_release(candidate, bound)
      && (!bound.post() || (candidate.pre() == bound.pre() && candidate.post() == bound.post()));
  return bound.is_prerelease() || !is_prerelease_of_bound;
}

bool is_greater(const Version& candidate, const Version& bound) {
  if (candidate.without_local() <= bound) {
    return false;
  }
  const bool is_post_of_bound =
      candidate.post() && same_release(candidate, bound) && candidate.pre() == bound.pre();
  return bound.post() || bound.dev() || !is_post_of_bound;
}

Status check_operator_use(const Specifier& specifier, const TextCursor& cursor) {
  const std::string op(to_string(specifier.op));
  const bool is_equality = specifier.op == Operator::equal || specifier.op == Operator::not_equal;
  if (specifier.is_prefix && !is_equality) {
    return cursor.wrong(fmt::format("`.*` cannot be used with `{}`", op))
        .hint(fmt::format("`.*` works with == and != only: leave it out, or write `=={}`",
                          specifier.text));
  }
  if (specifier.is_prefix
      && (specifier.version.is_prerelease() || specifier.version.post()
          || !specifier.version.local().empty())) {
    return cursor
        .wrong(
            fmt::format("`.*` must follow a plain release, not `{}`", to_string(specifier.version)))
        .hint("write a release such as `==2.8.*`");
  }
  if (!is_equality && !specifier.version.local().empty()) {
    return cursor
        .wrong(fmt::format(
            "a local label (`+{}`) cannot be used with `{}`", specifier.version.local(), op))
        .hint(fmt::format("pin the build with `=={}`, or write `{}{}`",
                          specifier.text,
                          op,
                          specifier.version.public_text()));
  }
  if (specifier.op == Operator::compatible && specifier.version.release().size() < 2) {
    return cursor
        .wrong(fmt::format("`~=` needs at least two release numbers, not `{}`", specifier.text))
        .hint(fmt::format("write `~={0}.0`, or `>={0}` for no upper bound", specifier.text));
  }
  return {};
}

/// One part between commas; the cursor stands at its first character.
Result<Specifier> parse_one(std::string_view part, TextCursor& cursor) {
  Specifier specifier;
  const auto* const found =
      std::find_if(kOperators.begin(), kOperators.end(), [part](const auto& known) {
        return part.starts_with(known.first);
      });
  if (found == kOperators.end()) {
    return with_operator_hint(
        cursor.wrong(fmt::format("expected a version operator, found {}", quote(part))), part);
  }
  specifier.op = found->second;
  std::string_view version = trim(part.substr(found->first.size()));
  cursor.move_to(cursor.offset() + part.size() - version.size());
  if (version.empty()) {
    return cursor.wrong(fmt::format("expected a version after `{}`", found->first));
  }
  if (specifier.op == Operator::arbitrary) {
    if (version.find_first_of(" \t;)") != std::string_view::npos) {
      return cursor.wrong(fmt::format("expected one word after `===`, found {}", quote(version)));
    }
    specifier.text = version;
    specifier.version = Version::parse(version).value_or(Version());
    return specifier;
  }
  specifier.is_prefix =
      version.size() > 2 && version.ends_with(".*") && !is_blank(version[version.size() - 3]);
  auto parsed =
      Version::parse(specifier.is_prefix ? version.substr(0, version.size() - 2) : version);
  if (!parsed) {
    Error error = std::move(parsed).error();
    const std::string meant = after_operator_marks(version);
    if (meant != version && Version::parse(meant)) {
      error = fail(ErrorCode::parse_error, error.message())
                  .hint(fmt::format("did you mean `{}{}`?", found->first, meant));
    }
    return std::move(error).at(cursor.origin());
  }
  specifier.version = std::move(*parsed);
  specifier.text = to_string(specifier.version) + (specifier.is_prefix ? ".*" : "");
  FITMENT_TRY(check_operator_use(specifier, cursor));
  return specifier;
}

}  // namespace

std::string_view to_string(SpecifierOperator op) {
  const auto* const found = std::find_if(
      kOperators.begin(), kOperators.end(), [op](const auto& known) { return known.second == op; });
  return found == kOperators.end() ? std::string_view() : found->first;
}

bool Specifier::contains(const Version& candidate) const {
  switch (op) {
    case Operator::compatible:
      return candidate.without_local() >= version
             && has_release_prefix(candidate, version, version.release().size() - 1);
    case Operator::equal:
      return equals(candidate, *this);
    case Operator::not_equal:
      return !equals(candidate, *this);
    case Operator::less_equal:
      return candidate.without_local() <= version;
    case Operator::greater_equal:
      return candidate.without_local() >= version;
    case Operator::less:
      return is_less(candidate, version);
    case Operator::greater:
      return is_greater(candidate, version);
    case Operator::arbitrary:
      return to_string(candidate) == to_lower(text);
  }
  return false;
}

bool Specifier::names_prerelease() const {
  return op != Operator::not_equal && version.is_prerelease();
}

std::string to_string(const Specifier& specifier) {
  return std::string(to_string(specifier.op)) + specifier.text;
}

Result<SpecifierSet> SpecifierSet::parse(std::string_view text, const Origin& start) {
  SpecifierSet set;
  for (const std::string_view piece : split(text, ',')) {
    const std::string_view part = trim(piece);
    if (!part.empty()) {
      TextCursor cursor(text, start);
      cursor.move_to(static_cast<std::size_t>(part.data() - text.data()));
      FITMENT_TRY_ASSIGN(Specifier specifier, parse_one(part, cursor));
      set.specifiers_.push_back(std::move(specifier));
    }
  }
  return set;
}

bool SpecifierSet::contains(const Version& version, Prereleases prereleases) const {
  if (version.is_prerelease()) {
    const bool allowed =
        prereleases == Prereleases::yes
        || (prereleases == Prereleases::by_specifier
            && std::any_of(specifiers_.begin(), specifiers_.end(), [](const Specifier& s) {
                 return s.names_prerelease();
               }));
    if (!allowed) {
      return false;
    }
  }
  return std::all_of(specifiers_.begin(), specifiers_.end(), [&version](const Specifier& s) {
    return s.contains(version);
  });
}

std::optional<std::string> SpecifierSet::pinned_local() const {
  for (const Specifier& specifier : specifiers_) {
    const bool is_pin = specifier.op == Operator::equal || specifier.op == Operator::arbitrary;
    if (is_pin && !specifier.version.local().empty()) {
      return specifier.version.local();
    }
  }
  return std::nullopt;
}

std::string to_string(const SpecifierSet& set) {
  std::vector<std::string> texts;
  for (const Specifier& specifier : set.specifiers()) {
    texts.push_back(to_string(specifier));
  }
  return join(texts, ",");
}

}  // namespace fitment
