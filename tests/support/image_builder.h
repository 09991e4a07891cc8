// SPDX-License-Identifier: Apache-2.0
// Images made of hand-made layers: OCI layouts and archives of `docker save`, in a workshop.
#pragma once

#include "base/digest.h"
#include "image/image.h"
#include "image/layer_compression.h"
#include "support/tar_builder.h"
#include "support/workshop.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace fitment {

class StringSink final : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

inline std::string compressed(const std::string& bytes, LayerCompression compression) {
  StringSink sink;
  LayerDeflater deflater(compression, sink);
  EXPECT_TRUE(deflater.write(bytes));
  EXPECT_TRUE(deflater.finish());
  return sink.text;
}

class ImageBuilder {
 public:
  explicit ImageBuilder(const Workshop& shop) : shop_(shop) {}

  /// The bytes of a tar archive, as the next layer.
  ImageBuilder& layer(std::string archive, LayerCompression how = LayerCompression::gzip) {
    layers_.push_back({std::move(archive), how});
    return *this;
  }
  ImageBuilder& layer(const std::vector<TarMember>& members,
                      LayerCompression how = LayerCompression::gzip) {
    return layer(tar_archive(members), how);
  }

  [[nodiscard]] std::string config() const {
    std::string ids;
    std::string history;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      ids += fmt::format(R"({}"sha256:{}")", i == 0 ? "" : ",", sha256_hex(layers_[i].archive));
      history += fmt::format(R"({}{{"created_by":"step {}"}})", i == 0 ? "" : ",", i + 1);
    }
    return fmt::format(
        R"({{"architecture":"amd64","os":"linux","created":"2026-01-01T00:00:00Z",)"
        R"("config":{{"Env":["A=b"]}},"rootfs":{{"type":"layers","diff_ids":[{}]}},"history":[{}]}})",
        ids,
        history);
  }

  /// An OCI layout in this folder of the workshop; its path.
  std::string oci(const std::string& name, const std::string& tag = "latest") const {
    std::string layers;
    for (const Layer& layer : layers_) {
      const std::string blob = compressed(layer.archive, layer.how);
      const std::string suffix =
          layer.how == LayerCompression::none ? "" : "+" + std::string(to_string(layer.how));
      layers +=
          (layers.empty() ? "" : ",") + descriptor(name, blob, std::string(kOciLayer) + suffix);
    }
    const std::string manifest = fmt::format(R"({{"schemaVersion":2,"config":{},"layers":[{}]}})",
                                             descriptor(name, config(), std::string(kOciConfig)),
                                             layers);
    std::string entry = descriptor(name, manifest, std::string(kOciManifest));
    entry.pop_back();
    entry += fmt::format(R"(,"annotations":{{"{}":"{}"}}}})", kRefName, tag);
    shop_.write(name + "/oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
    shop_.write(name + "/index.json",
                fmt::format(R"({{"schemaVersion":2,"manifests":[{}]}})", entry));
    return shop_.path(name);
  }

  /// An archive of `docker save`; its path.
  std::string docker(const std::string& name) const {
    std::vector<TarMember> members{{.name = "config.json", .data = config()}};
    std::string names;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const std::string member = fmt::format("layer{}/layer.tar", i);
      names += fmt::format(R"({}"{}")", i == 0 ? "" : ",", member);
      members.push_back({.name = member, .data = compressed(layers_[i].archive, layers_[i].how)});
    }
    members.push_back(
        {.name = "manifest.json",
         .data = fmt::format(R"([{{"Config":"config.json","RepoTags":["app:v1"],"Layers":[{}]}}])",
                             names)});
    shop_.write(name, tar_archive(members));
    return shop_.path(name);
  }

 private:
  struct Layer {
    std::string archive;
    LayerCompression how;
  };

  std::string descriptor(const std::string& name,
                         const std::string& blob,
                         const std::string& type) const {
    const std::string hex = sha256_hex(blob);
    shop_.write(name + "/blobs/sha256/" + hex, blob);
    return fmt::format(
        R"({{"mediaType":"{}","digest":"sha256:{}","size":{}}})", type, hex, blob.size());
  }

  const Workshop& shop_;
  std::vector<Layer> layers_;
};

}  // namespace fitment
