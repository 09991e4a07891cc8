// SPDX-License-Identifier: Apache-2.0
// GPU code of packages against the machine's GPUs. A library may hold containers for one
// architecture only: what counts is whether any of its code runs on the GPU.
#include "base/parallel.h"
#include "doctor/examination.h"
#include "gpucode/scan.h"
#include "machine/keep_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

struct FileCode {
  std::size_t distribution = 0;
  std::string path;
  std::set<std::string> targets;
  std::vector<Runs> runs;  // by counted GPU
  std::optional<Error> error;
};

class GpuCodeCheck {
 public:
  explicit GpuCodeCheck(Examination& examination)
      : x_(examination), gpus_(counted_gpus(*examination.machine)) {
    std::erase_if(gpus_, [](const Gpu* gpu) { return !gpu->target; });
  }

  void check() {
    if (gpus_.empty()) {
      return;
    }
    std::vector<FileCode> files(x_.stack.binaries.size());
    for_each_index(files.size(), 0, [&](std::size_t i) { files[i] = look(x_.stack.binaries[i]); });
    std::map<std::size_t, std::vector<const FileCode*>> by_distribution;
    for (const FileCode& file : files) {
      if (!file.targets.empty()) {
        by_distribution[file.distribution].push_back(&file);
      }
    }
    for (const auto& [distribution, of_it] : by_distribution) {
      for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
        judge(distribution, of_it, gpu);
      }
    }
  }

 private:
  [[nodiscard]] FileCode look(const StackBinary& binary) const;
  [[nodiscard]] Runs best_of(const GpuCode& code, const GpuTarget& gpu) const;
  [[nodiscard]] bool driver_compiles(const GpuEntry& ptx) const;
  void judge(std::size_t distribution, const std::vector<const FileCode*>& files, std::size_t gpu);

  Examination& x_;
  std::vector<const Gpu*> gpus_;
};

/// PTX of a newer language than the driver knows does not compile. An unknown driver is given the
/// benefit of the doubt.
bool GpuCodeCheck::driver_compiles(const GpuEntry& ptx) const {
  const auto& state = x_.machine->drivers.nvidia;
  if (!state.is_present() || !state.driver.cuda_api || ptx.version_major == 0) {
    return true;
  }
  const auto needed = x_.cuda->api_for_ptx({ptx.version_major, ptx.version_minor});
  return !needed || *state.driver.cuda_api >= *needed;
}

Runs GpuCodeCheck::best_of(const GpuCode& code, const GpuTarget& gpu) const {
  Runs best = Runs::no;
  for (const GpuContainer& container : code.containers) {
    for (const GpuEntry& entry : container.entries) {
      if (!entry.target || entry.target->index() != gpu.index() || entry.kind == CodeKind::lto_ir) {
        continue;
      }
      Runs runs = Runs::no;
      if (const auto* cuda = std::get_if<CudaTarget>(&gpu)) {
        runs = code_runs_on(std::get<CudaTarget>(*entry.target), *cuda);
      } else if (const auto* gfx = std::get_if<GfxTarget>(&gpu)) {
        runs = code_runs_on(std::get<GfxTarget>(*entry.target), *gfx);
      }
      if (runs == Runs::jit && !driver_compiles(entry)) {
        runs = Runs::no;
      }
      best = std::max(best, runs);
    }
  }
  return best;
}

FileCode GpuCodeCheck::look(const StackBinary& binary) const {
  FileCode file{binary.distribution, binary.path, {}, {}, {}};
  const auto source = x_.view->open(binary.path);
  if (!source) {
    return file;
  }
  const auto code = scan_gpu_code(**source);
  if (!code) {
    file.error = code.error();
    return file;
  }
  for (const GpuContainer& container : code->containers) {
    for (const GpuEntry& entry : container.entries) {
      if (entry.target) {
        file.targets.insert(to_string(*entry.target));
      }
    }
  }
  for (const Gpu* gpu : gpus_) {
    file.runs.push_back(best_of(*code, *gpu->target));
  }
  return file;
}

/// Libraries of one package are builds for several toolkits at times (libx_cuda118.so,
/// libx_cuda128.so): when one of them runs, the others only get a warning.
void GpuCodeCheck::judge(std::size_t distribution,
                         const std::vector<const FileCode*>& files,
                         std::size_t gpu) {
  std::vector<const FileCode*> without;
  std::vector<const FileCode*> by_jit;
  bool has_native = false;
  for (const FileCode* file : files) {
    const Runs runs = file->runs[gpu];
    has_native = has_native || runs == Runs::native;
    if (runs == Runs::no) {
      without.push_back(file);
    } else if (runs == Runs::jit) {
      by_jit.push_back(file);
    }
  }
  const std::string name = gpus_[gpu]->name ? *gpus_[gpu]->name : "the GPU";
  const std::string target = to_string(*gpus_[gpu]->target);
  const auto report = [&](std::string_view rule,
                          Severity severity,
                          const std::vector<const FileCode*>& list,
                          const std::string& cause) {
    Finding finding{
        .rule = std::string(rule),
        .severity = severity,
        .subject = fmt::format(
            "{}: {}", x_.shown_distribution(distribution), file_name(list.front()->path)),
        .cause = cause,
        .evidence = {fmt::format("{} is {}", name, target)},
        .fix = {"install a build with code for this GPU",
                {fmt::format("fitment plan {}", x_.stack.distributions[distribution].name)}}};
    for (const FileCode* file : list) {
      finding.evidence.push_back(
          fmt::format("{} holds {}", x_.shown(file->path), fmt::join(file->targets, " ")));
    }
    x_.findings.push_back(std::move(finding));
  };
  if (!without.empty()) {
    const bool all = without.size() == files.size();
    report("no-gpu-kernels",
           all ? Severity::error : Severity::warning,
           without,
           all ? fmt::format("none of its GPU code runs on {} ({})", name, target)
               : fmt::format(
                   "some of its libraries have no GPU code that runs on {} ({})", name, target));
  }
  if (!by_jit.empty()) {
    report(
        "ptx-jit",
        has_native ? Severity::note : Severity::warning,
        by_jit,
        fmt::format("only its PTX serves {} ({}): the driver compiles it at first use, which takes "
                    "minutes for large libraries",
                    name,
                    target));
  }
}

}  // namespace

void check_gpu_code(Examination& examination) {
  GpuCodeCheck(examination).check();
}

}  // namespace fitment
