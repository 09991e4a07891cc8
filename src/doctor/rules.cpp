// SPDX-License-Identifier: Apache-2.0
// Sources: ld.so(8) and glibc's elf/dl-load.c (search order), CPython's site module (sys.path),
// PEP 376 and 627 (RECORD), torch/__init__.py (preloading), NVIDIA's CUDA compatibility guide and
// cuDNN support matrix.
#include "doctor/rules.h"

namespace fitment {

namespace {

using Kind = RuleText::Kind;

constexpr RuleText kMissingLibrary{
    Kind::finding,
    "missing-library",
    "a needed library that no search path yields",
    "Every library names the libraries that it needs. The loader looks for each in the RPATH of "
    "the library and of those that loaded it, in LD_LIBRARY_PATH, in the library's RUNPATH, in "
    "ld.so.cache and in the default folders; RUNPATH reaches no further than the library itself, "
    "and a library that is loaded already serves every later need for its name.\n\n"
    "The evidence lists every place that was searched. It is an error when importing a package "
    "needs the library, and a warning when only a part that no import loads does.\n\n"
    "Way out: install the package that brings the library; the fix names it where it is known."};

constexpr RuleText kDlopenMissing{
    Kind::finding,
    "dlopen-missing",
    "a library that is opened by name at run time is not found",
    "Some libraries are not named as needed but opened by name when they are first used: the "
    "parts of cuDNN, the built-in functions of NVRTC (whose minor version must be exactly that "
    "of NVRTC), nvJitLink for cuFFT. Programs start and then fail in the middle of work.\n\n"
    "The names come from the catalogue for NVIDIA's libraries, and from the constant data of "
    "other libraries where it holds whole names of NVIDIA's libraries."};

constexpr RuleText kDriverLibrary{
    Kind::finding,
    "driver-library",
    "libraries that come with the host's driver",
    "libcuda.so.1, libnvidia-ml.so.1 and their like belong to the driver's kernel module. They "
    "are never part of an image or a wheel: the host has them, or a container toolkit mounts "
    "them. Their absence in a tree is normal."};

constexpr RuleText kForeignLibrary{
    Kind::finding,
    "foreign-library",
    "LD_LIBRARY_PATH puts another copy before the package's own",
    "LD_LIBRARY_PATH stands before RUNPATH, so a library in it is taken instead of the one that "
    "the wheel brought. RPATH stands before both, which is why torch's own libraries are not "
    "affected while NVIDIA's wheels, which carry RUNPATH, are.\n\n"
    "It works as long as the other copy defines every symbol that is imported (`symbol-missing` "
    "tells when it does not). Way out: unset LD_LIBRARY_PATH."};

constexpr RuleText kSymbolMissing{
    Kind::finding,
    "symbol-missing",
    "the copy that is loaded does not define an imported symbol",
    "The name of a library and its symbol versions may fit and a symbol may still be missing: "
    "libcusparse of CUDA 12.4 imports __nvJitLinkAddData_12_4, which an older libnvJitLink.so.12 "
    "does not define. Python opens libraries with RTLD_NOW, so the import fails with `undefined "
    "symbol`."};

constexpr RuleText kDuplicateLibrary{
    Kind::finding,
    "duplicate-library",
    "two copies of one library can be reached",
    "A note when the process loads one of them and other programs would take the other: "
    "gigabytes that are there twice. A warning when both come into one process, where each has "
    "its own state."};

constexpr RuleText kDuplicateOwner{
    Kind::finding,
    "duplicate-owner",
    "two packages installed other content under one path",
    "nvidia-cudnn-cu12 and nvidia-cudnn-cu13 both install nvidia/cudnn/lib/libcudnn.so.9. The "
    "last one wins, and uninstalling either removes the files of both. Files with equal content "
    "are left out.\n\n"
    "Way out: uninstall both, then install the one that is needed."};

constexpr RuleText kMixedCudaMajors{
    Kind::finding,
    "mixed-cuda-majors",
    "parts of one process were built for different CUDA majors",
    "An extension that was built for CUDA 12 needs libcudart.so.12 while torch for CUDA 13 "
    "brings libcudart.so.13. Even where both are found, streams and memory of one are nothing to "
    "the other.\n\n"
    "Way out: install builds of all of them for one CUDA major."};

constexpr RuleText kCudnnMismatch{
    Kind::finding,
    "cudnn-mismatch",
    "cuDNN is older than what a package was built with, or of two versions",
    "Frameworks check at run time that cuDNN is at least the version that they were compiled "
    "with, and refuse to start otherwise. The version that is wanted comes from the package's "
    "metadata, the one that is there from the file that the search order yields. All parts of "
    "cuDNN must be of one version."};

constexpr RuleText kNoGpuKernels{
    Kind::finding,
    "no-gpu-kernels",
    "no code of the package runs on a GPU of the machine",
    "The GPU code of each library is listed without loading it and compared with the machine's "
    "GPUs by the rule of `gpu-kernels`. PTX counts when the driver is new enough to compile it. "
    "At run time this is `no kernel image is available for execution on the device`."};

constexpr RuleText kDriverTooOld{
    Kind::finding,
    "driver-too-old",
    "the driver is below the floor of the CUDA major that the libraries need",
    "Which major is needed is read from what the libraries need (libcudart.so.13). The floors "
    "are those of `driver-floor`; a cuda-compat package on the machine lifts them."};

constexpr RuleText kCpuBuildOnGpuMachine{
    Kind::finding,
    "cpu-build-on-gpu-machine",
    "a CPU build is installed on a machine with a GPU",
    "Installers take it silently when an index serves it first. Everything works, slowly.\n\n"
    "Way out: `fitment plan` names the build for the GPU."};

constexpr RuleText kShadowedPackage{
    Kind::finding,
    "shadowed-package",
    "two versions of one package are on sys.path",
    "Python takes the first: PYTHONPATH, then the user's site (~/.local), then the environment. "
    "Packages of the environment then meet a version that they were not installed with."};

constexpr RuleText kBrokenRecord{
    Kind::finding,
    "broken-record",
    "files are gone or differ from what was installed",
    "Every wheel's RECORD lists its files with sizes and digests. A library that is missing or "
    "has another size (with `--verify`, another digest) is an error: an interrupted copy, a "
    "purge, or another package that removed it. Other files that differ only get a note."};

constexpr RuleText kBrokenRequirement{
    Kind::finding,
    "broken-requirement",
    "a package that another one requires is missing or of another version",
    "What `pip check` tells, with markers and with the extras that packages ask of each other. A "
    "wheel of NVIDIA's that is absent while its library is found elsewhere is only a warning: "
    "images that use the system's CUDA are made so on purpose."};

}  // namespace

std::vector<RuleText> doctor_rules() {
  return {kMissingLibrary,
          kDlopenMissing,
          kDriverLibrary,
          kForeignLibrary,
          kSymbolMissing,
          kDuplicateLibrary,
          kDuplicateOwner,
          kMixedCudaMajors,
          kCudnnMismatch,
          kNoGpuKernels,
          kDriverTooOld,
          kCpuBuildOnGpuMachine,
          kShadowedPackage,
          kBrokenRecord,
          kBrokenRequirement};
}

}  // namespace fitment
