// SPDX-License-Identifier: Apache-2.0
#include "isa/arm_verdict.h"

#include "base/text.h"
#include "isa/arm_decoder.h"
#include "isa/function_scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_set>

namespace fitment {

namespace {

constexpr std::size_t kWord = 4;

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, kWord);
  return word;
}

/// Parts of names that say for which processors a function is: function multi-versioning
/// (`._Msve2`), glibc, dav1d and their like, OpenBLAS.
bool is_named_variant(std::string_view name) {
  constexpr std::array<std::string_view, 24> kTokens{
      "._m",       "_sve",     "_sme",      "_lse",    "_dotprod", "_i8mm",    "_bf16",   "_fp16",
      "_neoverse", "_cortexa", "_thunderx", "_a64fx",  "_armv8",   "_kunpeng", "_tsv110", "_falkor",
      "_simd_sve", "_crypto",  "_sha3",     "_sha512", "_pmull",   "_oryon",   "_mops",   "_emag"};
  const std::string lower = to_lower(name);
  return std::any_of(kTokens.begin(), kTokens.end(), [&](std::string_view token) {
    return lower.find(token) != std::string::npos;
  });
}

/// libgcc's out-of-line atomics start by testing __aarch64_have_lse_atomics:
/// adrp x16, page; ldrb w16, [x16, offset]; cbz w16, old way.
bool tests_for_atomics(std::string_view bytes) {
  constexpr std::uint32_t kBranchTarget = 0xd503245f;  // BTI c
  std::size_t at = bytes.size() >= kWord && word_at(bytes, 0) == kBranchTarget ? kWord : 0;
  return bytes.size() >= at + 3 * kWord && (word_at(bytes, at) & 0x9f00001fU) == 0x90000010U
         && (word_at(bytes, at + kWord) & 0xffc003ffU) == 0x39400210U
         && (word_at(bytes, at + 2 * kWord) & 0xff00001fU) == 0x34000010U;
}

class ArmJudge {
 public:
  ArmJudge(const CodeImage& image, ListFunctions list) : image_(image) {
    if (list == ListFunctions::yes) {
      verdict_.listed.emplace();
    }
  }

  ArmVerdict run() {
    const std::vector<FunctionScan> functions = find_functions(image_);
    collect_resolvers();
    for (const FunctionScan& function : functions) {
      if (resolvers_.count(function.address) != 0) {
        collect_addresses(bytes_of(function), function.address);
      }
    }
    for (const TextRange& text : image_.text) {
      verdict_.text_bytes += text.bytes.size();
    }
    for (const FunctionScan& function : functions) {
      if (!function.is_plt) {
        ++verdict_.functions;
        judge(function);
      }
    }
    verdict_.dispatched = verdict_.dispatched - verdict_.needed;
    verdict_.built_for = level_of(verdict_.needed);
    verdict_.extras = beyond_level(verdict_.needed, verdict_.built_for);
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] std::string_view bytes_of(const FunctionScan& function) const {
    for (const TextRange& text : image_.text) {
      if (AddressRange{text.address, text.bytes.size()}.contains(function.address)) {
        return text.bytes.substr(function.address - text.address, function.size);
      }
    }
    return {};
  }

  void collect_resolvers() {
    for (const CodeFunction& function : image_.functions) {
      if (function.is_resolver) {
        resolvers_.insert(function.address);
      }
    }
    for (const CodeSlot& slot : image_.slots) {
      if (slot.kind == CodeSlot::Kind::resolver) {
        resolvers_.insert(slot.target);
      }
    }
  }

  /// Addresses that code makes of ADRP and ADD: what a resolver chooses from.
  void collect_addresses(std::string_view bytes, std::uint64_t address) {
    std::array<std::uint64_t, 32> pages{};
    for (std::size_t offset = 0; offset + kWord <= bytes.size(); offset += kWord) {
      const std::uint32_t word = word_at(bytes, offset);
      if ((word & 0x9f000000U) == 0x90000000U) {  // ADRP
        const std::uint64_t pages_away = (word >> 29U & 3U) | (word >> 3U & 0x1ffffcU);
        const std::uint64_t distance = (pages_away ^ 0x100000U) - 0x100000U;  // 21 bits with a sign
        pages[word & 31U] = ((address + offset) & ~std::uint64_t{0xfff}) + (distance << 12U);
      } else if ((word & 0xffc00000U) == 0x91000000U) {  // ADD of an immediate
        chosen_.insert(pages[word >> 5U & 31U] + (word >> 10U & 0xfffU));
      }
    }
  }

  void judge(const FunctionScan& function) {
    const std::string_view bytes = bytes_of(function);
    const std::string name = name_of(image_, function);
    ArmFunctionNeeds needs{.function = name,
                           .address = function.address,
                           .size = function.size,
                           .why = why_chosen(function, name, bytes)};
    needs.is_chosen = !needs.why.empty();
    for (std::size_t offset = 0; offset + kWord <= bytes.size(); offset += kWord) {
      const auto feature = arm_feature_of(word_at(bytes, offset));
      if (!feature) {
        continue;
      }
      // Memory tags do nothing before a program asks the kernel for them: their code always stands
      // behind a check.
      needs.first = needs.features.empty() ? function.address + offset : needs.first;
      needs.features.insert(*feature);
      if (needs.is_chosen || *feature == ArmFeature::mte) {
        verdict_.dispatched.insert(*feature);
      } else if (!verdict_.needed.contains(*feature)) {
        verdict_.needed.insert(*feature);
        verdict_.evidence.push_back({name, function.address, function.address + offset, *feature});
      }
    }
    if (!needs.features.empty()) {
      ++verdict_.needing_functions;
      verdict_.chosen_functions += needs.is_chosen ? 1U : 0U;
      if (verdict_.listed) {
        verdict_.listed->push_back(std::move(needs));
      }
    }
  }

  /// Empty for a function that nothing chooses.
  [[nodiscard]] std::string_view why_chosen(const FunctionScan& function,
                                            std::string_view name,
                                            std::string_view bytes) const {
    if (chosen_.count(function.address) != 0) {
      return "chosen by a resolver";
    }
    if (tests_for_atomics(bytes)) {
      return "tests for atomics first";
    }
    return is_named_variant(name) ? "named for a processor" : "";
  }

  const CodeImage& image_;
  ArmVerdict verdict_;
  std::unordered_set<std::uint64_t> resolvers_;
  std::unordered_set<std::uint64_t> chosen_;  ///< what resolvers name
};

}  // namespace

ArmVerdict judge_arm(const CodeImage& image, ListFunctions list) {
  return image.machine == CodeMachine::aarch64 ? ArmJudge(image, list).run() : ArmVerdict{};
}

}  // namespace fitment
