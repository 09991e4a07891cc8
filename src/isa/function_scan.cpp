// SPDX-License-Identifier: Apache-2.0
#include "isa/function_scan.h"

#include "isa/x86_short_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

/// How often each requirement was met in one function.
using Histogram = std::array<std::uint32_t, 256>;

void summarize(const Histogram& histogram, FunctionScan& function) {
  bool clears_upper = false;
  for (std::size_t i = 0; i < x86::kTables.requirement_count; ++i) {
    const std::uint32_t count = histogram[i];
    if (count == 0) {
      continue;
    }
    const X86Requirement& requirement = requirement_of(static_cast<std::uint8_t>(i));
    switch (requirement.role) {
      case X86Role::unknown:
        function.unknown_bytes += count;
        continue;
      case X86Role::legacy_vector:
        function.legacy_vectors += count;
        break;
      case X86Role::vex_vector:
        function.vex_vectors += count;
        break;
      case X86Role::upper_clear:
        clears_upper = true;
        function.instructions += count;
        continue;
      case X86Role::detect:
        function.has_detection = true;
        break;
      default:
        break;
    }
    function.instructions += count;
    if (requirement.role != X86Role::hint) {
      function.features |= requirement.features;
    }
  }
  if (clears_upper && function.vex_vectors != 0) {
    function.features.insert(X86Feature::avx);
  }
  // REX2 takes over a byte that constants in text hold often; compilers that use it, use it in
  // clean code.
  if (function.unknown_bytes != 0) {
    function.features.erase(X86Feature::apx);
  }
}

/// The bytes of the text that an address lies in, from there on.
std::string_view text_from(const CodeImage& image, std::uint64_t address) {
  for (const TextRange& text : image.text) {
    if (address - text.address < text.bytes.size()) {
      return text.bytes.substr(address - text.address);
    }
  }
  return {};
}

/// A function while it is decoded. Where an instruction starts is known when the one before is
/// decoded: a chain of loads that leaves most of a processor idle, so several lanes advance in
/// turns.
class Lane {
 public:
  /// False at the end of the function, and where the short decoder would read behind the text.
  [[nodiscard]] bool can_step() const { return at_ < padded_end_; }

  void step() {
    const X86Instruction instruction = x86::decode_short(at_);
    ++histogram_[instruction.requirement];
    at_ += instruction.length;
  }

  void start(const CodeImage& image, FunctionScan& function) {
    const std::string_view text = text_from(image, function.address);
    function_ = &function;
    at_ = reinterpret_cast<const std::uint8_t*>(text.data());  // NOLINT(*-reinterpret-cast)
    end_ = at_ + std::min<std::size_t>(function.size, text.size());
    padded_end_ = text.size() > kX86Padding ? std::min(end_, at_ + text.size() - kX86Padding) : at_;
  }

  /// Decodes what steps could not, and sums up.
  void finish() {
    if (function_ == nullptr) {
      return;
    }
    while (at_ < end_) {
      // NOLINTNEXTLINE(*-reinterpret-cast)
      const X86Instruction instruction =
          decode_x86({reinterpret_cast<const char*>(at_), static_cast<std::size_t>(end_ - at_)});
      ++histogram_[instruction.requirement];
      at_ += instruction.length;
    }
    summarize(histogram_, *function_);
    histogram_.fill(0);
    function_ = nullptr;
  }

 private:
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* padded_end_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  FunctionScan* function_ = nullptr;
  Histogram histogram_{};
};

/// Measured: two lanes gain 25 %, four a little more, and more than four fill the registers.
constexpr std::size_t kLanes = 4;

}  // namespace

std::vector<FunctionScan> scan_functions(const CodeImage& image) {
  if (image.machine != CodeMachine::x86_64) {
    return {};
  }
  std::vector<FunctionScan> functions = find_functions(image);
  auto next = functions.begin();
  std::array<Lane, kLanes> lanes;
  // Gives a lane that is done its next function; false when none is left.
  const auto refill = [&](Lane& lane) {
    while (!lane.can_step()) {
      lane.finish();
      if (next == functions.end()) {
        return false;
      }
      lane.start(image, *next++);
    }
    return true;
  };
  const auto can_step = [](const Lane& lane) { return lane.can_step(); };
  while (std::all_of(lanes.begin(), lanes.end(), refill)) {
    do {
      for (Lane& lane : lanes) {
        lane.step();
      }
    } while (std::all_of(lanes.begin(), lanes.end(), can_step));
  }
  for (Lane& lane : lanes) {
    while (refill(lane)) {
      lane.step();
    }
  }
  return functions;
}

std::string name_of(const CodeImage& image, const FunctionScan& function) {
  if (function.symbol >= 0) {
    return image.functions[static_cast<std::size_t>(function.symbol)].name;
  }
  return fmt::format("sub_{:x}", function.address);
}

}  // namespace fitment
