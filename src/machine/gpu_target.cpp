// SPDX-License-Identifier: Apache-2.0
#include "machine/gpu_target.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

std::string_view to_string(GpuVendor vendor) {
  switch (vendor) {
    case GpuVendor::nvidia:
      return "nvidia";
    case GpuVendor::amd:
      return "amd";
    case GpuVendor::intel:
      return "intel";
  }
  return "unknown";
}

Result<GpuVendor> parse_gpu_vendor(std::string_view text) {
  for (const GpuVendor vendor : {GpuVendor::nvidia, GpuVendor::amd, GpuVendor::intel}) {
    if (text == to_string(vendor)) {
      return vendor;
    }
  }
  return fail(ErrorCode::parse_error, fmt::format("`{}` is not a GPU vendor", text))
      .hint("vendors are nvidia, amd and intel");
}

std::string CudaTarget::capability() const {
  return fmt::format("{}.{}", major, minor);
}

bool CudaTarget::is_embedded() const {
  constexpr std::array kEmbedded{53, 62, 72, 87, 88, 101, 110};
  return std::find(kEmbedded.begin(), kEmbedded.end(), number()) != kEmbedded.end();
}

Result<CudaTarget> parse_cuda_target(std::string_view text) {
  const auto bad = [&] {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is not an NVIDIA target", text))
        .hint("targets look like sm_90, sm_90a, compute_90 or a compute capability such as 9.0");
  };
  CudaTarget target;
  std::string_view rest = text;
  if (rest.starts_with("sm_")) {
    rest.remove_prefix(3);
  } else if (rest.starts_with("compute_")) {
    rest.remove_prefix(8);
    target.is_virtual = true;
  }
  if (rest.ends_with('a') || rest.ends_with('f')) {
    target.suffix = rest.back() == 'a' ? CudaTarget::Suffix::arch : CudaTarget::Suffix::family;
    rest.remove_suffix(1);
  }
  constexpr std::uint64_t kLowest = 10;
  constexpr std::uint64_t kHighest = 999;
  if (const std::size_t dot = rest.find('.'); dot != std::string_view::npos) {
    const auto major = parse_unsigned(rest.substr(0, dot));
    const auto minor = parse_unsigned(rest.substr(dot + 1));
    if (!major || !minor || *major == 0 || *major > kHighest / 10 || *minor > 9) {
      return bad();
    }
    target.major = static_cast<int>(*major);
    target.minor = static_cast<int>(*minor);
    return target;
  }
  const auto number = parse_unsigned(rest);
  if (!number || *number < kLowest || *number > kHighest) {
    return bad();
  }
  target.major = static_cast<int>(*number / 10);
  target.minor = static_cast<int>(*number % 10);
  return target;
}

std::string to_string(const CudaTarget& target) {
  std::string_view suffix;
  if (target.suffix == CudaTarget::Suffix::arch) {
    suffix = "a";
  } else if (target.suffix == CudaTarget::Suffix::family) {
    suffix = "f";
  }
  return fmt::format("{}_{}{}", target.is_virtual ? "compute" : "sm", target.number(), suffix);
}

Result<GfxTarget> parse_gfx_target(std::string_view text) {
  const auto pieces = split(text, ':');
  GfxTarget target{to_lower(pieces.front()), {}};
  const std::string_view digits =
      std::string_view(target.name).substr(std::min<std::size_t>(3, target.name.size()));
  const bool named = target.name.starts_with("gfx") && digits.size() >= 3 && digits.size() <= 5
                     && is_digit(digits.front()) && parse_hex(digits).has_value()
                     && !digits.starts_with("0x");
  if (!named) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is not an AMD target", text))
        .hint("targets look like gfx90a or gfx1100");
  }
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].size() < 2 || (pieces[i].back() != '+' && pieces[i].back() != '-')) {
      return fail(
          ErrorCode::parse_error,
          fmt::format("`{}` in `{}` is not a target feature such as xnack+", pieces[i], text));
    }
    target.features.emplace_back(pieces[i]);
  }
  std::sort(target.features.begin(), target.features.end());
  return target;
}

std::string to_string(const GfxTarget& target) {
  std::string text = target.name;
  for (const std::string& feature : target.features) {
    text += ":" + feature;
  }
  return text;
}

Result<GpuTarget> parse_gpu_target(GpuVendor vendor, std::string_view text) {
  switch (vendor) {
    case GpuVendor::nvidia: {
      FITMENT_TRY_ASSIGN(const CudaTarget target, parse_cuda_target(text));
      if (target.is_virtual || target.suffix != CudaTarget::Suffix::none) {
        return fail(ErrorCode::parse_error, fmt::format("`{}` is code for a GPU, not a GPU", text))
            .hint(fmt::format("write sm_{} for a GPU of compute capability {}",
                              target.number(),
                              target.capability()));
      }
      return GpuTarget(target);
    }
    case GpuVendor::amd: {
      FITMENT_TRY_ASSIGN(GfxTarget target, parse_gfx_target(text));
      return GpuTarget(std::move(target));
    }
    case GpuVendor::intel:
      break;
  }
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || c == '.' || c == '-' || c == '_';
  });
  if (!plain) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is not an Intel device IP version", text))
        .hint("versions look like 12.60.7");
  }
  return GpuTarget(IntelTarget{std::string(text)});
}

std::string to_string(const GpuTarget& target) {
  struct Printer {
    std::string operator()(const CudaTarget& t) const { return to_string(t); }
    std::string operator()(const GfxTarget& t) const { return to_string(t); }
    std::string operator()(const IntelTarget& t) const { return t.device_ip; }
  };
  return std::visit(Printer{}, target);
}

GpuVendor vendor_of(const GpuTarget& target) {
  switch (target.index()) {
    case 0:
      return GpuVendor::nvidia;
    case 1:
      return GpuVendor::amd;
    default:
      return GpuVendor::intel;
  }
}

}  // namespace fitment
