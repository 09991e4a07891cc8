// SPDX-License-Identifier: Apache-2.0
// Numbers that nobody can foretell, for keys of hashes and for the spread of retries.
#pragma once

#include <cstdint>

namespace fitment {

/// 64 random bits of the kernel. std::random_device would do as well, but libstdc++ makes it need
/// glibc 2.36.
std::uint64_t random_seed();

}  // namespace fitment
