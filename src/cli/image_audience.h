// SPDX-License-Identifier: Apache-2.0
// Who an image is for, as `--for` and `--platform` say it.
#pragma once

#include "catalog/cuda.h"
#include "gpucode/keep.h"
#include "machine/machine.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ImageAudience {
  std::vector<Machine> machines;
  std::vector<KeepTarget> targets;
  std::vector<GpuTarget> typed;  ///< of them, those that are words, not from machine files
  std::string words;
  bool assumes_driver = false;
};

/// `sm_86,sm_90`, `cpu`, machine files; `arch` (`aarch64`) is empty where the user did not say it:
/// then that of the machines, and that of their boards for targets of embedded GPUs. Errors: those
/// of reading files, invalid_argument for machines of several architectures.
Result<ImageAudience> read_image_audience(std::string_view words,
                                          const std::string& arch,
                                          const CudaTables& cuda);

/// What stands between commas, without blanks.
std::vector<std::string> comma_words(std::string_view text);

}  // namespace fitment
