// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <fmt/format.h>

namespace fitment {

std::string to_string(const Origin& origin) {
  std::string text = origin.source;
  if (origin.line) {
    text += fmt::format(":{}", *origin.line);
    if (origin.column) {
      text += fmt::format(":{}", *origin.column);
    }
  } else if (origin.offset) {
    text += fmt::format("+{:#x}", *origin.offset);
  }
  return text;
}

Error& Error::operator=(Error&& other) noexcept {
  if (this != &other) {
    code_ = other.code_;
    message_ = std::move(other.message_);
    origin_ = std::move(other.origin_);
    steps_ = std::move(other.steps_);
    hints_ = std::move(other.hints_);
    missing_path_ = std::move(other.missing_path_);
  }
  return *this;
}

Error&& Error::at(Origin origin) && {
  if (!origin_) {
    origin_ = std::move(origin);
  } else if (origin_->source.empty()) {
    origin_->source = std::move(origin.source);
  }
  return std::move(*this);
}

Error&& Error::while_doing(std::string step) && {
  steps_.push_back(std::move(step));
  return std::move(*this);
}

Error&& Error::hint(std::string text) && {
  hints_.push_back(std::move(text));
  return std::move(*this);
}

Error&& Error::missing(std::string path) && {
  missing_path_ = std::move(path);
  return std::move(*this);
}

std::string to_string(const Error& error) {
  std::string text = error.message();
  for (const std::string& step : error.steps()) {
    text += "\n  while " + step;
  }
  if (error.origin()) {
    text += "\n  at " + to_string(*error.origin());
  }
  for (const std::string& hint : error.hints()) {
    text += "\nhint: " + hint;
  }
  return text;
}

}  // namespace fitment
