// SPDX-License-Identifier: Apache-2.0
#include "cli/invocation.h"

#include <algorithm>
#include <stdexcept>

namespace fitment {

const Invocation::Given& Invocation::given(std::string_view name) const {
  const auto found = given_.find(name);
  if (found == given_.end()) {
    throw std::logic_error("the table of `" + std::string(command_->name) + "` has no `"
                           + std::string(name) + "`");
  }
  return found->second;
}

std::size_t Invocation::count(std::string_view name) const {
  return given(name).values.size();
}

std::optional<std::string> Invocation::find(std::string_view name) const {
  const Given& found = given(name);
  if (found.values.empty()) {
    return std::nullopt;
  }
  return found.values.back();
}

const std::vector<std::string>& Invocation::list(std::string_view name) const {
  return given(name).values;
}

Invocation::Source Invocation::source(std::string_view name) const {
  return given(name).source;
}

int Invocation::verbosity() const {
  constexpr int kMost = 2;
  const auto clamped = [this](std::string_view name) {
    return static_cast<int>(std::min<std::size_t>(count(name), kMost));
  };
  return clamped("verbose") - clamped("quiet");
}

void Invocation::set(std::string_view name, std::vector<std::string> values, Source source) {
  given_.insert_or_assign(std::string(name), Given{std::move(values), source});
}

}  // namespace fitment
