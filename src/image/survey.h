// SPDX-License-Identifier: Apache-2.0
// One pass over all layers of an image: each is inflated, verified and read once, in a stream. What
// is remembered is small: a line for each entry, the texts that tell what is installed, and what is
// in each binary. Binaries are put into a temporary file one at a time.
#pragma once

#include "base/scratch_bytes.h"
#include "gpucode/scan.h"
#include "image/image.h"
#include "image/layer_stream.h"
#include "image/layer_tree.h"
#include "slim/slim_file.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// What slicing makes of a binary: proven, and ready to be made while the original passes by.
struct SlicedResult {
  std::string sha256;
  ContentHash content;
  Splice bytes;  ///< forward_splice
};

/// What is in a program, library, archive or piece of GPU code.
struct SurveyedBinary {
  EntryId entry = kNoEntry;
  std::vector<TargetTotal> gpu_code;
  std::uint64_t gpu_bytes = 0;  ///< stored
  std::string problem;          ///< why its GPU code could not be read
  /// What slicing would do to it; its large members are empty.
  std::optional<SlimFile> slice;
  std::optional<SlicedResult> result;  ///< where it is wanted, of changed ones
};

struct SurveyedLayer {
  LayerDigests digests;
  EntryId first = 0;  ///< of its entries
  EntryId count = 0;
};

struct ImageSurvey {
  LayerTree tree;
  std::vector<SurveyedLayer> layers;
  std::vector<SurveyedBinary> binaries;
  std::unique_ptr<ByteSource> texts;  ///< small files, one after another: LayerEntry::text_at
};

struct SurveyOptions {
  bool reads_binaries = true;
  std::optional<SliceOptions> slice;  ///< plan it as well
  bool wants_results = false;         ///< and make them as far as can be: proof, digest, bytes
  /// Which small files are to be read later: tells_of_python, tells_of_base.
  bool (*keeps_text)(std::string_view path) = nullptr;
  /// Layers that this run has written or verified: they are compared with it, not digested anew.
  const std::vector<LayerDigests>* known = nullptr;
  ScratchOptions scratch = {};
  /// Called now and then with bytes of blobs that were read, and of all.
  std::function<void(std::uint64_t, std::uint64_t, std::string_view)> progress = {};
};

/// Errors: those of reading; parse_error with the blob where a digest or size is not what the
/// documents say, and for what is refused in a layer.
Result<ImageSurvey> survey_image(const Image& image, const SurveyOptions& options);

/// The archive of a root filesystem, plain, gzip or zstd, as the only layer of an image without
/// documents: nothing tells what its digest should be. Errors: those of survey_image.
Result<ImageSurvey> survey_archive(const ByteSource& archive, const SurveyOptions& options);

/// Texts that tell which Python environments are there and what reads what (slim/dead_weight.h).
bool tells_of_python(std::string_view path);

/// `layer 3 of 7 (sha256:0123456789ab)`.
std::string layer_words(const Image& image, std::size_t layer);

}  // namespace fitment
