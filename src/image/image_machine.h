// SPDX-License-Identifier: Apache-2.0
// The machines that an image is for. Hardware and driver come from machine files or from target
// words; C library, distribution and Python come from the image itself: software in a container
// sees the container's, never the builder's.
#pragma once

#include "catalog/cuda.h"
#include "gpucode/keep.h"
#include "image/base_image.h"
#include "machine/machine.h"

#include <string>
#include <vector>

namespace fitment {

/// A machine whose facts are made explicit from target words: the GPUs that are named, the newest
/// driver that the catalogue knows and a CPU of the level `x86-64-v3`, each with the evidence
/// `assumed`. No targets: a machine without a GPU.
Machine machine_of_targets(const std::vector<KeepTarget>& targets,
                           const CudaTables& cuda,
                           const std::string& arch);

/// Whether the machine was made of target words, so that of its driver nothing is known.
bool is_assumed(const Machine& machine);

/// Gives an assumed machine this NVIDIA driver, the oldest that an image admits, so that what is
/// proven is proven for it.
void assume_driver(Machine& machine, const DottedVersion& driver, const DottedVersion& cuda_api);

/// The machine as software inside an image sees it. What the base does not tell is unknown. `arch`
/// stands in where the machine does not tell; empty: x86_64.
Machine inside_image(Machine machine,
                     const BaseImage& base,
                     const std::string& python,
                     const std::string& arch);

}  // namespace fitment
