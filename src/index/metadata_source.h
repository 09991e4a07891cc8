// SPDX-License-Identifier: Apache-2.0
// The METADATA of wheels, wherever they are: beside the file where the index has them, out of the
// wheel where it has not. So an installer need not download gigabytes to learn what a wheel needs.
#pragma once

#include "index/project.h"
#include "index/upstream.h"

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace fitment {

class MetadataSource {
 public:
  explicit MetadataSource(std::shared_ptr<Upstream> network) : network_(std::move(network)) {}

  /// Errors: network_error, io_error, parse_error (a damaged wheel), unsupported (a server without
  /// ranges).
  Result<std::string> metadata_of(const IndexedFile& wheel);

  /// The wheel itself, to read here and there.
  Result<std::unique_ptr<ByteSource>> open(const IndexedFile& wheel);

  [[nodiscard]] Upstream& network() const { return *network_; }

 private:
  [[nodiscard]] Result<std::string> read(const IndexedFile& wheel);

  std::shared_ptr<Upstream> network_;

  std::mutex mutex_;
  std::list<std::pair<std::string, std::string>> recent_;  ///< key and text, last used first
  std::unordered_map<std::string, std::list<std::pair<std::string, std::string>>::iterator> known_;
  std::size_t bytes_ = 0;
};

}  // namespace fitment
