// SPDX-License-Identifier: Apache-2.0
// Blobs of layers, compressed in any way: inflating ends, takes what it is given, and does not
// depend on the pieces in which it is asked.
#include "image/layer_compression.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace fitment;  // NOLINT(google-build-using-namespace)

/// None: damaged. `most` is how much is given and taken at a time.
std::optional<std::string> inflate(std::string_view blob, std::size_t most) {
  constexpr std::size_t kLimit = 1U << 15U;
  const auto inflater = make_inflater(detect_compression(blob));
  std::string all;
  std::string room(most, '\0');
  while (all.size() < kLimit) {
    std::string_view in = blob.substr(0, most);
    const std::size_t given = in.size();
    char* out = room.data();
    std::size_t left = room.size();
    if (!inflater->inflate(in, out, left)) {
      return std::nullopt;
    }
    const std::size_t made = room.size() - left;
    if (in.size() > given || out != room.data() + made) {
      std::abort();
    }
    blob.remove_prefix(given - in.size());
    all.append(room, 0, made);
    if (given == in.size() && made == 0) {
      return inflater->is_complete() && blob.empty() ? std::optional(all) : std::nullopt;
    }
  }
  all.resize(kLimit);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view blob(reinterpret_cast<const char*>(data), size);
  const auto whole = inflate(blob, 1U << 12U);
  const auto pieces = inflate(blob, 37);
  if (whole && (!pieces || *pieces != *whole)) {
    std::abort();
  }
  return 0;
}
