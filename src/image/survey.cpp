// SPDX-License-Identifier: Apache-2.0
#include "image/survey.h"

#include "base/digest.h"
#include "elf/file_view.h"
#include "image/sliced_bytes.h"
#include "stack/find_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

constexpr std::uint64_t kLargestBinary = 16ULL << 30U;  // larger ones are not put aside
constexpr std::uint64_t kLargestText = 8U << 20U;
constexpr std::size_t kMostLayers = 1024;

class Surveyor {
 public:
  Surveyor(const Image& image, const SurveyOptions& options)
      : image_(image), options_(options), texts_(options.scratch) {}

  Result<ImageSurvey> run();
  Result<ImageSurvey> run_archive(const ByteSource& archive);

 private:
  Status read_layer(std::size_t number);
  Result<SurveyedLayer> read_archive(const ByteSource& blob,
                                     std::size_t number,
                                     const std::string& words);
  [[nodiscard]] Status verify(std::size_t number,
                              const LayerDigests& digests,
                              const ByteSource& blob) const;
  Status read_entry(TarReader& reader, const TarEntry& entry, std::uint16_t layer);
  Status read_file(TarReader& reader, const TarEntry& entry);
  Status look_into(const ByteSource& bytes);
  Status plan(SurveyedBinary& binary, const ByteSource& bytes);
  [[nodiscard]] Result<SlicedResult> make_result(const ByteSource& original,
                                                 const SlicePlan& plan) const;

  const Image& image_;
  const SurveyOptions& options_;
  ImageSurvey survey_;
  ScratchBytes texts_;
  ContentHasher hasher_;
  std::uint64_t done_bytes_ = 0;  // of blobs
  std::uint64_t all_bytes_ = 0;
};

Result<ImageSurvey> Surveyor::run() {
  if (image_.layers.size() > kMostLayers) {
    return fail(ErrorCode::unsupported,
                fmt::format("`{}` has more than {} layers", image_.name, kMostLayers));
  }
  for (const ImageLayer& layer : image_.layers) {
    all_bytes_ += layer.stored_bytes;
  }
  for (std::size_t i = 0; i < image_.layers.size(); ++i) {
    auto read = read_layer(i);
    if (!read) {
      return std::move(read).error().while_doing("reading " + layer_words(image_, i));
    }
    done_bytes_ += image_.layers[i].stored_bytes;
  }
  survey_.tree.finish();
  survey_.texts = texts_.finish("texts of the image");
  return std::move(survey_);
}

Result<ImageSurvey> Surveyor::run_archive(const ByteSource& archive) {
  all_bytes_ = archive.size();
  FITMENT_TRY_ASSIGN(SurveyedLayer facts, read_archive(archive, 0, archive.name()));
  survey_.layers.push_back(std::move(facts));
  survey_.tree.finish();
  survey_.texts = texts_.finish("texts of the archive");
  return std::move(survey_);
}

Status Surveyor::read_layer(std::size_t number) {
  const ImageLayer& layer = image_.layers[number];
  FITMENT_TRY_ASSIGN(const auto blob, image_.store->open(layer.member));
  if (blob->size() != layer.stored_bytes) {
    return fail(ErrorCode::parse_error,
                fmt::format("it has {} bytes and should have {}", blob->size(), layer.stored_bytes))
        .at({blob->name(), {}, {}, std::min(blob->size(), layer.stored_bytes)});
  }
  FITMENT_TRY_ASSIGN(SurveyedLayer facts, read_archive(*blob, number, layer_words(image_, number)));
  if (options_.known != nullptr) {
    if (number >= options_.known->size() || !facts.digests.is_same((*options_.known)[number])) {
      return fail(ErrorCode::io_error, "it was read back differently than it was written")
          .at({blob->name(), {}, {}, {}});
    }
    facts.digests = (*options_.known)[number];
  }
  FITMENT_TRY(verify(number, facts.digests, *blob));
  survey_.layers.push_back(std::move(facts));
  return {};
}

Result<SurveyedLayer> Surveyor::read_archive(const ByteSource& blob,
                                             std::size_t number,
                                             const std::string& words) {
  FITMENT_TRY_ASSIGN(
      const auto stream,
      LayerStream::open(blob, options_.known == nullptr ? LayerCheck::full : LayerCheck::same_run));
  TarReader reader(*stream);
  SurveyedLayer facts;
  facts.first = static_cast<EntryId>(survey_.tree.entries().size());
  for (;;) {
    FITMENT_TRY_ASSIGN(const auto entry, reader.next());
    if (!entry) {
      break;
    }
    if (options_.progress) {
      options_.progress(done_bytes_ + stream->blob_position(), all_bytes_, words);
    }
    auto read = read_entry(reader, *entry, static_cast<std::uint16_t>(number));
    if (!read) {
      return std::move(read).error().at({blob.name(), {}, {}, entry->offset});
    }
  }
  FITMENT_TRY_ASSIGN(facts.digests, stream->finish());
  facts.count = static_cast<EntryId>(survey_.tree.entries().size()) - facts.first;
  return facts;
}

Status Surveyor::verify(std::size_t number,
                        const LayerDigests& digests,
                        const ByteSource& blob) const {
  const ImageLayer& layer = image_.layers[number];
  const auto differs =
      [&](std::string_view what, const std::string& is, const std::string& should) {
        return fail(ErrorCode::parse_error,
                    fmt::format("its {} is sha256:{} and should be {}", what, is, should))
            .at({blob.name(), {}, {}, {}})
            .hint("the image is damaged or was tampered with; fetch it again");
      };
  if (!layer.digest.empty() && layer.digest != "sha256:" + digests.stored_sha256) {
    return differs("digest", digests.stored_sha256, layer.digest);
  }
  if (layer.diff_id != "sha256:" + digests.sha256) {
    return differs(
        "diff_id, the digest of what is compressed in it,", digests.sha256, layer.diff_id);
  }
  return {};
}

Status Surveyor::read_entry(TarReader& reader, const TarEntry& entry, std::uint16_t layer) {
  std::string link;
  FITMENT_TRY_ASSIGN(LayerEntry one, classify_entry(entry, link));
  one.layer = layer;
  const bool is_file = one.kind == EntryKind::file;
  FITMENT_TRY(survey_.tree.add(std::move(one), entry.type == kTarLink ? entry.link : link));
  if (is_file) {
    FITMENT_TRY(read_file(reader, entry));
    survey_.tree.finish_content();
  }
  return {};
}

/// Hashes the data and, where more is to be known of them, puts them aside.
Status Surveyor::read_file(TarReader& reader, const TarEntry& entry) {
  LayerEntry& to = survey_.tree.last();
  const auto id = static_cast<EntryId>(survey_.tree.entries().size() - 1);
  hasher_.start();
  for (const SparseRun& run : entry.runs.value_or(std::vector<SparseRun>())) {
    // Where data stand is part of what a sparse file is.
    hasher_.add(fmt::format("{} {};", run.offset, run.size));
  }
  const bool is_text = options_.keeps_text != nullptr && !entry.runs && to.bytes <= kLargestText
                       && options_.keeps_text(to.path);
  if (is_text) {
    to.text_at = texts_.size();
  }
  std::optional<ScratchBytes> aside;
  for (bool is_first = true;; is_first = false) {
    FITMENT_TRY_ASSIGN(const std::string_view part, reader.data(kBlockBytes));
    if (part.empty()) {
      break;
    }
    hasher_.add(part);
    if (is_text) {
      FITMENT_TRY(texts_.append(part));
    }
    if (is_first && options_.reads_binaries && !entry.runs && to.bytes <= kLargestBinary
        && may_be_binary(part.substr(0, kTellingBytes), to.path)) {
      aside.emplace(options_.scratch);
    }
    if (aside) {
      FITMENT_TRY(aside->append(part));
    }
  }
  to.content = hasher_.value();
  if (aside) {
    const auto number = static_cast<std::uint32_t>(survey_.binaries.size());
    SurveyedBinary binary;
    binary.entry = id;
    survey_.binaries.push_back(std::move(binary));
    FITMENT_TRY(look_into(*aside->finish(to.path)));
    if (survey_.binaries.size() > number) {
      to.binary = number;
    }
  }
  return {};
}

/// The binary that was added last; it goes again when no GPU code is in it.
Status Surveyor::look_into(const ByteSource& bytes) {
  SurveyedBinary& binary = survey_.binaries.back();
  const auto code = scan_gpu_code(bytes);
  if (!code) {
    if (code.error().code() == ErrorCode::io_error) {
      return tl::unexpected<Error>(code.error());
    }
    survey_.binaries.pop_back();  // not what its first bytes said, and no concern of ours
    return {};
  }
  if (code->containers.empty() && code->malformed.empty()) {
    survey_.binaries.pop_back();
    return {};
  }
  binary.gpu_code = total_by_target(code->containers);
  for (const TargetTotal& total : binary.gpu_code) {
    binary.gpu_bytes += total.stored_bytes.value_or(0);
  }
  if (!code->malformed.empty()) {
    binary.problem = code->malformed.front().message;
  }
  return options_.slice ? plan(binary, bytes) : Status();
}

Result<SlicedResult> Surveyor::make_result(const ByteSource& original,
                                           const SlicePlan& plan) const {
  FITMENT_TRY_ASSIGN(const std::string original_sha256, sha256_hex(original));
  const SlicedBytes result(original, plan, original_sha256);
  if (auto proof = prove_slice(original, result, plan, *options_.slice); !proof) {
    return std::move(proof).error().while_doing(fmt::format("slicing `{}`", original.name()));
  }
  SlicedResult made;
  Sha256 sha256;
  ContentHasher content;
  SourceStream stream(result);
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part, stream.next(kBlockBytes));
    if (part.empty()) {
      break;
    }
    sha256.add(part);
    content.add(part);
  }
  made.sha256 = sha256.hex();
  made.content = content.value();
  FITMENT_TRY_ASSIGN(made.bytes, forward_splice(original, plan, original_sha256));
  return made;
}

Status Surveyor::plan(SurveyedBinary& binary, const ByteSource& bytes) {
  SlimFile file;
  file.plan.path = bytes.name();
  file.plan.before_bytes = bytes.size();
  file.plan.after_bytes = bytes.size();
  auto plan = plan_slice(bytes, *options_.slice);
  if (!plan) {
    if (plan.error().code() != ErrorCode::parse_error
        && plan.error().code() != ErrorCode::unsupported) {
      return tl::unexpected<Error>(std::move(plan).error());
    }
    file.action = SlimAction::refuse;
    file.plan.why = plan.error().message();
    binary.slice = std::move(file);
    return {};
  }
  file.plan = std::move(*plan);
  file.action = file.plan.is_changed ? SlimAction::slice : SlimAction::keep;
  if (options_.wants_results && file.plan.is_changed) {
    FITMENT_TRY_ASSIGN(binary.result, make_result(bytes, file.plan));
  }
  file.plan.bytes = Splice();
  file.plan.originals = {};
  file.plan.rewritten = {};
  binary.slice = std::move(file);
  return {};
}

}  // namespace

bool tells_of_python(std::string_view path) {
  const std::string_view name = file_name(path);
  const auto in_info = [&](std::string_view ending) {
    return parent_folder(path).ends_with(ending);
  };
  return name.ends_with(".py") || name.ends_with(".pth") || name == "pyvenv.cfg"
         || name == "os-release" || in_info(".dist-info") || in_info(".egg-info")
         || name.ends_with(".egg-info");
}

std::string layer_words(const Image& image, std::size_t layer) {
  constexpr std::size_t kShort = 19;  // `sha256:` and twelve digits
  const ImageLayer& one = image.layers[layer];
  return fmt::format("layer {} of {} ({})",
                     layer + 1,
                     image.layers.size(),
                     (one.digest.empty() ? one.diff_id : one.digest).substr(0, kShort));
}

Result<ImageSurvey> survey_image(const Image& image, const SurveyOptions& options) {
  return Surveyor(image, options).run();
}

Result<ImageSurvey> survey_archive(const ByteSource& archive, const SurveyOptions& options) {
  const Image none;
  return Surveyor(none, options).run_archive(archive);
}

}  // namespace fitment
