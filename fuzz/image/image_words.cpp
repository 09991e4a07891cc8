// SPDX-License-Identifier: Apache-2.0
// Any bytes as a reference, as output of nvcc, as [image] of fitment.toml and as a script: no
// crash, no reference that a shell would read as more than a word.
#include "image/base_image.h"
#include "image/containerfile.h"
#include "image/image_wish.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fitment::Catalog catalog;
  static const fitment::ImageRecipes recipes = fitment::read_image_recipes(catalog).value();
  const std::string text(reinterpret_cast<const char*>(data),
                         size);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto base = fitment::read_base_image(
      {.reference = text, .environment = {{"CUDA_VERSION", text}}, .nvcc = text}, recipes);
  if (base && fitment::shell_quoted(base->reference) != base->reference) {
    std::abort();
  }
  if (fitment::join_script(text).find('\n') != std::string::npos) {
    std::abort();
  }
  (void)fitment::parse_nvcc_version(text);
  (void)fitment::parse_image_wish(text, "fuzz");
  return 0;
}
