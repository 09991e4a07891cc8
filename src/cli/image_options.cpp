// SPDX-License-Identifier: Apache-2.0
#include "cli/image_options.h"

#include "cli/invocation.h"

namespace fitment {

const ArgumentSpec& image_argument() {
  static const ArgumentSpec kArgument{
      .name = "REF",
      .help = "`oci:DIR[:TAG]`, `oci-archive:FILE`, `docker-archive:FILE`, or a path that is one",
      .completes = Completes::file};
  return kArgument;
}

const OptionSpec& platform_option() {
  static const OptionSpec kOption{.name = "platform",
                                  .help = "which image of several: `linux/amd64`",
                                  .value = "OS/ARCH",
                                  .group = "What"};
  return kOption;
}

Result<Image> open_named_image(const Invocation& invocation) {
  std::optional<OciPlatform> platform;
  if (const auto text = invocation.find("platform")) {
    FITMENT_TRY_ASSIGN(platform, parse_platform(*text));
  }
  return open_image(invocation.get("REF"), platform);
}

SurveyOptions survey_options(const Streams& streams, ImageProgress& progress) {
  SurveyOptions options;
  constexpr std::uint64_t kInMemory = 4U << 20U;
  options.scratch.in_memory_bytes = kInMemory;
  const std::string folder = value_of(streams.environment, "TMPDIR");
  if (!folder.empty()) {
    options.scratch.folder = folder;
  }
  options.progress = [&progress](std::uint64_t done, std::uint64_t all, std::string_view label) {
    progress.show(done, all, label);
  };
  return options;
}

}  // namespace fitment
