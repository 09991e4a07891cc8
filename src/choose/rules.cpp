// SPDX-License-Identifier: Apache-2.0
// Sources: NVIDIA's CUDA compatibility guide and toolkit release notes (driver floors,
// minor-version rule, PTX), the cuDNN support matrix, the CUDA programming guide (targets), the
// x86-64 psABI (levels), PEP 425, 440, 513, 600 and 656 (tags, versions, manylinux, musllinux).
#include "choose/rules.h"

namespace fitment {

namespace {

using Kind = RuleText::Kind;

constexpr RuleText kDriverFloor{
    Kind::rule,
    "driver-floor",
    "the GPU driver is older than the build's toolkit allows",
    "A program built with a CUDA toolkit of major M runs on any driver at or above the floor of "
    "that major: 450.80.02 for CUDA 11, 525.60.13 for CUDA 12, 580 for CUDA 13. A driver of a "
    "newer major always runs it.\n\n"
    "The CUDA driver API version decides; the driver version stands in for it where it is "
    "missing. On WSL2 the driver version is that of Windows, and on Tegra it is numbered "
    "differently, so there only the API version counts. A ROCm or XPU wheel brings its own user "
    "space: an installed ROCm sets no floor.\n\n"
    "Way out: install a driver at or above the floor that the reason names, or take a build of "
    "an older toolkit."};

constexpr RuleText kGpuKernels{
    Kind::rule,
    "gpu-kernels",
    "the build has no code that a GPU of the machine can run",
    "A build carries GPU code for a list of targets. NVIDIA code for `sm_XY` runs on GPUs of the "
    "same major X whose minor is not lower than Y, so `sm_80` runs on `sm_86` and `sm_89`, and "
    "never on another major. Desktop and embedded parts (5.3, 6.2, 7.2, 8.7, 8.8, 10.1, 11.0) do "
    "not run each other's code. Code for `sm_90a` runs on exactly that architecture, code for "
    "`sm_100f` within its family (10.x or 12.x).\n\n"
    "PTX (`compute_XY`) is compiled by the driver at first load and runs on any GPU at or above "
    "XY, `compute_XYa` only on that architecture; the driver must be at least as new as the "
    "toolkit that wrote it. On AMD the exact gfx target must be in the list.\n\n"
    "Every discrete GPU of the chosen vendor must be served; a build that leaves one out does "
    "not fit. This is the cause of `no kernel image is available for execution on the device`.\n\n"
    "Way out: another version or backend whose list has the target (the answer names the "
    "nearest), or restrict the GPUs with `--gpu`."};

constexpr RuleText kGpuVendor{
    Kind::rule,
    "gpu-vendor",
    "the build is for GPUs of another vendor",
    "A CUDA build needs an NVIDIA GPU, a ROCm build an AMD GPU, an XPU build an Intel GPU. With "
    "several vendors in one machine the order is NVIDIA, AMD, Intel, and `--backend` names the "
    "vendor instead. A backend that is asked for by name is obeyed on a machine without any GPU, "
    "as a wish for another machine, and refused on one whose GPUs are of another vendor."};

constexpr RuleText kCudnnFloor{
    Kind::rule,
    "cudnn-floor",
    "the cuDNN that the build pins does not support the GPU or the driver",
    "Builds of CUDA frameworks pin a cuDNN version. cuDNN 9.11.0 and later need compute "
    "capability 7.5; 9.10.2 is the last for Maxwell, Pascal and Volta, and no cuDNN 9 runs on "
    "Kepler. cuDNN 9 needs driver 525.60.13 with CUDA 12 and 580.65.06 with CUDA 13; on "
    "Blackwell it needs CUDA 12.8 and driver 570.26.\n\n"
    "Kernels of the framework itself may well run on the GPU while its convolutions fail, so "
    "this is judged beside `gpu-kernels`.\n\n"
    "Way out: a build with an older cuDNN, or a newer driver."};

constexpr RuleText kPythonTag{
    Kind::rule,
    "python-tag",
    "no file of the build is for this Python",
    "A wheel's file name says which interpreter and ABI it is for (PEP 425): `cp312-cp312` is "
    "CPython 3.12, `cp38-abi3` is CPython 3.8 and later, `cp313-cp313t` the free-threaded build. "
    "Where a build has no wheel for the Python in question, pip falls back to an older version "
    "or to a source archive.\n\n"
    "Way out: a Python version that the build has wheels for, or another version of the package."};

constexpr RuleText kPlatformTag{
    Kind::rule,
    "platform-tag",
    "no file of the build is for this operating system, architecture or C library",
    "The platform tag of a wheel names the system and the CPU architecture: "
    "`manylinux_2_28_x86_64`, `linux_aarch64`, `musllinux_1_2_x86_64`. glibc wheels do not run "
    "on musl (Alpine) and the other way round, whatever the versions.\n\n"
    "Way out: a base image with the C library that the wheels are for, or a version that has "
    "wheels for the architecture."};

constexpr RuleText kGlibcFloor{
    Kind::rule,
    "glibc-floor",
    "the machine's glibc is older than the build needs",
    "`manylinux_2_28` means: needs glibc 2.28 or later (PEP 600). `manylinux2014` is 2.17, "
    "`manylinux2010` 2.12, `manylinux1` 2.5. The glibc that counts is the one that the target's "
    "Python runs with, which in a container is the image's.\n\n"
    "Way out: a newer distribution or base image, or a version whose wheels have a lower floor."};

constexpr RuleText kCpuLevel{
    Kind::rule,
    "cpu-level",
    "the CPU lacks instructions that the build needs",
    "The x86-64 psABI defines levels: v2 up to SSE4.2, v3 up to AVX2, v4 with AVX-512. A build "
    "made for a level stops with an illegal instruction on a lower one. A level counts only when "
    "the operating system or the hypervisor has enabled its registers, so a virtual machine may "
    "offer less than its CPU. On arm64 the levels are `armv8-a` and up.\n\n"
    "Way out: a build for a lower level, or a virtual machine type that passes the CPU's "
    "features through."};

constexpr RuleText kNoBuild{
    Kind::rule,
    "no-build",
    "this version was not published for this backend",
    "Publishers choose which toolkits each version is built for, and older versions are never "
    "built for newer toolkits. The catalogue lists what exists; `fitment catalog show NAME "
    "VERSION` prints it.\n\n"
    "Way out: the nearest version that the answer names, or another backend."};

constexpr RuleText kPairMismatch{
    Kind::rule,
    "pair-mismatch",
    "packages that must agree have no common build",
    "torch, torchvision, torchaudio, xformers and the like are compiled against each other: "
    "version and backend must be a published pair, or imports fail with undefined symbols. They "
    "are chosen together, all or nothing: when no version suits all, none is chosen.\n\n"
    "Way out: drop the pin of one of them, or take the versions that the answer offers."};

constexpr RuleText kPolicyCpu{
    Kind::rule,
    "policy-cpu",
    "a CPU build is not chosen for a machine with a usable GPU",
    "A CPU build would run, and would leave the GPU idle without a word. So GPU builds of any "
    "version that satisfies the request come first, and a CPU build is chosen only where there "
    "is no usable GPU or where it is asked for.\n\n"
    "Way out: `--backend cpu` asks for it, `--allow-cpu` accepts it when no GPU build fits."};

constexpr RuleText kSpecifier{
    Kind::rule,
    "specifier",
    "the request asks for another version or build",
    "Versions are compared by PEP 440. A local label in the request (`==2.8.0+cu126`) pins the "
    "build as well: others are rejected by this rule. Without a label in the request labels are "
    "not compared. Pre-releases count only when the request names one.\n\n"
    "An extra that stands for a build (`jax[cuda12]`), a package name that carries some builds "
    "only (`cupy-cuda12x`) and `--backend` pin the build in the same way."};

constexpr RuleText kPtxJit{
    Kind::warning,
    "ptx-jit",
    "a GPU has no native code in this build: the driver compiles it at first load",
    "The build has PTX that the GPU can run, and no native code for it. It works: the driver "
    "compiles the PTX when a module is loaded, which takes from seconds to many minutes, and "
    "keeps the result in `~/.nv/ComputeCache` (1 GiB by default, `CUDA_CACHE_MAXSIZE` raises "
    "it). In a container without a kept cache it happens at each start.\n\n"
    "A build with native code for the GPU is preferred where one exists."};

constexpr RuleText kMinorVersion{
    Kind::warning,
    "minor-version",
    "the build's toolkit is newer than the driver's CUDA API version",
    "Within one major, programs run on drivers older than their toolkit, down to the floor of "
    "the major, with limited features: functions that the driver lacks return an error, and PTX "
    "written by the newer toolkit cannot be compiled, so only native code counts.\n\n"
    "To remove the warning, update the driver to the toolkit's own, or pin an older backend."};

constexpr RuleText kKernelsStated{
    Kind::warning,
    "kernels-stated",
    "which GPUs the build serves is stated by its publisher, not read from its files",
    "For this build no list of GPU targets is known. The lowest compute capability that the "
    "publisher states, together with the targets that its toolkit can compile for, stands in for "
    "it. For an XPU build that means every discrete Intel GPU with a known Level Zero driver."};

constexpr RuleText kUnsureTegra{
    Kind::warning,
    "unsure-tegra",
    "an embedded GPU has only code for its desktop neighbour",
    "Embedded parts (Xavier 7.2, Orin 8.7, Thor 11.0) have their own targets, and code for "
    "desktop GPUs of the same major is not accepted for them by NVIDIA's linker. Whether a "
    "particular driver runs it all the same is not documented, so the verdict is `unsure` and "
    "the build is not chosen.\n\n"
    "Way out: builds made for Jetson, or `--allow-unsure`."};

constexpr RuleText kNoGpu{
    Kind::warning,
    "no-gpu",
    "a GPU build was asked for and the machine has no GPU",
    "The build was named in the request, so it is obeyed: images are often built on machines "
    "without GPUs. Neither driver nor GPU code could be judged.\n\n"
    "To have them judged, pass the machine that it will run on: `--machine FILE`, written there "
    "by `fitment probe --json`."};

constexpr RuleText kForwardCompat{
    Kind::warning,
    "forward-compat",
    "the build runs only with the CUDA forward-compatibility package",
    "The machine carries a `cuda-compat` package: a newer user-space driver over an older kernel "
    "module. It works on data-centre GPUs (and some workstation models), and fails with error "
    "804 on GeForce. It must come first on the library path, as NVIDIA's container runtime "
    "arranges.\n\n"
    "To remove the warning, update the driver."};

constexpr RuleText kCpuBuild{
    Kind::warning,
    "cpu-build",
    "the chosen build does not use a GPU",
    "There is no usable GPU, or a CPU build was asked for. An integrated GPU counts only when "
    "the machine has no discrete one and some build of the package serves it."};

}  // namespace

const std::vector<RuleText>& choose_rules() {
  static const std::vector<RuleText> kRules{kDriverFloor,
                                            kGpuKernels,
                                            kGpuVendor,
                                            kCudnnFloor,
                                            kPythonTag,
                                            kPlatformTag,
                                            kGlibcFloor,
                                            kCpuLevel,
                                            kNoBuild,
                                            kPairMismatch,
                                            kPolicyCpu,
                                            kSpecifier,
                                            kPtxJit,
                                            kMinorVersion,
                                            kKernelsStated,
                                            kUnsureTegra,
                                            kNoGpu,
                                            kForwardCompat,
                                            kCpuBuild};
  return kRules;
}

}  // namespace fitment
