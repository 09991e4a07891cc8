// SPDX-License-Identifier: Apache-2.0
// GPU code of packages against the machine's GPUs. A library may hold containers for one
// architecture only: what counts is whether any of its code runs on the GPU.
#include "base/parallel.h"
#include "doctor/examination.h"
#include "elf/elf_file.h"
#include "gpucode/scan.h"
#include "gpucode/slice_note.h"
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
  std::set<GpuTarget> targets;
  std::vector<Runs> runs;  // by counted GPU
  std::string sliced;      // what a slice note says
};

using FileList = std::vector<const FileCode*>;

std::string target_words(const std::set<GpuTarget>& targets) {
  std::string words;
  for (const GpuTarget& target : targets) {
    words += (words.empty() ? "" : " ") + to_string(target);
  }
  return words;
}

class GpuCodeCheck {
 public:
  explicit GpuCodeCheck(Examination& examination)
      : x_(examination), gpus_(counted_gpus(*examination.machine)) {
    std::set<GpuTarget> seen;  // eight of a kind are judged once
    std::erase_if(
        gpus_, [&](const Gpu* gpu) { return !gpu->target || !seen.insert(*gpu->target).second; });
  }

  void check() {
    if (gpus_.empty()) {
      return;
    }
    std::vector<FileCode> files(x_.stack.binaries.size());
    for_each_index(files.size(), 0, [&](std::size_t i) { files[i] = look(x_.stack.binaries[i]); });
    std::map<std::size_t, FileList> by_distribution;
    for (const FileCode& file : files) {
      if (!file.targets.empty()) {
        by_distribution[file.distribution].push_back(&file);
      }
    }
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      FileList of_nvidia;
      for (const auto& [distribution, of_it] : by_distribution) {
        if (!serves_another(of_it, gpu)) {
          judge(distribution, of_it, gpu, of_nvidia);
        }
      }
      report_nvidia(of_nvidia, gpu);
    }
  }

 private:
  [[nodiscard]] FileCode look(const StackBinary& binary) const;
  [[nodiscard]] bool serves_another(const FileList& files, std::size_t gpu) const;
  [[nodiscard]] Runs best_of(const GpuCode& code, const GpuTarget& gpu) const;
  [[nodiscard]] bool driver_compiles(const GpuEntry& ptx) const;
  void judge(std::size_t distribution, const FileList& files, std::size_t gpu, FileList& of_nvidia);
  void report_nvidia(const FileList& files, std::size_t gpu);
  void report(std::string_view rule,
              Severity severity,
              std::string subject,
              const FileList& files,
              std::size_t gpu,
              std::string cause);
  [[nodiscard]] FindingFix fix_for(const InstalledDistribution& distribution,
                                   std::size_t gpu) const;
  [[nodiscard]] std::string gpu_text(std::size_t gpu) const;

  Examination& x_;
  std::vector<const Gpu*> gpus_;
};

/// The code is for the vendor of another GPU of the machine, so this one does not count for it.
bool GpuCodeCheck::serves_another(const FileList& files, std::size_t gpu) const {
  const auto has_code_of = [&](const GpuTarget& target) {
    return std::any_of(files.begin(), files.end(), [&](const FileCode* file) {
      return std::any_of(file->targets.begin(), file->targets.end(), [&](const GpuTarget& code) {
        return code.index() == target.index();
      });
    });
  };
  return !has_code_of(*gpus_[gpu]->target)
         && std::any_of(gpus_.begin(), gpus_.end(), [&](const Gpu* other) {
              return has_code_of(*other->target);
            });
}

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
      if (!entry.target || entry.kind == CodeKind::lto_ir) {
        continue;
      }
      Runs runs = code_runs_on(*entry.target, gpu);
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
    return file;  // damage is told by check_records
  }
  for (const GpuContainer& container : code->containers) {
    for (const GpuEntry& entry : container.entries) {
      if (entry.target) {
        file.targets.insert(*entry.target);
      }
    }
  }
  if (const auto elf = ElfFile::read(**source)) {
    const auto note = read_slice_note(*elf);
    file.sliced = note ? slice_words(*note) : std::string();
  }
  for (const Gpu* gpu : gpus_) {
    file.runs.push_back(best_of(*code, *gpu->target));
  }
  return file;
}

std::string GpuCodeCheck::gpu_text(std::size_t gpu) const {
  const std::string target = to_string(*gpus_[gpu]->target);
  return gpus_[gpu]->name ? fmt::format("{} ({})", *gpus_[gpu]->name, target) : target;
}

/// Builds that the catalogue knows are chosen by `fitment plan`; others are compiled for the GPU.
FindingFix GpuCodeCheck::fix_for(const InstalledDistribution& distribution, std::size_t gpu) const {
  const auto framework = x_.catalog->find_framework(distribution.name);
  if (framework && *framework != nullptr) {
    return {"install a build with code for this GPU",
            {fmt::format("fitment plan {}", distribution.name)}};
  }
  const auto* cuda = std::get_if<CudaTarget>(&*gpus_[gpu]->target);
  if (cuda == nullptr || x_.stack.find("torch") == nullptr) {
    return {fmt::format("install a build of {} with code for this GPU", distribution.name), {}};
  }
  return {fmt::format("install a newer build of {}, or compile it for this GPU", distribution.name),
          {fmt::format("TORCH_CUDA_ARCH_LIST={} {}",
                       cuda->capability(),
                       x_.install_command(fmt::format("--no-build-isolation --no-binary {0} {0}",
                                                      distribution.name)))}};
}

void GpuCodeCheck::report(std::string_view rule,
                          Severity severity,
                          std::string subject,
                          const FileList& files,
                          std::size_t gpu,
                          std::string cause) {
  Finding finding{.rule = std::string(rule),
                  .severity = severity,
                  .subject = std::move(subject),
                  .cause = std::move(cause),
                  .evidence = {},
                  .fix = fix_for(x_.stack.distributions[files.front()->distribution], gpu)};
  for (const FileCode* file : files) {
    finding.evidence.push_back(
        fmt::format("{} holds {}", x_.shown(file->path), target_words(file->targets)));
    if (!file->sliced.empty()) {
      finding.evidence.push_back(
          fmt::format("{} was sliced {}", x_.shown(file->path), file->sliced));
    }
  }
  x_.findings.push_back(std::move(finding));
}

/// Libraries of one package are builds for several toolkits at times (libx_cuda118.so,
/// libx_cuda128.so), or hold a placeholder (libcufftw.so): when one of them runs, the others only
/// get a note. NVIDIA's wheels are told together, since one framework brings them all.
void GpuCodeCheck::judge(std::size_t distribution,
                         const FileList& files,
                         std::size_t gpu,
                         FileList& of_nvidia) {
  FileList without;
  FileList by_jit;
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
  const auto subject = [&](const FileList& list) {
    return fmt::format(
        "{}: {}", x_.shown_distribution(distribution), file_name(list.front()->path));
  };
  if (!by_jit.empty()) {
    report("ptx-jit",
           has_native ? Severity::note : Severity::warning,
           subject(by_jit),
           by_jit,
           gpu,
           fmt::format("only its PTX serves {}: the driver compiles it at first use, which takes "
                       "minutes for large libraries",
                       gpu_text(gpu)));
  }
  if (without.empty()) {
    return;
  }
  if (without.size() < files.size()) {
    report("no-gpu-kernels",
           Severity::note,
           subject(without),
           without,
           gpu,
           fmt::format("some of its libraries have no GPU code that runs on {}", gpu_text(gpu)));
  } else if (x_.libraries->find_wheel(x_.stack.distributions[distribution].name) != nullptr) {
    of_nvidia.insert(of_nvidia.end(), without.begin(), without.end());
  } else {
    report("no-gpu-kernels",
           Severity::error,
           subject(without),
           without,
           gpu,
           fmt::format("none of its GPU code runs on {}", gpu_text(gpu)));
  }
}

void GpuCodeCheck::report_nvidia(const FileList& files, std::size_t gpu) {
  if (files.empty()) {
    return;
  }
  std::set<std::size_t> wheels;
  for (const FileCode* file : files) {
    wheels.insert(file->distribution);
  }
  std::string subject = x_.shown_distribution(*wheels.begin());
  if (wheels.size() > 1) {
    subject += fmt::format(" and {} more", wheels.size() - 1);
  }
  report("no-gpu-kernels",
         Severity::error,
         std::move(subject),
         files,
         gpu,
         fmt::format("no GPU code of these libraries runs on {}", gpu_text(gpu)));
  FindingFix& fix = x_.findings.back().fix;
  fix = {"install builds for an older toolkit, which still served this GPU", {}};
  for (const std::string& name : x_.catalog->framework_names()) {
    if (x_.stack.find(name) != nullptr) {
      fix.commands.push_back(fmt::format("fitment plan {}", name));
    }
  }
}

}  // namespace

void check_gpu_code(Examination& examination) {
  GpuCodeCheck(examination).check();
}

}  // namespace fitment
