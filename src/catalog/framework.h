// SPDX-License-Identifier: Apache-2.0
// Published builds of a framework, as reviewed in catalog/frameworks/*.toml. Each row carries its
// source.
#pragma once

#include "base/dotted_version.h"
#include "catalog/backend.h"
#include "machine/gpu_target.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// One published build of one release, for one CPU architecture.
struct Build {
  Backend backend;
  std::string arch;                      ///< `x86_64`, `aarch64`
  std::optional<DottedVersion> toolkit;  ///< CUDA toolkit or ROCm version it was built with
  std::optional<DottedVersion> cudnn;
  std::optional<std::vector<CudaTarget>>
      cuda_code;  ///< cubins and PTX; absent: the list is not known
  std::optional<std::vector<GfxTarget>> gfx_code;
  std::optional<CudaTarget>
      stated_minimum;       ///< the publisher's lowest compute capability, where no list is known
  std::string code_source;  ///< where the kernel list comes from
  std::vector<std::string> platforms;  ///< platform tags, `manylinux_2_28_x86_64`; empty: not known
  std::vector<std::string>
      cpu_features;              ///< what the code needs unconditionally, Linux spelling: `avx`
  std::string index;             ///< Simple API or page URL that holds the files; empty: PyPI
  std::string requirement_name;  ///< where another package name carries this build: `cupy-cuda12x`
  std::vector<std::string> extras;           ///< extras that make this build: `and-cuda`, `cuda12`
  std::optional<std::uint64_t> size_bytes;   ///< wheel size
  std::optional<std::uint64_t> total_bytes;  ///< with the libraries that it pulls in
  std::string source;
  std::string known_conflict;  ///< why a contradiction of this row is kept; `catalog check` then
                               ///< leaves the row out
};

/// One version with its builds.
struct Release {
  std::string version;                            ///< public version, PEP 440
  std::vector<std::string> python;                ///< `3.12`, `3.13t`; empty: not known
  std::map<std::string, std::string> companions;  ///< versions that go with it, by package name
  std::map<std::string, std::string>
      no_companion;  ///< companions known to have no release for it, with the reason
  std::vector<Build> builds;
  bool other_arches_unknown = false;  ///< beyond x86_64, more builds may exist than there are rows
  bool other_backends_unknown =
      false;                 ///< labels without a row may exist (ROCm lists that were not seen)
  std::string pypi_default;  ///< backend of the build that PyPI serves
  std::string note;
  std::string source;
  std::string known_conflict;  ///< as for Build
};

/// How a build is asked for.
enum class BuildSelector {
  local_label,  ///< torch==2.8.0+cu128, index per backend
  extra,        ///< jax[cuda12], tensorflow[and-cuda]
  index_url,    ///< paddlepaddle-gpu: same version, the index differs
  name,         ///< cupy-cuda12x: the package name differs
  version,      ///< onnxruntime-gpu: each version has one build
};

struct Framework {
  std::string name;  ///< normalised (PEP 503)
  std::string summary;
  BuildSelector selector = BuildSelector::local_label;
  std::vector<std::string>
      companions;  ///< packages that must be chosen with it: torchvision, torchaudio
  /// Companions without builds per backend, such as triton: no local label, one version may serve
  /// several releases.
  std::vector<std::string> shared_companions;
  std::string cpu_name;  ///< package that holds CPU builds where its name differs: `paddlepaddle`
  std::vector<Release> releases;  ///< oldest first
};

/// Is this the name of a package that carries some of the builds only: `cupy-cuda12x` of cupy?
bool names_some_builds(const Framework& framework, std::string_view name);

std::string_view to_string(BuildSelector selector);

}  // namespace fitment
