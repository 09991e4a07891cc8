// SPDX-License-Identifier: Apache-2.0
// Errors are values: what went wrong, where in the input, what was being done, and the next step.
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

/// What a caller can do about an error. `cli` maps these to exit codes (design 4).
enum class ErrorCode {
  invalid_argument,  ///< the user asked for something impossible: exit 2
  not_found,         ///< a named file, package or version does not exist: exit 2
  parse_error,       ///< an input file or text is malformed: exit 2
  unsupported,       ///< well-formed, but not handled: exit 2
  io_error,          ///< disk or permissions: exit 3
  network_error,     ///< exit 3
  external_tool,     ///< another program failed or hung: exit 3
  internal,          ///< a bug: exit 70
};

/// A position in an input. Text formats give line and column (from 1), binary formats a byte
/// offset.
struct Origin {
  std::string source;  ///< file path, URL, or a name such as "--set"
  std::optional<std::uint64_t> line;
  std::optional<std::uint64_t> column;
  std::optional<std::uint64_t> offset;  ///< bytes from the start
};

/// `cases.toml:12:4`, `libfoo.so+0x1f0` or just the source.
std::string to_string(const Origin& origin);

/// One failure with its context; built by chaining: `fail(code, "...").at(origin).hint("...")`.
class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  Error(const Error&) = default;
  Error(Error&&) noexcept = default;
  Error& operator=(const Error&) = default;
  /// `error = std::move(error).hint("...")` assigns an error to itself; it must survive that.
  Error& operator=(Error&& other) noexcept;
  ~Error() = default;

  /// Sets the position unless an inner caller has set a more exact one.
  Error&& at(Origin origin) &&;
  /// Adds an outer step: "reading the machine file". Innermost first.
  Error&& while_doing(std::string step) &&;
  /// Adds a next step for the user: a command or a change to make.
  Error&& hint(std::string text) &&;
  /// Says that this path does not exist, so that whoever shows the error can tell what does.
  Error&& missing(std::string path) &&;

  [[nodiscard]] ErrorCode code() const { return code_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const std::optional<Origin>& origin() const { return origin_; }
  [[nodiscard]] const std::vector<std::string>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<std::string>& hints() const { return hints_; }
  [[nodiscard]] const std::optional<std::string>& missing_path() const { return missing_path_; }

  /// Lets a function that returns Result<T> say `return fail(...)`.
  template <typename T>
  operator tl::expected<T, Error>() && {  // NOLINT(google-explicit-constructor)
    return tl::unexpected<Error>(std::move(*this));
  }

 private:
  ErrorCode code_;
  std::string message_;
  std::optional<Origin> origin_;
  std::vector<std::string> steps_;
  std::vector<std::string> hints_;
  std::optional<std::string> missing_path_;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// `return fail(ErrorCode::parse_error, "...").at({path, line});`
inline Error fail(ErrorCode code, std::string message) {
  return {code, std::move(message)};
}

/// Text for a terminal or a log: `message`, then `  while ...`, `  at ...` and `hint: ...` lines;
/// no colour.
std::string to_string(const Error& error);

}  // namespace fitment

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names, declarations and whole
// expressions
#define FITMENT_CONCAT_(a, b) a##b
#define FITMENT_CONCAT(a, b) FITMENT_CONCAT_(a, b)

/// Returns the error of a Status or Result from the enclosing function.
#define FITMENT_TRY(expr) FITMENT_TRY_(FITMENT_CONCAT(fitment_try_, __COUNTER__), expr)
#define FITMENT_TRY_(tmp, expr)                                      \
  if (auto tmp = (expr); !tmp) {                                     \
    return tl::unexpected<::fitment::Error>(std::move(tmp).error()); \
  }

/// `FITMENT_TRY_ASSIGN(auto x, parse(text));`
#define FITMENT_TRY_ASSIGN(decl, expr) \
  FITMENT_TRY_ASSIGN_(FITMENT_CONCAT(fitment_try_, __COUNTER__), decl, expr)
#define FITMENT_TRY_ASSIGN_(tmp, decl, expr)                         \
  auto tmp = (expr);                                                 \
  if (!tmp) {                                                        \
    return tl::unexpected<::fitment::Error>(std::move(tmp).error()); \
  }                                                                  \
  decl = std::move(*tmp)
// NOLINTEND(bugprone-macro-parentheses)
