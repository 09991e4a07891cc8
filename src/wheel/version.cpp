// SPDX-License-Identifier: Apache-2.0
#include "wheel/version.h"

#include "base/text.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

using PreKind = Version::PreKind;

constexpr std::array<std::pair<std::string_view, PreKind>, 8> kPreWords{
    {{"alpha", PreKind::alpha},
     {"a", PreKind::alpha},
     {"beta", PreKind::beta},
     {"b", PreKind::beta},
     {"preview", PreKind::candidate},
     {"pre", PreKind::candidate},
     {"rc", PreKind::candidate},
     {"c", PreKind::candidate}}};
constexpr std::array<std::string_view, 3> kPreTexts{"a", "b", "rc"};  // by PreKind

}  // namespace

/// Reads the grammar of PEP 440 appendix B from left to right. Every optional separator is taken as
/// soon as it is seen, which accepts exactly what the backtracking regular expression there
/// accepts.
class VersionParser {
 public:
  explicit VersionParser(std::string_view text)
      : given_(trim(text)), lower_(to_lower(given_)), rest_(lower_) {}

  Result<Version> parse() {
    take("v");
    FITMENT_TRY(read_epoch_and_release());
    FITMENT_TRY(read_pre());
    FITMENT_TRY(read_post());
    FITMENT_TRY(read_dev());
    FITMENT_TRY(read_local());
    if (!rest_.empty()) {
      return unexpected();
    }
    return std::move(version_);
  }

 private:
  static bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

  bool take(std::string_view literal) {
    if (!rest_.starts_with(literal)) {
      return false;
    }
    rest_.remove_prefix(literal.size());
    return true;
  }
  void take_separator() {
    if (!rest_.empty() && is_separator(rest_.front())) {
      rest_.remove_prefix(1);
    }
  }
  std::string_view take_digits() {
    std::size_t length = 0;
    while (length < rest_.size() && is_digit(rest_[length])) {
      ++length;
    }
    const std::string_view digits = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return digits;
  }
  [[nodiscard]] bool at_digit() const { return !rest_.empty() && is_digit(rest_.front()); }

  [[nodiscard]] Error unexpected() const {
    const std::size_t at = lower_.size() - rest_.size();
    if (given_.empty()) {
      return fail(ErrorCode::parse_error, "a version is missing");
    }
    const std::string where = rest_.empty()
                                  ? std::string("it ends too early")
                                  : fmt::format("{} is unexpected", quote(given_.substr(at)));
    return fail(ErrorCode::parse_error,
                fmt::format("{} is not a version: {}", quote(given_), where))
        .hint("versions follow PEP 440, such as 2.8.0, 2.8.0rc1 or 2.8.0+cu128");
  }
  [[nodiscard]] Result<std::uint64_t> number(std::string_view digits) const {
    if (const auto value = parse_unsigned(digits)) {
      return *value;
    }
    return fail(ErrorCode::parse_error,
                fmt::format("{} is not a version: {} is too large", quote(given_), quote(digits)));
  }
  /// `[-_.]?word[-_.]?digits?`; a missing number is 0. Nothing is taken when no word stands there.
  Result<std::optional<std::uint64_t>> read_numbered(std::string_view word) {
    const std::string_view start = rest_;
    take_separator();
    if (!take(word)) {
      rest_ = start;
      return std::optional<std::uint64_t>();
    }
    take_separator();
    if (!at_digit()) {
      return std::optional<std::uint64_t>(0);
    }
    FITMENT_TRY_ASSIGN(const std::uint64_t value, number(take_digits()));
    return std::optional<std::uint64_t>(value);
  }

  Status read_epoch_and_release() {
    if (!at_digit()) {
      return unexpected();
    }
    FITMENT_TRY_ASSIGN(std::uint64_t value, number(take_digits()));
    if (take("!")) {
      version_.epoch_ = value;
      if (!at_digit()) {
        return unexpected();
      }
      FITMENT_TRY_ASSIGN(value, number(take_digits()));
    }
    version_.release_ = {value};
    while (rest_.size() >= 2 && rest_[0] == '.' && is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      FITMENT_TRY_ASSIGN(value, number(take_digits()));
      version_.release_.push_back(value);
    }
    return {};
  }

  Status read_pre() {
    for (const auto& [word, kind] : kPreWords) {
      FITMENT_TRY_ASSIGN(const auto value, read_numbered(word));
      if (value) {
        version_.pre_ = Version::PreRelease{kind, *value};
        return {};
      }
    }
    return {};
  }

  Status read_post() {
    if (rest_.size() >= 2 && rest_[0] == '-' && is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      FITMENT_TRY_ASSIGN(version_.post_, number(take_digits()));
      return {};
    }
    for (const std::string_view word : {"post", "rev", "r"}) {
      FITMENT_TRY_ASSIGN(version_.post_, read_numbered(word));
      if (version_.post_) {
        return {};
      }
    }
    return {};
  }

  Status read_dev() {
    FITMENT_TRY_ASSIGN(version_.dev_, read_numbered("dev"));
    return {};
  }

  Status read_local() {
    if (!take("+")) {
      return {};
    }
    do {
      std::size_t length = 0;
      while (length < rest_.size() && is_alnum(rest_[length])) {
        ++length;
      }
      std::string_view part = rest_.substr(0, length);
      if (part.empty()) {
        return unexpected();
      }
      rest_.remove_prefix(length);
      const bool is_number = std::all_of(part.begin(), part.end(), is_digit);
      while (is_number && part.size() > 1 && part.front() == '0') {
        part.remove_prefix(1);
      }
      version_.local_.push_back({is_number, std::string(part)});
    } while (take(".") || take("-") || take("_"));
    return {};
  }

  std::string_view given_;
  std::string lower_;
  std::string_view rest_;
  Version version_;
};

Result<Version> Version::parse(std::string_view text) {
  return VersionParser(text).parse();
}

std::string Version::local() const {
  std::vector<std::string> parts;
  for (const LocalPart& part : local_) {
    parts.push_back(part.text);
  }
  return join(parts, ".");
}

std::string Version::public_text() const {
  std::string text = epoch_ == 0 ? std::string() : fmt::format("{}!", epoch_);
  for (std::size_t i = 0; i < release_.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ".", release_[i]);
  }
  if (pre_) {
    text += fmt::format("{}{}", kPreTexts.at(static_cast<std::size_t>(pre_->kind)), pre_->number);
  }
  if (post_) {
    text += fmt::format(".post{}", *post_);
  }
  if (dev_) {
    text += fmt::format(".dev{}", *dev_);
  }
  return text;
}

Version Version::without_local() const {
  Version version = *this;
  version.local_.clear();
  return version;
}

std::strong_ordering Version::LocalPart::operator<=>(const LocalPart& other) const {
  if (is_number != other.is_number) {
    return is_number <=> other.is_number;  // numbers come after words
  }
  if (is_number && text.size() != other.text.size()) {
    return text.size() <=> other.text.size();
  }
  return text <=> other.text;
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
  if (const auto order = a.epoch_ <=> b.epoch_; std::is_neq(order)) {
    return order;
  }
  for (std::size_t i = 0; i < std::max(a.release_.size(), b.release_.size()); ++i) {
    if (const auto order = a.part(i) <=> b.part(i); std::is_neq(order)) {
      return order;
    }
  }
  // 1.dev1 comes before 1a1, although it has no pre-release; every other version without one comes
  // after them all.
  const auto pre_rank = [](const Version& v) -> std::pair<int, std::uint64_t> {
    if (v.pre_) {
      return {static_cast<int>(v.pre_->kind), v.pre_->number};
    }
    return {!v.post_ && v.dev_ ? -1 : 3, 0};
  };
  if (const auto order = pre_rank(a) <=> pre_rank(b); std::is_neq(order)) {
    return order;
  }
  if (const auto order = a.post_ <=> b.post_; std::is_neq(order)) {
    return order;
  }
  if (a.dev_.has_value() != b.dev_.has_value()) {
    return b.dev_.has_value() <=> a.dev_.has_value();
  }
  if (const auto order = a.dev_ <=> b.dev_; std::is_neq(order)) {
    return order;
  }
  return a.local_ <=> b.local_;
}

std::string to_string(const Version& version) {
  const std::string local = version.local();
  return local.empty() ? version.public_text() : version.public_text() + "+" + local;
}

}  // namespace fitment
