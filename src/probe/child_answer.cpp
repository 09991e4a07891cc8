// SPDX-License-Identifier: Apache-2.0
#include "probe/child_answer.h"

#include "base/text.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <unistd.h>

#include <charconv>

namespace fitment {

void AnswerWriter::put(std::string_view key, std::string_view value) const {
  constexpr std::size_t kLongest = 1024;
  std::string line = fmt::format("{}=", key);
  for (const char c : value.substr(0, kLongest)) {
    if (static_cast<unsigned char>(c) >= 0x20) {
      line += c;
    }
  }
  line += '\n';
  [[maybe_unused]] const ssize_t put = ::write(fd_, line.data(), line.size());
}

void AnswerWriter::put(std::string_view key, long long value) const {
  put(key, std::string_view(fmt::format("{}", value)));
}

std::string ChildAnswer::text(std::string_view key) const {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : found->second;
}

std::optional<long long> ChildAnswer::number(std::string_view key) const {
  const std::string value = text(key);
  long long number = 0;
  const auto [stop, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (value.empty() || code != std::errc() || stop != value.data() + value.size()) {
    return {};
  }
  return number;
}

std::optional<std::uint64_t> ChildAnswer::unsigned_number(std::string_view key) const {
  return parse_unsigned(text(key));
}

std::optional<ChildAnswer> ask_in_child(const std::function<void(const AnswerWriter&)>& ask,
                                        std::chrono::milliseconds timeout) {
  const auto outcome = run_in_child(
      [&ask](int fd) {
        ask(AnswerWriter(fd));
        return 0;
      },
      timeout);
  if (!outcome) {
    return {};
  }
  ChildAnswer answer;
  answer.end = outcome->end;
  answer.signal = outcome->code;
  for (const std::string_view line : split_lines(outcome->out)) {
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos) {
      answer.values.insert_or_assign(std::string(line.substr(0, equals)),
                                     std::string(line.substr(equals + 1)));
    }
  }
  return answer;
}

void* find_symbol(void* library, const std::vector<const char*>& names) {
  for (const char* name : names) {
    if (void* address = ::dlsym(library, name); address != nullptr) {
      return address;
    }
  }
  return nullptr;
}

}  // namespace fitment
