// SPDX-License-Identifier: Apache-2.0
// What will be built, for whom, how large and on which drivers it will run, before a byte is
// pulled. Pure: order + recipes + catalogue -> plan.
#pragma once

#include "choose/choose.h"
#include "gpucode/keep.h"
#include "image/base_image.h"
#include "image/image_size.h"
#include "image/nvidia_require.h"
#include "image/recipes.h"
#include "image/stocked_wheel.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// What is asked for: one cell of a matrix.
struct ImageOrder {
  BaseClues base;
  std::vector<std::string> profiles;
  std::vector<std::string> requirements;  ///< beyond those of the profiles
  std::vector<std::string> packages;      ///< of the distribution, beyond those of the stages
  std::vector<Machine> machines;          ///< that the image is for
  std::vector<KeepTarget> targets;        ///< their GPUs; empty: an image without GPU code
  std::string machine_words;    ///< how they were named: `sm_86,sm_90` or names of machine files
  bool assumes_driver = false;  ///< targets were named, so no driver is known
  std::optional<std::string> python;  ///< `3.12`
  std::string arch;                   ///< `aarch64`; empty: that of the machines, else x86_64
  std::string user;                   ///< that programs run as; empty: root
  std::string python_from;            ///< `system`, `uv`, `conda`; empty: what suits the base
  std::string monitor = "auto";       ///< `auto`, `package`, `source`, `none`
  bool has_monitor_source = false;    ///< an archive of nvtop's source was given
  /// The wheels that packages come from, instead of an index.
  std::optional<std::vector<StockedWheel>> wheels;
  bool slim = true;
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> labels;
  ChoosePolicy policy;
};

struct ImagePlan {
  BaseImage base;
  std::vector<std::string> profiles;
  std::string machine_words;
  std::vector<KeepTarget> targets;
  std::string arch;
  std::string python;
  std::string python_from;
  std::string monitor;  ///< variant of the stage cuda; empty: no such stage
  bool slim = true;
  bool has_wheels = false;
  /// As software inside the image will see them. At a fixed address: `choice` points to them.
  std::unique_ptr<std::vector<Machine>> machines;
  Plan choice;
  std::vector<std::string> requirements;  ///< ordinary ones, in order
  std::vector<std::string> packages;      ///< of the distribution
  std::string user;                       ///< that programs run as; empty: root
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> labels;

  std::string backend;                        ///< of the first chosen build; empty: none
  std::optional<DottedVersion> driver_floor;  ///< NVIDIA's Linux driver
  std::optional<NvidiaRequire> require;
  ImageSize size;
  std::vector<std::string> notes;  ///< to know; never a reason to stop

  /// Every framework has a build that fits.
  [[nodiscard]] bool fits() const { return choice.fits(); }
};

/// Errors: not_found (profile, package), invalid_argument (contradictions, a framework that wants
/// CUDA on a base that has none).
Result<ImagePlan> plan_image(const ImageOrder& order,
                             const ImageRecipes& recipes,
                             const Catalog& catalog);

}  // namespace fitment
