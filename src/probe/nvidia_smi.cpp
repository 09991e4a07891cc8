// SPDX-License-Identifier: Apache-2.0
#include "probe/nvidia_smi.h"

#include "base/dotted_version.h"
#include "base/text.h"

namespace fitment {

namespace {

/// nvidia-smi writes the bus with eight digits of domain: 00000000:01:00.0.
std::string short_address(std::string_view address) {
  constexpr std::size_t kLong = 16;
  constexpr std::size_t kShort = 12;
  return to_lower(address.size() == kLong ? address.substr(kLong - kShort) : address);
}

std::string known(std::string_view field) {
  return field.starts_with('[') ? std::string() : std::string(field);  // "[N/A]"
}

}  // namespace

std::optional<SmiAnswer> parse_nvidia_smi(std::string_view text) {
  constexpr std::uint64_t kMebibyte = 1U << 20U;
  constexpr std::size_t kMostGpus = 256;
  SmiAnswer answer;
  for (const std::string_view line : split_lines(text)) {
    std::vector<std::string_view> fields = split(line, ',');
    for (std::string_view& field : fields) {
      field = trim(field);
    }
    if (!DottedVersion::parse(fields.front()) || answer.gpus.size() == kMostGpus) {
      continue;
    }
    answer.driver_version = fields.front();
    const auto field = [&fields](std::size_t i) {
      return i < fields.size() ? known(fields[i]) : std::string();
    };
    SmiGpu gpu{field(1), field(2), short_address(field(3)), field(5), {}};
    if (const auto size = parse_unsigned(field(4)); size && *size < (1U << 30U)) {
      gpu.memory_bytes = *size * kMebibyte;
    }
    if (!gpu.name.empty()) {
      answer.gpus.push_back(std::move(gpu));
    }
  }
  return answer.driver_version.empty() ? std::nullopt : std::optional(std::move(answer));
}

}  // namespace fitment
