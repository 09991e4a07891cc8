// SPDX-License-Identifier: Apache-2.0
#include "cli/image_job.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/image_audience.h"
#include "cli/image_base.h"
#include "cli/invocation.h"
#include "cli/known_targets.h"
#include "cli/machine_options.h"
#include "cli/version.h"
#include "image/image_program.h"
#include "image/image_wish.h"
#include "record/wish_file.h"
#include "report/image_plan_text.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

namespace fitment {

namespace {

namespace fs = std::filesystem;

/// 1980-01-01: the oldest time that a zip archive can tell.
constexpr std::uint64_t kDefaultEpoch = 315'532'800;
constexpr const char* kDefaultFolder = "fitment-image";

/// Options of the command line over those of fitment.toml. Relative paths of the file are relative
/// to it, which is the current folder.
Result<ImageWish> read_wish(const Invocation& invocation) {
  ImageWish wish;
  std::error_code ignored;
  if (fs::exists("fitment.toml", ignored)) {
    FITMENT_TRY_ASSIGN(const std::string text, read_file("fitment.toml"));
    FITMENT_TRY_ASSIGN(std::optional<ImageWish> found, parse_image_wish(text, "fitment.toml"));
    wish = std::move(found).value_or(ImageWish{});
  }
  const auto replace = [&](const char* option, std::vector<std::string>& values) {
    if (!invocation.list(option).empty()) {
      values = invocation.list(option);
    }
  };
  replace("from", wish.from);
  replace("profile", wish.profiles);
  replace("for", wish.machines);
  replace("python", wish.pythons);
  replace("add", wish.requirements);
  wish.python_from = invocation.find("python-from").value_or(wish.python_from);
  wish.monitor = invocation.find("monitor").value_or(wish.monitor);
  wish.monitor_source = invocation.find("nvtop").value_or(wish.monitor_source);
  wish.wheels = invocation.find("wheels").value_or(wish.wheels);
  wish.platform = invocation.find("platform").value_or(wish.platform);
  wish.tag = invocation.find("tag").value_or(wish.tag);
  wish.slim = wish.slim && !invocation.flag("no-slim");
  return wish;
}

/// `registry.example.com:5000/team/model:1.4`, as all builders take it: names are lower case, tags
/// are not bound to be.
bool is_image_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t colon = name.rfind(':');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  const std::string_view repository = name.substr(0, has_tag ? colon : name.size());
  const std::string_view tag = has_tag ? name.substr(colon + 1) : "1";
  const auto consists_of = [](std::string_view text, std::string_view others, bool takes_upper) {
    return !text.empty() && is_alnum(text.front()) && is_alnum(text.back())
           && std::all_of(text.begin(), text.end(), [&](char c) {
                const bool is_upper = c >= 'A' && c <= 'Z';
                return (is_alnum(c) && (takes_upper || !is_upper))
                       || others.find(c) != std::string_view::npos;
              });
  };
  return consists_of(repository, "./:_-", false) && repository.find("//") == std::string_view::npos
         && consists_of(tag, "._-", true);
}

Status check_words(const ImageWish& wish) {
  const auto check = [](const std::string& value,
                        const std::vector<std::string>& known,
                        std::string_view what) -> Status {
    if (value.empty() || std::find(known.begin(), known.end(), value) != known.end()) {
      return {};
    }
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a {}", value, what))
        .hint(fmt::format("write one of {}", join(known, ", ")));
  };
  FITMENT_TRY(check(wish.python_from, {"system", "uv", "conda"}, "source of Python"));
  FITMENT_TRY(check(wish.monitor, {"auto", "package", "source", "none"}, "way to bring nvtop"));
  if (!wish.tag.empty() && !is_image_name(wish.tag)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not a name for an image", wish.tag))
        .hint("write it in lower case: `--tag registry.example.com/team/model:1.4`");
  }
  if (wish.tag.ends_with(":latest")) {
    return fail(ErrorCode::invalid_argument, "`latest` is not a name for an image")
        .hint("give a version, or no tag at all: it is then derived from the content");
  }
  const auto is_user_letter = [](char c) { return is_alnum(c) || c == '_' || c == '-'; };
  if (!std::all_of(wish.user.begin(), wish.user.end(), is_user_letter)
      || (!wish.user.empty() && !(wish.user.front() >= 'a' && wish.user.front() <= 'z'))) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a user's name", wish.user))
        .hint("write lower-case letters, digits, `_` and `-`: `user = \"app\"`");
  }
  for (const std::string& python : wish.pythons) {
    const auto version = parse_python_version(python);
    if (!version || version->implementation != "cpython"
        || std::count(python.begin(), python.end(), '.') != 1) {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a Python version", python))
          .hint("write `--python 3.12`");
    }
  }
  return {};
}

/// Names of one image among several: `NAME:1.4-torch-py312`.
std::string image_tag(const std::string& tag, const ImageStage& image, bool is_one) {
  const std::size_t colon = tag.rfind(':');
  const bool has_version = colon != std::string::npos && tag.find('/', colon) == std::string::npos;
  const std::string content = image.tag.substr(image.tag.rfind(':') + 1);
  const std::string own = is_one ? "" : image.target;
  if (has_version) {
    return own.empty() ? tag : tag + "-" + own;
  }
  return fmt::format("{}:{}{}{}", tag, own, own.empty() ? "" : "-", content);
}

/// `torch for sm_70 on debian:12 with Python 3.12`.
std::string describe(const ImagePlan& plan) {
  return fmt::format("{} for {} on {} with Python {}",
                     join(plan.profiles, ","),
                     plan.machine_words,
                     plan.base.reference,
                     plan.python);
}

class JobReader {
 public:
  JobReader(const Invocation& invocation,
            const Streams& streams,
            std::optional<ImageBuilder> builder)
      : invocation_(invocation), streams_(streams), builder_(builder) {}

  Result<ImageJob> read() {
    FITMENT_TRY_ASSIGN(job_.catalog, load_catalog(invocation_));
    FITMENT_TRY_ASSIGN(job_.recipes, read_image_recipes(job_.catalog));
    FITMENT_TRY_ASSIGN(wish_, read_wish(invocation_));
    FITMENT_TRY(check_words(wish_));
    FITMENT_TRY(read_epoch());
    if (!wish_.platform.empty()) {
      FITMENT_TRY_ASSIGN(arch_, parse_image_arch(wish_.platform));
    }
    for (const std::string& profile : wish_.profiles) {
      if (comma_words(profile).empty()) {
        return fail(ErrorCode::invalid_argument, "`--profile` names nothing")
            .hint("profiles are " + join(profile_names(job_.recipes), ", "));
      }
      for (const std::string& name : comma_words(profile)) {
        FITMENT_TRY(job_.recipes.find_profile(name));
      }
    }
    if (wish_.from.empty()) {
      wish_.from = {job_.recipes.default_base};
    }
    FITMENT_TRY(settle_inputs());
    FITMENT_TRY(add_images());
    if (job_.images.empty()) {
      return fail(ErrorCode::invalid_argument, "nothing fits any of the images");
    }
    for (const PlannedImage& image : job_.images) {
      if (!image.stages.empty()) {
        const std::string& tag = wish_.tag;
        job_.bake.add_image(
            image.stages,
            tag.empty() ? std::vector<std::string>{}
                        : std::vector{image_tag(tag, image.stages.back(), job_.images.size() == 1)},
            epoch_);
      }
    }
    return std::move(job_);
  }

 private:
  Status read_epoch() {
    const std::string text = value_of(streams_.environment, "SOURCE_DATE_EPOCH");
    const auto seconds = parse_unsigned(text);
    if (!text.empty() && !seconds) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("SOURCE_DATE_EPOCH is `{}`, which is no number of seconds", text));
    }
    epoch_ = seconds.value_or(kDefaultEpoch);
    return {};
  }

  Status settle_inputs() {
    std::error_code ignored;
    ImageInputs& inputs = job_.inputs;
    FITMENT_TRY(add_program(inputs, fs::read_symlink("/proc/self/exe", ignored).string()));
    for (const std::string& program : invocation_.list("program")) {
      FITMENT_TRY(add_program(inputs, program));
    }
    inputs.program_version = program_version();
    inputs.wheels = wish_.wheels;
    inputs.monitor_source = wish_.monitor_source;
    for (const std::string& from : wish_.from) {
      if (is_root_archive(from)) {
        if (wish_.from.size() > 1) {
          return fail(ErrorCode::invalid_argument,
                      "the archive of a root filesystem stands alone, not beside other bases");
        }
        inputs.root_archive = from;
      }
    }
    FITMENT_TRY_ASSIGN(stage_inputs_.digests, digest_inputs(inputs));
    if (!wish_.wheels.empty()) {
      FITMENT_TRY_ASSIGN(wheels_, read_stocked_wheels(wish_.wheels));
    }
    stage_inputs_.root_archive = fs::path(inputs.root_archive).filename().string();
    stage_inputs_.epoch = epoch_;
    return {};
  }

  /// Every combination of the axes; an axis that says nothing has one empty choice.
  Status add_images() {
    for (const std::string& from : wish_.from) {
      for (const std::string& python : axis(wish_.pythons)) {
        FITMENT_TRY(add_images_on(from, python));
      }
    }
    return {};
  }

  Status add_images_on(const std::string& from, const std::string& python) {
    for (const std::string& profile : axis(wish_.profiles)) {
      for (const std::string& machines : axis(wish_.machines)) {
        FITMENT_TRY(add_image(from, python, profile, machines));
      }
    }
    return {};
  }

  static std::vector<std::string> axis(const std::vector<std::string>& values) {
    return values.empty() ? std::vector<std::string>{""} : values;
  }

  Status add_image(const std::string& from,
                   const std::string& python,
                   const std::string& profile,
                   const std::string& machines) {
    ImageOrder order;
    FITMENT_TRY_ASSIGN(order.base, base_clues(from));
    order.profiles = comma_words(profile);
    order.requirements = wish_.requirements;
    order.packages = wish_.packages;
    order.python_from = wish_.python_from;
    order.monitor = wish_.monitor.empty() ? "auto" : wish_.monitor;
    order.has_monitor_source = !wish_.monitor_source.empty();
    if (!wish_.wheels.empty()) {
      order.wheels = wheels_;
    }
    order.slim = wish_.slim;
    order.arch = arch_;
    order.user = wish_.user;
    order.env = wish_.env;
    order.labels = wish_.labels;
    if (!python.empty()) {
      order.python = python;
    }
    FITMENT_TRY(read_policy(order));
    if (!machines.empty()) {
      FITMENT_TRY_ASSIGN(const CudaTables* cuda, job_.catalog.cuda());
      FITMENT_TRY_ASSIGN(ImageAudience audience, read_image_audience(machines, arch_, *cuda));
      FITMENT_TRY(warn_of_unknown_targets(audience.typed, job_.catalog, streams_));
      order.machines = std::move(audience.machines);
      order.targets = std::move(audience.targets);
      order.machine_words = std::move(audience.words);
      order.assumes_driver = audience.assumes_driver;
      if (order.assumes_driver && !invocation_.find("prefer")) {
        order.policy.prefer = Prefer::oldest_driver;
      }
    } else if (!order.profiles.empty() || !order.requirements.empty()) {
      return fail(ErrorCode::invalid_argument, "an image has to know which machines it is for")
          .hint("`--for sm_90`, `--for machine.json` (several with commas between) or `--for cpu`");
    }
    PlannedImage image;
    FITMENT_TRY_ASSIGN(image.plan, plan_image(order, job_.recipes, job_.catalog));
    if (image.plan.fits()) {
      stage_inputs_.record = image_record_json(image.plan);
      FITMENT_TRY_ASSIGN(image.stages,
                         render_image_stages(image.plan, job_.recipes, stage_inputs_));
      FITMENT_TRY(check_program(image));
    }
    if (!image.plan.fits() && invocation_.flag("skip-misfits")) {
      streams_.warn("left out, since nothing fits: " + describe(image.plan));
      return {};
    }
    job_.images.push_back(std::move(image));
    return {};
  }

  /// Told where files are written and printed, refused where they would be built.
  [[nodiscard]] Status check_program(const PlannedImage& image) const {
    const auto program = job_.inputs.programs.find(image.plan.arch);
    const BaseSystem* system = image.plan.base.system;
    if (image.stages.back().name != "framework" || program == job_.inputs.programs.end()
        || system == nullptr || !program->second.glibc_floor
        || *program->second.glibc_floor <= system->libc) {
      return {};
    }
    const std::string problem = fmt::format(
        "the last stage runs fitment, which needs glibc {} as it was built, and {} has {}",
        to_string(*program->second.glibc_floor),
        image.plan.base.reference,
        to_string(system->libc));
    if (builder_) {
      return fail(ErrorCode::unsupported, problem)
          .hint("name a fitment that was built on an older system: `--program FILE`");
    }
    streams_.warn(problem + ": name an older build with `--program`");
    return {};
  }

  /// Once for each base: reading a layout takes its time.
  Result<BaseClues> base_clues(const std::string& from) {
    if (const auto known = bases_.find(from); known != bases_.end()) {
      return known->second;
    }
    FITMENT_TRY_ASSIGN(
        BaseClues clues,
        find_base_clues(
            {from, invocation_.get("base-system"), invocation_.get("base-root"), arch_, builder_},
            job_.catalog,
            streams_));
    if (clues.layout) {
      job_.inputs.layouts[clues.layout->input()] = *clues.layout;
      stage_inputs_.digests[clues.layout->input()] = clues.layout->digest;
    }
    return bases_.emplace(from, std::move(clues)).first->second;
  }

  Status read_policy(ImageOrder& order) const {
    order.policy.backend = invocation_.find("backend");
    order.policy.allow_unsure = invocation_.flag("allow-unsure");
    if (const auto prefer = invocation_.find("prefer")) {
      FITMENT_TRY_ASSIGN(order.policy.prefer, parse_prefer(*prefer));
    }
    return {};
  }

  const Invocation& invocation_;
  const Streams& streams_;
  std::optional<ImageBuilder> builder_;
  ImageWish wish_;
  ImageJob job_;
  StageInputs stage_inputs_;
  std::vector<StockedWheel> wheels_;
  std::uint64_t epoch_ = kDefaultEpoch;
  std::map<std::string, BaseClues> bases_;
  std::string arch_;  // empty: that of the machines
};

}  // namespace

bool ImageJob::fits() const {
  return std::all_of(
      images.begin(), images.end(), [](const PlannedImage& image) { return image.plan.fits(); });
}

std::vector<std::vector<ImageStage>> ImageJob::stages() const {
  std::vector<std::vector<ImageStage>> all;
  for (const PlannedImage& image : images) {
    all.push_back(image.stages);
  }
  return all;
}

Result<ImageJob> read_image_job(const Invocation& invocation,
                                const Streams& streams,
                                std::optional<ImageBuilder> builder) {
  if (const auto name = invocation.find("builder"); name && !builder) {
    FITMENT_TRY_ASSIGN(builder, parse_image_builder(*name));
  }
  return JobReader(invocation, streams, builder).read();
}

std::string image_folder(const Invocation& invocation) {
  return invocation.find("output").value_or(kDefaultFolder);
}

void tell_misfits(const ImageJob& job, const Streams& streams) {
  bool is_first = true;
  for (const PlannedImage& image : job.images) {
    if (!image.plan.fits()) {
      streams.err << (is_first ? "" : "\n") << image_misfit_text(image.plan, streams.err_theme);
      is_first = false;
    }
  }
}

Result<bool> write_image_folder(const ImageJob& job,
                                const std::string& folder,
                                const Streams& streams) {
  if (!job.fits()) {
    tell_misfits(job, streams);
    return false;
  }
  FITMENT_TRY(write_image_context(folder, job.bake, job.stages(), job.inputs));
  return true;
}

}  // namespace fitment
