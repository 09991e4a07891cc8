// SPDX-License-Identifier: Apache-2.0
// Any bytes: the decoder reads nothing outside, always advances, and its short way says what the
// general one says.
#include "isa/dispatch.h"
#include "isa/x86_short_decoder.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void decode_all(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    // A copy of exact size: the sanitizer sees every byte that is read behind it.
    const std::vector<char> exact(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end());
    const std::string_view rest(exact.data(), exact.size());
    const X86Instruction found = decode_x86(rest);
    require(found.length >= 1 && found.length <= 15 && found.length <= rest.size());
    require(found.requirement < x86::kTables.requirement_count);
    require(found.is_unknown() ? found.length == 1 : found.opcode_offset < found.length);
    static_cast<void>(x86_mnemonic(rest));

    std::array<std::uint8_t, kX86Padding> padded{};
    std::memcpy(padded.data(), rest.data(), std::min(rest.size(), padded.size()));
    const X86Instruction general = decode_x86_padded(padded.data());
    const X86Instruction quick = x86::decode_short(padded.data());
    require(std::memcmp(&general, &quick, sizeof general) == 0);
    at += found.length;
  }
}

/// The bytes as the text of an image whose tables point anywhere.
void judge(std::string_view bytes) {
  CodeImage image;
  image.text.push_back({0x1000, bytes, false});
  image.data.push_back(
      {{0x100000, 0x1000}, bytes.substr(0, std::min<std::size_t>(bytes.size(), 64)), true, false});
  image.is_position_dependent = !bytes.empty() && (static_cast<unsigned char>(bytes[0]) & 1U) != 0;
  for (std::size_t at = 0; at + 3 < bytes.size() && at < 256; at += 3) {
    const auto number = [&](std::size_t i) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
    };
    const std::uint64_t address = 0xff0 + number(at) * 4;
    switch (number(at + 1) % 4) {
      case 0:
        image.functions.push_back({"f_avx2",
                                   address,
                                   number(at + 2),
                                   (number(at + 2) & 1U) != 0,
                                   (number(at + 2) & 6U) == 6});
        break;
      case 1:
        image.unwind_ranges.push_back({address, number(at + 2)});
        break;
      case 2:
        image.slots.push_back({0x100000 + number(at + 2),
                               static_cast<CodeSlot::Kind>(number(at + 2) % 3),
                               address,
                               ""});
        break;
      default:
        image.init_functions.push_back(address);
    }
  }
  const X86Verdict verdict = judge_x86(image, ListFunctions::yes);
  require(verdict.built_for <= verdict.highest);
  require(verdict.listed.has_value());
  for (const X86FunctionNeeds& one : *verdict.listed) {
    require(!one.features.empty() && one.features.contains_all(one.unguarded));
    require(one.first - one.address < one.size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data),
                               std::min<std::size_t>(size, 2048));
  decode_all(bytes);
  judge(bytes);
  return 0;
}
