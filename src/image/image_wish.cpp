// SPDX-License-Identifier: Apache-2.0
#include "image/image_wish.h"

#include "catalog/table_reader.h"

namespace fitment {

Result<std::optional<ImageWish>> parse_image_wish(std::string_view toml,
                                                  const std::string& source) {
  FITMENT_TRY_ASSIGN(const TomlValue document, parse_toml(toml, source));
  const TomlValue* table = document.find("image");
  if (table == nullptr) {
    return std::optional<ImageWish>();
  }
  ImageWish wish;
  TableReader reader(*table, source, "[image]");
  reader.read_texts("from", wish.from);
  reader.read_texts("profile", wish.profiles);
  reader.read_texts("for", wish.machines);
  reader.read_texts("python", wish.pythons);
  reader.read("python-from", wish.python_from);
  reader.read_texts("requirements", wish.requirements);
  reader.read_texts("packages", wish.packages);
  reader.read("platform", wish.platform);
  reader.read("user", wish.user);
  reader.read("monitor", wish.monitor);
  reader.read("nvtop", wish.monitor_source);
  reader.read("wheels", wish.wheels);
  reader.read("tag", wish.tag);
  reader.read("slim", wish.slim);
  reader.read("env", wish.env);
  reader.read("labels", wish.labels);
  FITMENT_TRY(reader.finish());
  return std::optional<ImageWish>(std::move(wish));
}

}  // namespace fitment
