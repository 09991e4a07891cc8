// SPDX-License-Identifier: Apache-2.0
#include "image/slim_apply.h"

#include "image/layout_writer.h"
#include "image/splice_stream.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

std::string media_type_of(LayerCompression compression) {
  return std::string(kOciLayer)
         + (compression == LayerCompression::none ? "" : "+" + std::string(to_string(compression)));
}

std::string padding_of(std::uint64_t bytes) {
  std::string padding(tar_padded(bytes) - bytes, '\0');
  return padding;
}

class Applier {
 public:
  Applier(const Image& image,
          const ImageSurvey& survey,
          const ImageSlimPlan& plan,
          const ImageSlimOptions& options,
          LayoutWriter& layout)
      : image_(image), survey_(survey), plan_(plan), options_(options), layout_(layout) {}

  Result<SlimmedImage> run();

 private:
  Result<SlimmedLayer> keep_layer(std::size_t number);
  Result<SlimmedLayer> rewrite_layer(std::size_t number);
  [[nodiscard]] LayerCompression compression_of(std::size_t number) const;
  Result<LayerDigests> write_changed(std::size_t number, const ByteSource& blob);
  Status check_unchanged(std::size_t number, LayerStream& stream, const ByteSource& blob);
  Status write_entry(EntryId id, const TarEntry& entry, TarReader& reader, LayerWriter& writer);
  Status write_data(const TarEntry& entry, const ByteSource& data, EntryId id, LayerWriter& writer);
  Status write_slice(EntryId id, const TarEntry& entry, TarReader& reader, LayerWriter& writer);
  Status write_documents();
  Status prove();

  const Image& image_;
  const ImageSurvey& survey_;
  const ImageSlimPlan& plan_;
  const ImageSlimOptions& options_;
  LayoutWriter& layout_;
  SlimmedImage result_;
  std::map<EntryId, ChangedContent> changed_;
  std::vector<LayerDigests> written_;  // of the new image's layers
  std::size_t slices_ = 0;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t all_bytes_ = 0;
};

Result<SlimmedImage> Applier::run() {
  for (const ImageLayer& layer : image_.layers) {
    all_bytes_ += layer.stored_bytes;
  }
  for (std::size_t i = 0; i < image_.layers.size(); ++i) {
    if (plan_.layers[i].is_dropped) {
      result_.layers.emplace_back();
      continue;
    }
    if (options_.progress) {
      options_.progress(done_bytes_, all_bytes_, "writing " + layer_words(image_, i));
    }
    done_bytes_ += image_.layers[i].stored_bytes;
    // A layer that nobody compressed, as in archives of Docker, is stored smaller on this way.
    const bool is_kept = !plan_.layers[i].is_changed
                         && (!image_.layers[i].digest.empty()
                             || survey_.layers[i].digests.compression != LayerCompression::none);
    auto layer = is_kept ? keep_layer(i) : rewrite_layer(i);
    if (!layer) {
      return std::move(layer).error().while_doing("rewriting " + layer_words(image_, i));
    }
    result_.layers.emplace_back(std::move(*layer));
  }
  FITMENT_TRY(write_documents());
  FITMENT_TRY(prove());
  return std::move(result_);
}

Result<SlimmedLayer> Applier::keep_layer(std::size_t number) {
  const ImageLayer& layer = image_.layers[number];
  const LayerDigests& digests = survey_.layers[number].digests;
  FITMENT_TRY_ASSIGN(const auto blob, image_.store->open(layer.member));
  FITMENT_TRY(layout_.copy_blob(*blob, digests.stored_sha256));
  written_.push_back(digests);
  SlimmedLayer kept{
      .is_kept = true, .descriptor = {}, .diff_id = layer.diff_id, .bytes = digests.bytes};
  kept.descriptor.media_type = media_type_of(digests.compression);
  kept.descriptor.digest = "sha256:" + digests.stored_sha256;
  kept.descriptor.size = digests.stored_bytes;
  kept.descriptor.annotations = layer.annotations;
  return kept;
}

/// As asked, else as the layer was; layers of Docker's archives are plain for want of a registry.
LayerCompression Applier::compression_of(std::size_t number) const {
  const bool says_nothing = image_.layers[number].digest.empty();
  return options_.compression.value_or(says_nothing ? LayerCompression::zstd
                                                    : survey_.layers[number].digests.compression);
}

Result<SlimmedLayer> Applier::rewrite_layer(std::size_t number) {
  FITMENT_TRY_ASSIGN(const auto blob, image_.store->open(image_.layers[number].member));
  FITMENT_TRY_ASSIGN(const LayerDigests digests, write_changed(number, *blob));
  written_.push_back(digests);
  SlimmedLayer written{.is_kept = false,
                       .descriptor = {},
                       .diff_id = "sha256:" + digests.sha256,
                       .bytes = digests.bytes};
  written.descriptor.media_type = media_type_of(digests.compression);
  written.descriptor.digest = "sha256:" + digests.stored_sha256;
  written.descriptor.size = digests.stored_bytes;
  return written;
}

Result<LayerDigests> Applier::write_changed(std::size_t number, const ByteSource& blob) {
  FITMENT_TRY_ASSIGN(const auto stream, LayerStream::open(blob, LayerCheck::archive));
  FITMENT_TRY_ASSIGN(const auto writer,
                     LayerWriter::create(layout_.blobs(), compression_of(number)));
  if (!plan_.layers[number].is_changed) {
    for (;;) {
      FITMENT_TRY_ASSIGN(const std::string_view part, stream->next(kBlockBytes));
      if (part.empty()) {
        FITMENT_TRY(check_unchanged(number, *stream, blob));
        return writer->finish();
      }
      FITMENT_TRY(writer->write(part));
    }
  }
  TarReader reader(*stream);
  const SurveyedLayer& layer = survey_.layers[number];
  for (EntryId id = layer.first;; ++id) {
    FITMENT_TRY_ASSIGN(const auto entry, reader.next());
    if (entry.has_value() != (id < layer.first + layer.count)) {
      return fail(ErrorCode::io_error, "the layer changed while it was read")
          .at({blob.name(), {}, {}, {}});
    }
    if (!entry) {
      break;
    }
    FITMENT_TRY(write_entry(id, *entry, reader, *writer));
  }
  FITMENT_TRY(writer->write(std::string(2 * kTarBlock, '\0')));
  FITMENT_TRY(check_unchanged(number, *stream, blob));
  return writer->finish();
}

/// The bytes are those that the survey has verified.
Status Applier::check_unchanged(std::size_t number, LayerStream& stream, const ByteSource& blob) {
  FITMENT_TRY_ASSIGN(const LayerDigests read, stream.finish());
  if (!read.has_same_archive(survey_.layers[number].digests)) {
    return fail(ErrorCode::io_error, "the layer changed while it was read")
        .at({blob.name(), {}, {}, {}});
  }
  return {};
}

Status Applier::write_entry(EntryId id,
                            const TarEntry& entry,
                            TarReader& reader,
                            LayerWriter& writer) {
  switch (plan_.actions[id]) {
    case EntryAction::drop:
      return {};
    case EntryAction::slice:
      return write_slice(id, entry, reader, writer);
    case EntryAction::rewrite:
      return write_data(entry, *memory_source(plan_.texts.at(id), entry.path), id, writer);
    case EntryAction::keep:
      break;
  }
  FITMENT_TRY(writer.write(entry.raw));
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part, reader.data(kBlockBytes));
    if (part.empty()) {
      break;
    }
    FITMENT_TRY(writer.write(part));
  }
  return writer.write(padding_of(entry.data_bytes));
}

/// All that a stream yields, digested as it passes.
Status write_hashed(ByteStream& stream, ContentHasher& hasher, LayerWriter& writer) {
  for (;;) {
    FITMENT_TRY_ASSIGN(const std::string_view part, stream.next(kBlockBytes));
    if (part.empty()) {
      return {};
    }
    hasher.add(part);
    FITMENT_TRY(writer.write(part));
  }
}

/// Another content under the entry's own headers.
Status Applier::write_data(const TarEntry& entry,
                           const ByteSource& data,
                           EntryId id,
                           LayerWriter& writer) {
  FITMENT_TRY_ASSIGN(const std::string headers, tar_headers_with_size(entry, data.size()));
  FITMENT_TRY(writer.write(headers));
  SourceStream stream(data);
  ContentHasher hasher;
  FITMENT_TRY(write_hashed(stream, hasher, writer));
  changed_[id] = {hasher.value(), data.size()};
  return writer.write(padding_of(data.size()));
}

/// The result that the survey has proven, made of the data that pass by.
Status Applier::write_slice(EntryId id,
                            const TarEntry& entry,
                            TarReader& reader,
                            LayerWriter& writer) {
  const SlicedResult& result = *survey_.binaries[survey_.tree.entry(id).binary].result;
  FITMENT_TRY_ASSIGN(const std::string headers, tar_headers_with_size(entry, result.bytes.size()));
  FITMENT_TRY(writer.write(headers));
  SpliceStream stream(reader, result.bytes);
  ContentHasher hasher;
  FITMENT_TRY(write_hashed(stream, hasher, writer));
  if (hasher.value() != result.content) {
    return fail(ErrorCode::io_error,
                fmt::format("`{}` is not what it was when it was read first", entry.path));
  }
  ++slices_;
  changed_[id] = {result.content, result.bytes.size()};
  return writer.write(padding_of(result.bytes.size()));
}

Status Applier::write_documents() {
  ConfigChange change;
  OciManifest manifest;
  for (const std::optional<SlimmedLayer>& layer : result_.layers) {
    change.diff_ids.push_back(layer ? std::optional(layer->diff_id) : std::nullopt);
    if (layer) {
      manifest.layers.push_back(layer->descriptor);
    }
  }
  change.labels = options_.marks;
  change.created_by = options_.step;
  change.created = options_.created;
  FITMENT_TRY_ASSIGN(const std::string config,
                     change_config(image_.config_text, image_.config_source, change));
  FITMENT_TRY_ASSIGN(manifest.config, layout_.add_document(config, kOciConfig));
  manifest.annotations = image_.annotations;
  for (const auto& [key, value] : options_.marks) {
    manifest.annotations[key] = value;
  }
  FITMENT_TRY_ASSIGN(OciDescriptor descriptor,
                     layout_.add_document(write_oci_manifest(manifest), kOciManifest));
  result_.manifest_digest = descriptor.digest;
  if (!image_.tag.empty()) {
    descriptor.annotations[std::string(kRefName)] = image_.tag;
  }
  if (!image_.config.platform.os.empty()) {
    descriptor.platform = image_.config.platform;
  }
  return layout_.add_index(descriptor);
}

/// Reads the new layout as anybody would.
Status Applier::prove() {
  FITMENT_TRY_ASSIGN(const Image image, open_image("oci:" + layout_.path().string(), std::nullopt));
  SurveyOptions options;
  options.reads_binaries = false;
  options.known = &written_;
  options.progress = options_.progress;
  FITMENT_TRY_ASSIGN(const ImageSurvey after, survey_image(image, options));
  result_.proof.push_back(
      fmt::format("{} layers read again: digests, sizes and diff_ids are what the documents say",
                  image.layers.size()));
  FITMENT_TRY_ASSIGN(std::string tree, prove_image_tree(survey_, plan_, changed_, after));
  result_.proof.push_back(std::move(tree));
  if (slices_ > 0) {
    result_.proof.push_back(fmt::format(
        "{} with GPU code cut: kept code byte for byte, addresses, dynamic tables and symbols as "
        "before",
        slices_ == 1 ? std::string("1 file") : fmt::format("{} files", slices_)));
  }
  return {};
}

}  // namespace

std::uint64_t SlimmedImage::stored_bytes() const {
  std::uint64_t sum = 0;
  for (const std::optional<SlimmedLayer>& layer : layers) {
    sum += layer ? layer->descriptor.size : 0;
  }
  return sum;
}

Result<SlimmedImage> apply_image_slim(const Image& image,
                                      const ImageSurvey& survey,
                                      const ImageSlimPlan& plan,
                                      const ImageSlimOptions& options,
                                      const std::filesystem::path& output) {
  FITMENT_TRY_ASSIGN(LayoutWriter layout, LayoutWriter::create(output));
  FITMENT_TRY_ASSIGN(SlimmedImage result, Applier(image, survey, plan, options, layout).run());
  FITMENT_TRY(layout.commit());
  return result;
}

}  // namespace fitment
