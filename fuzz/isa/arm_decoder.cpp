// SPDX-License-Identifier: Apache-2.0
// Any bytes as arm64 code, with tables that point anywhere: a verdict agrees with its own list.
#include "isa/arm_decoder.h"

#include "isa/arm_verdict.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// The first bytes make the image's tables, the rest is its text.
CodeImage image_of(std::string_view tables, std::string_view text) {
  CodeImage image;
  image.machine = CodeMachine::aarch64;
  image.text.push_back({0x1000, text, false});
  for (std::size_t at = 0; at + 2 < tables.size(); at += 3) {
    const auto number = [&](std::size_t i) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(tables[i]));
    };
    const std::uint64_t address = 0xff0 + number(at) * 4;
    const std::uint64_t more = number(at + 2);
    switch (number(at + 1) % 4) {
      case 0:
        image.functions.push_back(
            {(more & 1U) != 0 ? "f_sve" : "f", address, more, (more & 2U) != 0, (more & 4U) != 0});
        break;
      case 1:
        image.unwind_ranges.push_back({address, more});
        break;
      case 2:
        image.slots.push_back(
            {0x100000 + more, static_cast<CodeSlot::Kind>(more % 3), address, ""});
        break;
      default:
        image.functions.push_back({"far", ~std::uint64_t{0} - more, ~std::uint64_t{0}, true, true});
    }
  }
  return image;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data),
                               std::min<std::size_t>(size, 4096));
  const std::size_t tables = std::min<std::size_t>(bytes.size() / 2, 96);
  const CodeImage image = image_of(bytes.substr(0, tables), bytes.substr(tables));
  const ArmVerdict verdict = judge_arm(image, ListFunctions::yes);
  ArmFeatures all;
  std::size_t chosen = 0;
  for (const ArmFunctionNeeds& one : *verdict.listed) {
    require(!one.features.empty() && one.first >= one.address);
    require(one.first - one.address < one.size);
    all |= one.features;
    chosen += one.is_chosen ? 1U : 0U;
  }
  require(all == (verdict.needed | verdict.dispatched));
  require((verdict.needed & verdict.dispatched).empty());
  require(chosen == verdict.chosen_functions);
  require(verdict.evidence.size() == verdict.needed.members().size());
  return 0;
}
