// SPDX-License-Identifier: Apache-2.0
// Layers: what is read of an archive is inside of it, and the entries that are taken stay inside of
// the image. An archive that is handed on is read the same again.
#include "image/layer_tree.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace fitment;

/// Reads an archive; `copy` gets its entries with their data.
bool read(const std::string& bytes, std::string& copy) {
  const auto source = memory_source(bytes, "layer");
  SourceStream stream(*source);
  TarReader reader(stream);
  LayerTree tree;
  for (;;) {
    const auto entry = reader.next();
    if (!entry) {
      return false;
    }
    if (!*entry) {
      break;
    }
    copy += (*entry)->raw;
    std::uint64_t size = 0;
    for (;;) {
      const auto part = reader.data(1000);
      if (!part) {
        return false;
      }
      if (part->empty()) {
        break;
      }
      size += part->size();
      copy += *part;
    }
    if (size != (*entry)->data_bytes || (*entry)->raw.size() % kTarBlock != 0) {
      std::abort();
    }
    copy.resize(tar_padded(copy.size()));
    if (!(*entry)->runs && (*entry)->is_file() && !tar_headers_with_size(**entry, 1)) {
      std::abort();
    }
    std::string link;
    auto one = classify_entry(**entry, link);
    if (one && !tree.add(std::move(*one), (*entry)->type == kTarLink ? (*entry)->link : link)) {
      return false;
    }
  }
  tree.finish();
  for (const auto& [path, id] : tree.paths()) {
    if (path.empty() || path.front() != '/'
        || (std::string(path) + "/").find("/../") != std::string::npos) {
      std::abort();
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::string copy;
  if (read(bytes, copy)) {
    std::string again;
    if (!read(copy, again) || again != copy) {
      std::abort();
    }
  }
  return 0;
}
