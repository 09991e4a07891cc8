// SPDX-License-Identifier: Apache-2.0
// Documents of images: whatever they say, digests name blobs alone, and a config that is understood
// can be changed.
#include "image/oci_document.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace fitment;

void check(const OciDescriptor& descriptor) {
  const std::string member = descriptor.member();
  if (!member.starts_with("blobs/sha256/") || member.find("..") != std::string::npos
      || member.size() != std::string("blobs/sha256/").size() + 64) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto index = parse_oci_index(text, "x")) {
    for (const OciDescriptor& descriptor : *index) {
      check(descriptor);
      if (!parse_oci_index(write_oci_index(descriptor), "x")) {
        std::abort();
      }
    }
  }
  if (const auto manifest = parse_oci_manifest(text, "x")) {
    check(manifest->config);
    for (const OciDescriptor& layer : manifest->layers) {
      check(layer);
    }
    if (!parse_oci_manifest(write_oci_manifest(*manifest), "x")) {
      std::abort();
    }
  }
  if (const auto config = parse_image_config(text, "x")) {
    ConfigChange change;
    for (const std::string& id : config->diff_ids) {
      change.diff_ids.emplace_back(id);
    }
    change.labels["a"] = "b";
    const auto changed = change_config(text, "x", change);
    const auto again = changed ? parse_image_config(*changed, "x") : config;
    if (!changed || !again || again->diff_ids != config->diff_ids) {
      std::abort();
    }
  }
  static_cast<void>(parse_docker_manifest(text, "x"));
  return 0;
}
