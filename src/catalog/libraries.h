// SPDX-License-Identifier: Apache-2.0
// NVIDIA's run-time libraries: which wheel and system package brings each, and what each opens by
// name at run time. From catalog/libraries.toml.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// One library for one CUDA major.
struct NvidiaLibrary {
  std::string name;     ///< `cublas`
  std::string product;  ///< `CUDA`, `cuDNN`, `NCCL`, ...
  std::uint32_t cuda_major = 0;
  std::string soname;                 ///< may end in `{minor}`, the minor of the toolkit
  std::vector<std::string> parts;     ///< further sonames of the same version, installed with it
  std::string wheel;                  ///< `nvidia-cublas-cu12`
  std::vector<std::string> folders;   ///< under site-packages: `nvidia/cublas/lib`
  std::string apt;                    ///< package of NVIDIA's apt repository; may hold `{minor}`
  std::string conda;                  ///< package of conda-forge
  std::vector<std::string> opens;     ///< by name at run time; must be found then
  std::vector<std::string> may_open;  ///< by name at run time; not missed where absent
  std::string note;
  std::string source;

  /// Whether the soname is the library's own or that of a part; `{minor}` stands for any number.
  [[nodiscard]] bool has_soname(std::string_view wanted) const;
};

/// A library that torch loads ahead of its own: `nvidia/<folder>/lib/<stem>*`.
struct PreloadRow {
  std::string folder;  ///< `cublas`
  std::string stem;    ///< `libcublasLt.so.`
};

class LibraryTable {
 public:
  std::vector<NvidiaLibrary> libraries;
  std::vector<PreloadRow> torch_preload;  ///< in order

  /// Rows of a soname, one a CUDA major; empty: not a library of NVIDIA's.
  [[nodiscard]] std::vector<const NvidiaLibrary*> find_soname(std::string_view soname) const;
  /// The CUDA major that this soname can only belong to; 0 where it is none or several.
  [[nodiscard]] std::uint32_t cuda_major_of(std::string_view soname) const;
  /// The row whose wheel this is; nullptr: none. `wheel` is a normalised name.
  [[nodiscard]] const NvidiaLibrary* find_wheel(std::string_view wheel) const;
};

/// `libnvrtc-builtins.so.12.8` for `libnvrtc-builtins.so.12.{minor}`.
std::string with_minor(std::string_view pattern, std::string_view minor);

}  // namespace fitment
