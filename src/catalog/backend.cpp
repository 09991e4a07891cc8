// SPDX-License-Identifier: Apache-2.0
#include "catalog/backend.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

Error bad_backend(std::string_view text) {
  return fail(ErrorCode::parse_error, fmt::format("`{}` is not a backend", text))
      .hint("backends look like cpu, cu128, rocm6.4, xpu, or cuda12 for JAX");
}

/// 11.8 of `118`; the major has two digits unless there are only two digits in all.
std::optional<DottedVersion> parse_cuda_digits(std::string_view digits) {
  constexpr std::size_t kMostDigits = 4;
  if (digits.size() < 2 || digits.size() > kMostDigits || digits.front() == '0') {
    return {};
  }
  const std::size_t major_digits = digits.size() == 2 ? 1 : 2;
  const std::string_view minor_text = digits.substr(major_digits);
  const auto major = parse_unsigned(digits.substr(0, major_digits));
  const auto minor = parse_unsigned(minor_text);
  if (!major || !minor || (minor_text.size() > 1 && minor_text.front() == '0')) {
    return {};
  }
  return DottedVersion{static_cast<std::uint32_t>(*major), static_cast<std::uint32_t>(*minor)};
}

}  // namespace

std::optional<GpuVendor> Backend::vendor() const {
  switch (kind) {
    case Kind::cuda:
      return GpuVendor::nvidia;
    case Kind::rocm:
      return GpuVendor::amd;
    case Kind::xpu:
      return GpuVendor::intel;
    case Kind::cpu:
      break;
  }
  return {};
}

Result<Backend> parse_backend(std::string_view text) {
  const std::string written(text);
  if (text == "cpu") {
    return Backend{Backend::Kind::cpu, {}, written};
  }
  if (text == "xpu") {
    return Backend{Backend::Kind::xpu, {}, written};
  }
  if (text.starts_with("rocm")) {
    auto level = DottedVersion::parse(text.substr(4));
    if (!level || level->size() < 2) {
      return bad_backend(text);
    }
    return Backend{Backend::Kind::rocm, *std::move(level), written};
  }
  if (text.starts_with("cuda")) {
    const auto major = parse_unsigned(text.substr(4));
    constexpr std::uint64_t kHighest = 99;
    if (!major || *major == 0 || *major > kHighest) {
      return bad_backend(text);
    }
    return Backend{Backend::Kind::cuda, DottedVersion{static_cast<std::uint32_t>(*major)}, written};
  }
  if (text.starts_with("cu")) {
    if (auto level = parse_cuda_digits(text.substr(2))) {
      return Backend{Backend::Kind::cuda, *std::move(level), written};
    }
  }
  return bad_backend(text);
}

std::string cuda_label(const DottedVersion& toolkit) {
  return fmt::format("cu{}{}", toolkit.major(), toolkit.minor());
}

}  // namespace fitment
