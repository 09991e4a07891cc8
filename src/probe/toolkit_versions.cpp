// SPDX-License-Identifier: Apache-2.0
#include "probe/toolkit_versions.h"

#include "base/text.h"
#include "probe/host_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace fitment {

namespace {

constexpr std::uint64_t kHeaderPart = 256U << 10U;  // versions stand before the declarations

DottedVersion major_minor(const DottedVersion& version) {
  return {version.major(), version.minor()};
}

/// `CUDA_VERSION 12040` of a header.
std::optional<std::uint64_t> defined_number(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(name); at != std::string_view::npos;
       at = header.find(name, at + 1)) {
    const std::string_view line_before = header.substr(0, at);
    const std::size_t start = line_before.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = header.substr(start, header.find('\n', start) - start);
    const auto words = split_words(line);
    if (words.size() >= 3 && words[0] == "#define" && words[1] == name) {
      return parse_unsigned(words[2]);
    }
  }
  return {};
}

std::optional<DottedVersion> version_of_cuda_header(const HostView& host, const std::string& path) {
  const auto header = host.read_part(path, 0, kHeaderPart);
  const auto number = header ? defined_number(*header, "CUDA_VERSION") : std::nullopt;
  constexpr std::uint64_t kMajor = 1000;
  constexpr std::uint64_t kMinor = 10;
  constexpr std::uint64_t kLowest = 5000;
  constexpr std::uint64_t kHighest = 99990;
  if (!number || *number < kLowest || *number > kHighest) {
    return {};
  }
  return DottedVersion{static_cast<std::uint32_t>(*number / kMajor),
                       static_cast<std::uint32_t>(*number % kMajor / kMinor)};
}

/// The version in the name of a library file: `libcudart.so.12.4.127`.
std::optional<DottedVersion> version_in_name(std::string_view name, std::string_view start) {
  if (!name.starts_with(start)) {
    return {};
  }
  auto version = DottedVersion::parse(name.substr(start.size()));
  return version && version->size() >= 2 ? std::optional(std::move(*version)) : std::nullopt;
}

/// The first library of a folder that has its version in its name.
std::optional<FileVersion> version_in_names(const HostView& host,
                                            const std::string& folder,
                                            std::string_view start) {
  for (const std::string& name : names_in(host, folder)) {
    if (auto version = version_in_name(name, start)) {
      return FileVersion{std::move(*version), fmt::format("{}/{}", folder, name)};
    }
  }
  return {};
}

/// conda-meta/cuda-version-12.4-h3060b56_3.json
std::optional<FileVersion> version_of_conda(const HostView& host, const std::string& root) {
  constexpr std::string_view kStart = "cuda-version-";
  for (const std::string& name : names_in(host, root + "/conda-meta")) {
    if (!name.starts_with(kStart)) {
      continue;
    }
    auto version = DottedVersion::parse_prefix(std::string_view(name).substr(kStart.size()));
    // The package says which version is wanted; a compiler or headers make it a toolkit.
    if (version && version->size() >= 2
        && (host.exists(root + "/bin/nvcc") || host.exists(root + "/targets"))) {
      return FileVersion{std::move(*version), fmt::format("{}/conda-meta/{}", root, name)};
    }
  }
  return {};
}

std::optional<FileVersion> version_of_folder(const HostView& host, const std::string& root) {
  constexpr std::string_view kStart = "cuda-";
  const std::string name = base_name(host.real_path(root).value_or(root));
  if (!name.starts_with(kStart)) {
    return {};
  }
  auto version = DottedVersion::parse(std::string_view(name).substr(kStart.size()));
  const bool has_libraries =
      host.exists(root + "/lib64") || host.exists(root + "/targets") || host.exists(root + "/lib");
  return version && version->size() >= 2 && has_libraries
             ? std::optional(FileVersion{std::move(*version), root})
             : std::nullopt;
}

std::optional<DottedVersion> cudnn_version_of(std::string_view header) {
  const auto major = defined_number(header, "CUDNN_MAJOR");
  const auto minor = defined_number(header, "CUDNN_MINOR");
  const auto patch = defined_number(header, "CUDNN_PATCHLEVEL");
  constexpr std::uint64_t kHighest = 999;
  if (!major || !minor || !patch || *major > kHighest || *minor > kHighest || *patch > kHighest) {
    return {};
  }
  return DottedVersion{static_cast<std::uint32_t>(*major),
                       static_cast<std::uint32_t>(*minor),
                       static_cast<std::uint32_t>(*patch)};
}

}  // namespace

std::optional<DottedVersion> parse_cuda_version_json(std::string_view json) {
  const auto document = nlohmann::json::parse(json, nullptr, false);
  if (!document.is_object()) {
    return {};
  }
  for (const char* component : {"cuda", "cuda_cudart", "cuda_nvcc"}) {
    const auto found = document.find(component);
    if (found == document.end() || !found->is_object()) {
      continue;
    }
    const auto text = found->find("version");
    if (text == found->end() || !text->is_string()) {
      continue;
    }
    const auto version = DottedVersion::parse(text->get_ref<const std::string&>());
    if (!version || version->size() < 2) {
      continue;
    }
    constexpr std::uint32_t kHighestPatch = 99;
    const bool is_toolkit = std::string_view(component) == "cuda";
    return is_toolkit && version->part(2) <= kHighestPatch ? *version : major_minor(*version);
  }
  return {};
}

std::optional<FileVersion> read_cuda_version(const HostView& host, const std::string& root) {
  if (const auto text = read_text(host, root + "/version.json")) {
    if (auto version = parse_cuda_version_json(*text)) {
      return FileVersion{std::move(*version), root + "/version.json"};
    }
  }
  constexpr std::string_view kText = "CUDA Version ";
  if (const auto line = read_line(host, root + "/version.txt"); line && line->starts_with(kText)) {
    if (auto version = DottedVersion::parse_prefix(std::string_view(*line).substr(kText.size()))) {
      return FileVersion{std::move(*version), root + "/version.txt"};
    }
  }
  const std::string header = root + "/include/cuda.h";
  if (auto version = version_of_cuda_header(host, header)) {
    return FileVersion{std::move(*version), header};
  }
  for (const char* folder : {"/lib64", "/lib"}) {
    if (auto found = version_in_names(host, root + folder, "libcudart.so.")) {
      found->version = major_minor(found->version);
      return found;
    }
  }
  if (auto found = version_of_conda(host, root)) {
    return found;
  }
  return version_of_folder(host, root);
}

std::optional<FileVersion> read_rocm_version(const HostView& host, const std::string& root) {
  for (const char* name : {"/.info/version", "/.info/version-dev"}) {
    if (const auto line = read_line(host, root + name)) {
      if (auto version = DottedVersion::parse_prefix(*line); version && version->size() >= 2) {
        return FileVersion{std::move(*version), root + name};
      }
    }
  }
  const std::string path = root + "/share/hip/version";
  std::array<std::uint32_t, 3> parts{};
  std::size_t known = 0;
  const std::string text = read_text(host, path).value_or("");
  for (const std::string_view line : split_lines(text)) {
    constexpr std::array<std::string_view, 3> kKeys{
        "HIP_VERSION_MAJOR=", "HIP_VERSION_MINOR=", "HIP_VERSION_PATCH="};
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      const auto value = line.starts_with(kKeys.at(i))
                             ? parse_unsigned(trim(line.substr(kKeys.at(i).size())))
                             : std::nullopt;
      if (value && *value < (1U << 30U)) {
        parts.at(i) = static_cast<std::uint32_t>(*value);
        ++known;
      }
    }
  }
  // HIP's patch number counts builds.
  return known < 2 ? std::nullopt : std::optional(FileVersion{{parts[0], parts[1]}, path});
}

std::optional<FileVersion> read_cudnn_version(const HostView& host, const std::string& root) {
  for (const std::string& folder : {root + "/include",
                                    root + "/include/x86_64-linux-gnu",
                                    root + "/include/aarch64-linux-gnu"}) {
    for (const char* name : {"/cudnn_version.h", "/cudnn.h"}) {
      const auto header = host.read_part(folder + name, 0, kHeaderPart);
      if (auto version = header ? cudnn_version_of(*header) : std::nullopt) {
        return FileVersion{std::move(*version), folder + name};
      }
    }
  }
  // The soname leads to a file with the whole version; listing /usr/lib would take longer.
  for (const std::string& folder :
       {root + "/lib64", root + "/lib/x86_64-linux-gnu", root + "/lib/aarch64-linux-gnu"}) {
    for (const char* soname : {"/libcudnn.so.9", "/libcudnn.so.8", "/libcudnn.so.7"}) {
      const std::string path = folder + soname;
      const auto real = host.exists(path) ? host.real_path(path) : std::nullopt;
      auto version = real ? version_in_name(base_name(*real), "libcudnn.so.") : std::nullopt;
      if (version) {
        return FileVersion{std::move(*version), path};
      }
    }
  }
  return {};
}

}  // namespace fitment
