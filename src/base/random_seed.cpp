// SPDX-License-Identifier: Apache-2.0
#include "base/random_seed.h"

#include <sys/random.h>

#include <cerrno>
#include <chrono>

namespace fitment {

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  ssize_t got = 0;
  do {
    got = ::getrandom(&seed, sizeof(seed), 0);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof(seed))) {
    return seed;
  }
  // A sandbox that forbids the call: time is all that is left.
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace fitment
