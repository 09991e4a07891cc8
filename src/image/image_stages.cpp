// SPDX-License-Identifier: Apache-2.0
#include "image/image_stages.h"

#include "base/digest.h"
#include "base/shell.h"
#include "base/text.h"
#include "elf/file_view.h"
#include "image/containerfile.h"
#include "image/image_labels.h"
#include "image/image_program.h"
#include "machine/machine_file.h"
#include "slim/targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kTagDigits = 12;
constexpr int kImageUserId = 10001;  // above those that distributions give

/// Targets as the option --for of fitment takes them.
std::string target_list(const std::vector<KeepTarget>& targets) {
  return replace_all(to_string(targets), ", ", ",");
}

/// One pip command an index, so each name comes from one place; ordinary packages last, with the
/// chosen builds named again, so that no solve replaces them.
std::string install_script(const ImagePlan& plan) {
  const std::string pip =
      std::string(kImageEnvironment) + "/bin/python -m pip install --no-cache-dir --no-compile";
  std::vector<std::string> chosen;
  std::vector<std::pair<std::string, std::vector<std::string>>> by_index;
  for (const PackagePlan& package : plan.choice.packages) {
    if (!package.choice) {
      continue;
    }
    chosen.push_back(package.choice->requirement);
    const std::string index = plan.has_wheels ? "" : package.choice->index;
    const auto known = std::find_if(
        by_index.begin(), by_index.end(), [&](const auto& group) { return group.first == index; });
    (known == by_index.end() ? by_index.emplace_back(index, std::vector<std::string>{}) : *known)
        .second.push_back(package.choice->requirement);
  }
  const std::string local = plan.has_wheels ? " --no-index --find-links /run/wheels" : "";
  std::string script;
  for (const auto& [index, requirements] : by_index) {
    // Paddle's index holds Paddle alone; what it needs comes from PyPI.
    const bool needs_pypi = index.find("paddlepaddle.org") != std::string::npos;
    script += fmt::format("{}{}{}{} {}\n",
                          pip,
                          local,
                          index.empty() ? "" : " --index-url " + shell_word(index),
                          needs_pypi ? " --extra-index-url https://pypi.org/simple" : "",
                          shell_line(requirements));
  }
  if (!plan.requirements.empty()) {
    chosen.insert(chosen.end(), plan.requirements.begin(), plan.requirements.end());
    script += fmt::format("{}{} {}\n", pip, local, shell_line(chosen));
  }
  return script;
}

/// Slims, judges, and writes down what is there. A finding that breaks fails the build.
std::string prove_script(const ImagePlan& plan) {
  std::string script;
  if (plan.slim) {
    script += fmt::format("/run/fitment/fitment slim {} --apply --for {}\n",
                          kImageEnvironment,
                          shell_word(target_list(plan.targets)));
    // The journal is for undoing, and no original is kept here.
    script += fmt::format("rm -rf {}/.fitment-slim\n", kImageEnvironment);
  }
  std::string machines;
  for (std::size_t i = 0; i < plan.machines->size(); ++i) {
    machines += fmt::format(" --machine /run/record/machine-{}.json", i + 1);
  }
  script += fmt::format("/run/fitment/fitment doctor {}{}\n", kImageEnvironment, machines);
  script += fmt::format("mkdir -p {}\n", kImageRecordFolder);
  script += fmt::format("/run/fitment/fitment image sbom / --output {}/sbom.spdx.json\n",
                        kImageRecordFolder);
  script += fmt::format("cp /run/record/image.json {}/image.json\n", kImageRecordFolder);
  return script;
}

class StageRenderer {
 public:
  StageRenderer(const ImagePlan& plan, const ImageRecipes& recipes, const StageInputs& inputs)
      : plan_(plan), recipes_(recipes), inputs_(inputs) {
    words_ = {{"environment", kImageEnvironment},
              {"python", plan.python},
              {"install", install_script(plan)},
              {"prove", prove_script(plan)},
              {"user", plan.user},
              {"user_id", std::to_string(kImageUserId)}};
  }

  Result<std::vector<ImageStage>> render() {
    FITMENT_TRY(add("atom", ""));
    FITMENT_TRY(add("base", plan_.python_from));
    if (!plan_.monitor.empty()) {
      FITMENT_TRY(add("cuda", plan_.monitor));
    }
    if (!plan_.choice.packages.empty() || !plan_.requirements.empty()) {
      FITMENT_TRY(add("framework", ""));
    }
    return std::move(stages_);
  }

 private:
  Status add(std::string_view name, const std::string& variant) {
    FITMENT_TRY_ASSIGN(const StageRecipe* recipe, recipes_.find_stage(name, variant));
    ImageStage stage;
    stage.name = name;
    stage.summary = recipe->summary;
    stage.platform = platform_of_arch(plan_.arch);
    stage.target = target_name(stage.name);
    if (stages_.empty()) {
      stage.parent = plan_.base.parent();
      if (plan_.base.layout) {
        stage.parent_context = plan_.base.layout->context();
        stage.inputs.push_back(plan_.base.layout->input());
      }
    } else {
      stage.parent = stages_.back().tag;
    }
    stage.containerfile = text_of(*recipe, stage);
    stage.tag = tag_of(stage);
    stages_.push_back(std::move(stage));
    return {};
  }

  [[nodiscard]] std::string target_name(const std::string& stage) const {
    const std::string base = plan_.base.system != nullptr
                                 ? plan_.base.system->name
                                 : plan_.base.reference.substr(plan_.base.reference.rfind('/') + 1);
    const std::string python = "-py" + replace_all(plan_.python, ".", "");
    const std::string arch =
        plan_.arch == "x86_64" ? "" : "-" + std::string(file_name(platform_of_arch(plan_.arch)));
    if (stage == "atom") {
      return image_slug("atom-" + base + arch);
    }
    if (stage != "framework") {
      return image_slug(stage + "-" + base + python + arch);
    }
    const std::string what = plan_.profiles.empty() ? "packages" : join(plan_.profiles, "-");
    return image_slug(what + python + (plan_.backend.empty() ? "" : "-" + plan_.backend)
                      + (plan_.targets.empty() ? "" : "-" + plan_.machine_words) + arch);
  }

  std::string use(ImageStage& stage, const std::string& input) {
    stage.inputs.push_back(input);
    return bind_mount("inputs/" + input, "/run/" + input);
  }

  /// Files of this stage alone lie in a folder that is named for their bytes: two images of one
  /// name do not share it.
  std::string use_record(ImageStage& stage) {
    stage.files.push_back({"image.json", inputs_.record});
    for (std::size_t i = 0; i < plan_.machines->size(); ++i) {
      stage.files.push_back(
          {fmt::format("machine-{}.json", i + 1), write_machine(plan_.machines->at(i))});
    }
    std::string all;
    for (const ContextFile& file : stage.files) {
      all += file.text;
    }
    const std::string folder = "inputs/records/" + sha256_hex(all).substr(0, kTagDigits);
    for (ContextFile& file : stage.files) {
      file.path = folder + "/" + file.path;
    }
    return bind_mount(folder, "/run/record");
  }

  /// A line that does nothing but name what is mounted: caches of builders are keyed by text, and
  /// buildah's does not look into mounts.
  [[nodiscard]] std::string input_line(const std::vector<std::string>& inputs) const {
    std::string line;
    for (const std::string& input : inputs) {
      const auto digest = inputs_.digests.find(input);
      if (digest != inputs_.digests.end()) {
        line += " " + shell_word(input + "/" + digest->second.substr(0, kTagDigits));
      }
    }
    return line.empty() ? line : ": inputs" + line + "\n";
  }

  [[nodiscard]] std::string script_of(const std::vector<std::string>& packages,
                                      const std::string& run) const {
    std::map<std::string, std::string> words = words_;
    words["packages"] = shell_line(packages);
    return fill_in((packages.empty() ? "" : recipes_.install_packages) + fill_in(run, words),
                   words);
  }

  /// What is thrown away again: it has the base's compiler packages and gives one file.
  std::string build_stage(const StageRecipe& recipe, ImageStage& stage) {
    const std::string mount = use(stage, "monitor");
    return "FROM ${BASE_IMG} AS build\n"
           + run_instruction(
               {mount},
               input_line({"monitor"}) + script_of(recipe.build_packages, recipe.build_run))
           + "\n";
  }

  std::string text_of(const StageRecipe& recipe, ImageStage& stage) {
    std::string text = fmt::format("# {}: {}\n", stage.target, recipe.summary);
    const bool is_archive = stage.parent.empty();
    if (!is_archive) {
      text += fmt::format("ARG BASE_IMG={}\n", stage.parent);
    }
    if (!recipe.tool_image.empty()) {
      text += fmt::format("ARG TOOL_IMG={}\nFROM ${{TOOL_IMG}} AS tool\n\n", recipe.tool_image);
    }
    if (!recipe.build_run.empty()) {
      text += build_stage(recipe, stage);
    }
    text += is_archive ? "FROM scratch\n" : "FROM ${BASE_IMG}\n";
    if (is_archive) {
      stage.inputs.emplace_back("root");
      text += fmt::format("ADD inputs/root/{} /\n", inputs_.root_archive);
    }
    text += fmt::format("ARG SOURCE_DATE_EPOCH={}\n", inputs_.epoch);
    text += env_instruction(env_of(recipe, stage));
    if (!recipe.build_run.empty()) {
      text += fmt::format("COPY --from=build {} {}\n", recipe.build_result, recipe.result_path);
    }
    text += run_of(recipe, stage);
    if (is_last(stage.name)) {
      text += label_instruction(image_labels(plan_, kImageRecordFolder));
      // By number, so that who starts it can see that it is not root.
      text += plan_.user.empty() ? "" : fmt::format("USER {0}:{0}\n", kImageUserId);
    }
    return text;
  }

  std::string run_of(const StageRecipe& recipe, ImageStage& stage) {
    std::vector<std::string> packages = recipe.packages;
    if (stage.name == "atom") {
      packages.insert(packages.end(), plan_.packages.begin(), plan_.packages.end());
    }
    std::string run = recipe.run;
    if (stage.name == "atom" && !plan_.user.empty()) {
      run += recipes_.add_user;
    }
    if (packages.empty() && run.empty()) {
      return {};
    }
    std::vector<std::string> mounts;
    if (!recipe.tool_image.empty()) {
      const std::string file = recipe.tool_path.substr(recipe.tool_path.rfind('/'));
      mounts.push_back(fmt::format(
          "--mount=type=bind,from=tool,source={},target=/run/tool{}", recipe.tool_path, file));
    }
    std::string inputs;
    if (stage.name == "framework") {
      const std::string program = program_input(plan_.arch);
      stage.inputs.push_back(program);
      mounts.push_back(bind_mount("inputs/" + program, "/run/fitment"));
      mounts.push_back(use_record(stage));
      if (plan_.has_wheels) {
        mounts.push_back(use(stage, "wheels"));
      }
      inputs = input_line(stage.inputs);
    }
    return run_instruction(mounts, inputs + script_of(packages, run + recipes_.clean_up));
  }

  [[nodiscard]] std::map<std::string, std::string> env_of(const StageRecipe& recipe,
                                                          const ImageStage& stage) const {
    std::map<std::string, std::string> env;
    for (const auto& [name, value] : recipe.env) {
      env[name] = fill_in(value, words_);
    }
    if (stage.name == "framework" && plan_.require) {
      env["NVIDIA_REQUIRE_CUDA"] = plan_.require->cuda;
      env["NVIDIA_REQUIRE_ARCH"] = plan_.require->arch;
    }
    if (is_last(stage.name)) {
      env.insert(plan_.env.begin(), plan_.env.end());
    }
    return env;
  }

  [[nodiscard]] bool is_last(const std::string& stage) const {
    if (!plan_.choice.packages.empty() || !plan_.requirements.empty()) {
      return stage == "framework";
    }
    return stage == (plan_.monitor.empty() ? "base" : "cuda");
  }

  [[nodiscard]] std::string tag_of(const ImageStage& stage) const {
    std::string content = stage.platform + "\n" + stage.containerfile + "\n" + stage.parent + "\n";
    for (const std::string& input : stage.inputs) {
      const auto digest = inputs_.digests.find(input);
      content += input + " " + (digest == inputs_.digests.end() ? "" : digest->second) + "\n";
    }
    return fmt::format(
        "localhost/fitment/{}:{}", stage.target, sha256_hex(content).substr(0, kTagDigits));
  }

  const ImagePlan& plan_;
  const ImageRecipes& recipes_;
  const StageInputs& inputs_;
  std::map<std::string, std::string> words_;
  std::vector<ImageStage> stages_;
};

}  // namespace

std::string program_input(std::string_view arch) {
  return arch == "x86_64" ? "fitment" : fmt::format("fitment-{}", arch);
}

std::string image_slug(std::string_view text) {
  std::string slug;
  for (const char c : to_lower(text)) {
    const bool is_fine = is_alnum(c) || c == '_';
    if (is_fine || (!slug.empty() && slug.back() != '-')) {
      slug += is_fine ? c : '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') {
    slug.pop_back();
  }
  return slug;
}

Result<std::vector<ImageStage>> render_image_stages(const ImagePlan& plan,
                                                    const ImageRecipes& recipes,
                                                    const StageInputs& inputs) {
  return StageRenderer(plan, recipes, inputs).render();
}

}  // namespace fitment
