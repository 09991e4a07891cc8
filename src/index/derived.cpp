// SPDX-License-Identifier: Apache-2.0
#include "index/derived.h"

#include "base/digest.h"
#include "variant/derived_wheel.h"
#include "variant/marker_values.h"
#include "wheel/metadata.h"

#include <utility>

namespace fitment {

namespace {

/// A splice with the file that it is over.
class DerivedSource final : public ByteSource {
 public:
  DerivedSource(std::unique_ptr<ByteSource> original, DerivedWheel wheel)
      : ByteSource(wheel.file),
        original_(std::move(original)),
        wheel_(std::move(wheel)),
        spliced_(*original_, wheel_.bytes, wheel_.file) {}

  [[nodiscard]] std::uint64_t size() const override { return spliced_.size(); }
  [[nodiscard]] const std::string& metadata() const { return wheel_.metadata; }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    FITMENT_TRY(spliced_.read_exact(offset, count, out, "a derived wheel"));
    return count;
  }

 private:
  std::unique_ptr<ByteSource> original_;
  DerivedWheel wheel_;
  SplicedSource spliced_;
};

Result<std::unique_ptr<DerivedSource>> make_derived(const IndexedFile& wheel,
                                                    const MarkerEnvironment& chosen,
                                                    MetadataSource& metadata) {
  FITMENT_TRY_ASSIGN(std::unique_ptr<ByteSource> source, metadata.open(wheel));
  FITMENT_TRY_ASSIGN(const WheelArchive archive, read_wheel_archive(*source));
  FITMENT_TRY_ASSIGN(std::optional<DerivedWheel> derived,
                     plan_derived_wheel(*source, archive, chosen));
  return derived ? std::make_unique<DerivedSource>(std::move(source), std::move(*derived))
                 : nullptr;
}

}  // namespace

Result<std::optional<MarkerEnvironment>> chosen_markers(const Project& project,
                                                        const IndexedFile& wheel,
                                                        const ViewContext& context) {
  const auto variants = project.variants.find(to_string(wheel.version));
  if (!wheel.wheel || !wheel.wheel->variant_label || variants == project.variants.end()
      || !variants->second.metadata) {
    return std::optional<MarkerEnvironment>();
  }
  FITMENT_TRY_ASSIGN(
      const std::vector<NamespaceAnswer> answers,
      answer_namespaces(*variants->second.metadata, context.machine(), context.policy().trust));
  MarkerEnvironment chosen;
  set_variant_markers(
      *variants->second.metadata, wheel.wheel->variant_label, supported_by(answers), chosen);
  return std::optional(std::move(chosen));
}

Result<std::optional<DerivedFacts>> derive_facts(const IndexedFile& wheel,
                                                 const MarkerEnvironment& chosen,
                                                 MetadataSource& metadata) {
  // METADATA alone tell whether there is anything to do, and they may be had without the wheel.
  FITMENT_TRY_ASSIGN(const std::string text, metadata.metadata_of(wheel));
  FITMENT_TRY_ASSIGN(const std::optional<std::string> settled,
                     settle_variant_markers(text, wheel.file.filename, chosen));
  if (!settled) {
    return std::optional<DerivedFacts>();
  }
  FITMENT_TRY_ASSIGN(const std::unique_ptr<DerivedSource> derived,
                     make_derived(wheel, chosen, metadata));
  if (!derived) {
    return std::optional<DerivedFacts>();
  }
  DerivedFacts facts{derived->metadata(), derived->size(), {}};
  if (!local_place(wheel).empty()) {
    FITMENT_TRY_ASSIGN(facts.sha256, sha256_hex(*derived));
  }
  return std::optional(std::move(facts));
}

Result<std::unique_ptr<ByteSource>> open_derived(const IndexedFile& wheel,
                                                 const MarkerEnvironment& chosen,
                                                 MetadataSource& metadata) {
  FITMENT_TRY_ASSIGN(std::unique_ptr<DerivedSource> derived, make_derived(wheel, chosen, metadata));
  return std::unique_ptr<ByteSource>(std::move(derived));
}

}  // namespace fitment
