// SPDX-License-Identifier: Apache-2.0
#include "image/image_context.h"

#include "base/digest.h"
#include "base/files.h"
#include "image/archive_kind.h"
#include "image/base_image.h"
#include "image/place_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

namespace fs = std::filesystem;

/// `hint`: what the user may have meant by a file that is not there.
Result<std::string> digest_file(const fs::path& file, const char* hint) {
  auto source = open_file_source(file);
  if (!source) {
    return std::move(source).error().hint(hint);
  }
  return sha256_hex(**source);
}

constexpr const char* kWheelsHint =
    "`--wheels` takes a folder of wheels; `fitment wheelhouse` and `pip download` fill one";
constexpr const char* kWheelHint = "it was there when the folder was listed";
constexpr const char* kMonitorHint =
    "`--nvtop` takes the source archive of a release of nvtop: `nvtop-3.3.2.tar.gz`";
constexpr const char* kProgramHint =
    "`--program` takes a fitment program, built for the architecture of the image";

Result<std::string> digest_source_archive(const std::string& file) {
  FITMENT_TRY_ASSIGN(std::string digest, digest_file(file, kMonitorHint));
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(file));
  FITMENT_TRY_ASSIGN(const ArchiveKind kind, archive_kind_of(*source));
  if (kind == ArchiveKind::none) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no archive", file))
        .hint(kMonitorHint);
  }
  return digest;
}

Result<std::vector<std::string>> wheels_in(const std::string& folder) {
  auto listed = list_folder(folder);
  if (!listed) {
    return std::move(listed).error().hint(kWheelsHint);
  }
  std::vector<std::string> names = std::move(*listed);
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".whl"); });
  if (names.empty()) {
    return fail(ErrorCode::not_found, "the folder holds no wheel")
        .at({folder, {}, {}, {}})
        .hint(kWheelsHint);
  }
  return names;
}

Status place_wheels(const std::string& from, const fs::path& to) {
  FITMENT_TRY(make_folder(to));
  FITMENT_TRY_ASSIGN(const std::vector<std::string> names, wheels_in(from));
  for (const std::string& name : names) {
    FITMENT_TRY(place_file(fs::path(from) / name, to / name));
  }
  return {};
}

Status place_program(const std::string& input, const ImageInputs& inputs, const fs::path& to) {
  for (const auto& [arch, program] : inputs.programs) {
    if (program_input(arch) == input) {
      return place_file(program.path, to);
    }
  }
  return fail(ErrorCode::not_found,
              "the image is for another architecture than this fitment program, and its steps run "
              "one")
      .hint("name one that was built for it: `--program FILE`");
}

}  // namespace

Status add_program(ImageInputs& inputs, const std::string& path) {
  auto program = read_image_program(path);
  if (!program) {
    return std::move(program).error().hint(kProgramHint);
  }
  const std::string arch = program->arch;
  inputs.programs[arch] = std::move(*program);
  return {};
}

Result<std::map<std::string, std::string>> digest_inputs(const ImageInputs& inputs) {
  std::map<std::string, std::string> digests;
  for (const char* arch : {"x86_64", "aarch64"}) {
    digests[program_input(arch)] = inputs.program_version;
  }
  for (const auto& [name, layout] : inputs.layouts) {
    digests[name] = layout.digest;
  }
  if (!inputs.wheels.empty()) {
    std::string all;
    FITMENT_TRY_ASSIGN(const std::vector<std::string> names, wheels_in(inputs.wheels));
    for (const std::string& name : names) {
      FITMENT_TRY_ASSIGN(const std::string digest,
                         digest_file(fs::path(inputs.wheels) / name, kWheelHint));
      all.append(digest).append(" ").append(name).append("\n");
    }
    digests["wheels"] = sha256_hex(all);
  }
  if (!inputs.monitor_source.empty()) {
    FITMENT_TRY_ASSIGN(digests["monitor"], digest_source_archive(inputs.monitor_source));
  }
  if (!inputs.root_archive.empty()) {
    FITMENT_TRY_ASSIGN(digests["root"], digest_file(inputs.root_archive, kRootHint));
  }
  return digests;
}

Status write_image_context(const fs::path& folder,
                           const BakeBuilder& bake,
                           const std::vector<std::vector<ImageStage>>& images,
                           const ImageInputs& inputs) {
  if (auto made = make_folder(folder); !made) {
    return std::move(made).error().hint("`--output DIR` names the folder for all files");
  }
  for (const auto& [name, text] : bake.containerfiles()) {
    FITMENT_TRY(write_file_atomic(folder / name, text));
  }
  FITMENT_TRY(write_file_atomic(folder / "docker-bake.json", bake_json(bake.file())));
  FITMENT_TRY(write_file_atomic(folder / "docker-bake.hcl", bake_hcl(bake.file())));
  FITMENT_TRY(write_file_atomic(folder / ".dockerignore", "logs\ndocker-bake.*\ninputs/base-*\n"));
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
    if (input.starts_with("fitment")) {
      FITMENT_TRY(place_program(input, inputs, place_of / "fitment"));
    } else if (const auto layout = inputs.layouts.find(input); layout != inputs.layouts.end()) {
      FITMENT_TRY(place_layout(layout->second, place_of));
    } else if (input == "wheels") {
      FITMENT_TRY(place_wheels(inputs.wheels, place_of));
    } else if (input == "monitor") {
      FITMENT_TRY(place_file(inputs.monitor_source, place_of / "source.tar"));
    } else {
      FITMENT_TRY(
          place_file(inputs.root_archive, place_of / fs::path(inputs.root_archive).filename()));
    }
  }
  return {};
}

}  // namespace fitment
