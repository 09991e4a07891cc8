// SPDX-License-Identifier: Apache-2.0
#include "image/content_hash.h"

#include "base/random_seed.h"

#include <xxhash.h>

#include <new>

namespace fitment {

struct ContentHasher::State {
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash{XXH3_createState(),
                                                                &XXH3_freeState};
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {
  if (state_->hash == nullptr) {
    throw std::bad_alloc();
  }
  start();
}

ContentHasher::~ContentHasher() = default;

void ContentHasher::start() {
  XXH3_128bits_reset(state_->hash.get());
}

void ContentHasher::start_keyed() {
  static const XXH64_hash_t kKey = random_seed();
  XXH3_128bits_reset_withSeed(state_->hash.get(), kKey);
}

void ContentHasher::add(std::string_view bytes) {
  XXH3_128bits_update(state_->hash.get(), bytes.data(), bytes.size());
}

ContentHash ContentHasher::value() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->hash.get());
  return {hash.high64, hash.low64};
}

ContentHash hash_content(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace fitment
