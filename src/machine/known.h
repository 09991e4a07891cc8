// SPDX-License-Identifier: Apache-2.0
// A fact that may be unknown, with the way it became known. Unknown is a value of its own: never
// zero, never false.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace fitment {

/// A fact and its evidence: the name of the source it was read from (`nvml`, `sysfs`, `cpuid`,
/// `override`, ...). Evidence may be empty in machine files written by hand.
template <typename T>
class Known {
 public:
  Known() = default;
  explicit Known(T value, std::string evidence = {})
      : value_(std::move(value)), evidence_(std::move(evidence)) {}

  [[nodiscard]] bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }
  [[nodiscard]] T value_or(T other) const { return value_.value_or(std::move(other)); }
  [[nodiscard]] const std::string& evidence() const { return evidence_; }

  void set(T value, std::string evidence) {
    value_ = std::move(value);
    evidence_ = std::move(evidence);
  }
  /// Sets the fact only when no better source has set it.
  void set_if_unknown(T value, std::string evidence) {
    if (!value_) {
      set(std::move(value), std::move(evidence));
    }
  }
  void set_evidence(std::string evidence) { evidence_ = std::move(evidence); }
  void forget() {
    value_.reset();
    evidence_.clear();
  }

 private:
  std::optional<T> value_;
  std::string evidence_;
};

}  // namespace fitment
