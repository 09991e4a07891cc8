// SPDX-License-Identifier: Apache-2.0
// Toolkits on disk: CUDA, ROCm and cuDNN's headers. A toolkit is no sign of a driver, and an image
// may have a CUDA runtime without a compiler, so nothing here looks for nvcc to answer "is there a
// GPU".
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"
#include "probe/toolkit_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

class ToolkitDetector {
 public:
  ToolkitDetector(const HostView& host, Observation& seen) : host_(host), seen_(seen) {}

  void detect();

 private:
  [[nodiscard]] std::vector<std::string> cuda_roots() const;
  void read_cuda(const std::string& root);
  void read_cuda_of_image();
  void read_rocm(const std::string& root);
  void read_cudnn(const std::string& root);
  void add(std::string kind, DottedVersion version, std::string root, std::string evidence);

  const HostView& host_;
  Observation& seen_;
  std::vector<Toolkit> toolkits_;
  std::set<std::string> known_roots_;  ///< kind and real path
};

void ToolkitDetector::add(std::string kind,
                          DottedVersion version,
                          std::string root,
                          std::string evidence) {
  toolkits_.push_back({std::move(kind), std::move(version), std::move(root), std::move(evidence)});
}

/// The folders where a CUDA toolkit may be, most wanted first.
std::vector<std::string> ToolkitDetector::cuda_roots() const {
  std::vector<std::string> roots;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto value = variable(host_, name)) {
      roots.push_back(*value);
    }
  }
  const std::string path = variable(host_, "PATH").value_or("");
  for (const std::string_view folder : split(path, ':')) {
    const std::string bin(folder);
    if (!folder.starts_with('/') || !host_.exists(bin + "/nvcc")) {
      continue;
    }
    const auto real = host_.real_path(bin + "/nvcc");
    if (!real) {
      continue;
    }
    // A link such as /usr/bin/nvcc leads into the toolkit; /usr/local/cuda/bin is in it.
    const bool inside = folder_of(*real) == host_.real_path(bin).value_or("");
    roots.push_back(folder_of(inside ? bin : folder_of(*real)));
  }
  roots.emplace_back("/usr/local/cuda");
  std::vector<std::string> versioned;
  for (const std::string& name : names_in(host_, "/usr/local")) {
    if (name.starts_with("cuda-")) {
      versioned.push_back("/usr/local/" + name);
    }
  }
  roots.insert(roots.end(), versioned.rbegin(), versioned.rend());
  roots.emplace_back("/opt/cuda");
  if (const auto prefix = variable(host_, "CONDA_PREFIX")) {
    roots.push_back(*prefix);
    for (const std::string& name : names_in(host_, *prefix + "/targets")) {
      roots.push_back(*prefix + "/targets/" + name);
    }
  }
  return roots;
}

void ToolkitDetector::read_cuda(const std::string& root) {
  const auto real = host_.real_path(root);
  if (!real || !known_roots_.insert("cuda " + *real).second) {
    return;
  }
  if (auto version = read_cuda_version(host_, root)) {
    add("cuda", std::move(version->version), root, std::move(version->path));
  }
}

/// Variables of images that were built from nvidia/cuda: they say which toolkit the image has.
void ToolkitDetector::read_cuda_of_image() {
  for (const char* name : {"NV_CUDA_CUDART_VERSION", "CUDA_VERSION"}) {
    const auto value = variable(host_, name);
    if (!value) {
      continue;
    }
    auto version = DottedVersion::parse_prefix(*value);
    if (!version || version->size() < 2) {
      continue;
    }
    const bool component = std::string_view(name) == "NV_CUDA_CUDART_VERSION";
    const auto same = std::find_if(toolkits_.begin(), toolkits_.end(), [&](const Toolkit& toolkit) {
      return toolkit.kind == "cuda" && toolkit.version.major() == version->major()
             && toolkit.version.minor() == version->minor();
    });
    if (same == toolkits_.end() && toolkits_.empty()) {
      // cudart's third number counts builds, not patches of the toolkit.
      add("cuda",
          component ? DottedVersion{version->major(), version->minor()} : std::move(*version),
          {},
          fmt::format("variable {}", name));
    } else if (same != toolkits_.end() && !component && same->version.size() < version->size()) {
      same->version = std::move(*version);
      same->evidence += fmt::format(" and variable {}", name);
    }
  }
}

void ToolkitDetector::read_rocm(const std::string& root) {
  const auto real = host_.real_path(root);
  if (!real || !known_roots_.insert("rocm " + *real).second) {
    return;
  }
  if (auto version = read_rocm_version(host_, root)) {
    auto& amd = seen_.machine.drivers.amd;
    if (amd.is_present()) {
      amd.driver.rocm.set_if_unknown(version->version, version->path);
    }
    add("rocm", std::move(version->version), root, std::move(version->path));
  }
}

void ToolkitDetector::read_cudnn(const std::string& root) {
  auto version = read_cudnn_version(host_, root);
  if (version) {
    const std::string real = host_.real_path(version->path).value_or(version->path);
    if (known_roots_.insert("cudnn " + real).second) {
      add("cudnn", std::move(version->version), root, std::move(version->path));
    }
  }
}

void ToolkitDetector::detect() {
  const std::vector<std::string> roots = cuda_roots();
  for (const std::string& root : roots) {
    read_cuda(root);
  }
  read_cuda_of_image();
  if (const auto root = variable(host_, "ROCM_PATH")) {
    read_rocm(*root);
  }
  read_rocm("/opt/rocm");
  for (const std::string& name : names_in(host_, "/opt")) {
    if (name.starts_with("rocm-")) {
      read_rocm("/opt/" + name);
    }
  }
  read_cudnn("/usr");
  for (const std::string& root : roots) {
    read_cudnn(root);
  }
  seen_.machine.toolkits.set(std::move(toolkits_), "files");
}

}  // namespace

void detect_toolkits(const HostView& host, Observation& seen) {
  ToolkitDetector(host, seen).detect();
}

}  // namespace fitment
