// SPDX-License-Identifier: Apache-2.0
#include "image/image_context.h"

#include "base/digest.h"
#include "base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

namespace fs = std::filesystem;

Error cannot(std::string_view what, const fs::path& path, const std::error_code& code) {
  return fail(ErrorCode::io_error, fmt::format("cannot {}: {}", what, code.message()))
      .at({path.string(), {}, {}, {}});
}

Status make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  return code ? Status(cannot("make a folder", folder, code)) : Status();
}

/// The file under another name; a copy where links cannot be made.
Status place(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::remove(to, code);
  const fs::path real = fs::canonical(from, code);
  if (code) {
    return fail(ErrorCode::not_found, "there is no such file").at({from.string(), {}, {}, {}});
  }
  fs::create_hard_link(real, to, code);
  if (code) {
    fs::copy_file(real, to, fs::copy_options::overwrite_existing, code);
  }
  return code ? Status(cannot("place a file", to, code)) : Status();
}

Result<std::vector<std::string>> wheels_in(const std::string& folder) {
  FITMENT_TRY_ASSIGN(std::vector<std::string> names, list_folder(folder));
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".whl"); });
  if (names.empty()) {
    return fail(ErrorCode::not_found, "the folder holds no wheel").at({folder, {}, {}, {}});
  }
  return names;
}

Result<std::string> digest_file(const fs::path& file) {
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(file));
  return sha256_hex(*source);
}

Status place_wheels(const std::string& from, const fs::path& to) {
  FITMENT_TRY(make_folder(to));
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, wheels_in(from));
  for (const std::string& name : names) {
    FITMENT_TRY(place(fs::path(from) / name, to / name));
  }
  return {};
}

}  // namespace

Result<std::map<std::string, std::string>> digest_inputs(const ImageInputs& inputs) {
  std::map<std::string, std::string> digests{{"fitment", inputs.program_version}};
  if (!inputs.wheels.empty()) {
    std::string all;
    FITMENT_TRY_ASSIGN(const std::vector<std::string> names, wheels_in(inputs.wheels));
    for (const std::string& name : names) {
      FITMENT_TRY_ASSIGN(const std::string digest, digest_file(fs::path(inputs.wheels) / name));
      all += digest + " " + name + "\n";
    }
    digests["wheels"] = sha256_hex(all);
  }
  if (!inputs.monitor_source.empty()) {
    FITMENT_TRY_ASSIGN(digests["monitor"], digest_file(inputs.monitor_source));
  }
  if (!inputs.root_archive.empty()) {
    FITMENT_TRY_ASSIGN(digests["root"], digest_file(inputs.root_archive));
  }
  return digests;
}

Status write_image_context(const fs::path& folder,
                           const BakeBuilder& bake,
                           const std::vector<std::vector<ImageStage>>& images,
                           const ImageInputs& inputs) {
  FITMENT_TRY(make_folder(folder));
  for (const auto& [name, text] : bake.containerfiles()) {
    FITMENT_TRY(write_file_atomic(folder / name, text));
  }
  FITMENT_TRY(write_file_atomic(folder / "docker-bake.json", bake_json(bake.file())));
  FITMENT_TRY(write_file_atomic(folder / "docker-bake.hcl", bake_hcl(bake.file())));
  FITMENT_TRY(write_file_atomic(folder / ".dockerignore", "logs\ndocker-bake.*\n"));
  std::set<std::string> used;
  for (const std::vector<ImageStage>& stages : images) {
    for (const ImageStage& stage : stages) {
      used.insert(stage.inputs.begin(), stage.inputs.end());
      for (const ContextFile& file : stage.files) {
        FITMENT_TRY(make_folder((folder / file.path).parent_path()));
        FITMENT_TRY(write_file_atomic(folder / file.path, file.text));
      }
    }
  }
  for (const std::string& input : used) {
    const fs::path place_of = folder / "inputs" / input;
    FITMENT_TRY(make_folder(place_of));
    if (input == "fitment") {
      FITMENT_TRY(place(inputs.program, place_of / "fitment"));
    } else if (input == "wheels") {
      FITMENT_TRY(place_wheels(inputs.wheels, place_of));
    } else if (input == "monitor") {
      FITMENT_TRY(place(inputs.monitor_source, place_of / "source.tar"));
    } else {
      FITMENT_TRY(place(inputs.root_archive, place_of / fs::path(inputs.root_archive).filename()));
    }
  }
  return {};
}

}  // namespace fitment
