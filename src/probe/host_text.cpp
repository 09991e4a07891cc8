// SPDX-License-Identifier: Apache-2.0
#include "probe/host_text.h"

#include "base/text.h"

namespace fitment {

namespace {
constexpr std::uint64_t kTextLimit = 1U << 20U;
}

std::optional<std::string> read_text(const HostView& host, const std::string& path) {
  auto text = host.read(path, kTextLimit);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::optional<std::string> read_line(const HostView& host, const std::string& path) {
  const auto text = read_text(host, path);
  if (!text) {
    return {};
  }
  const std::string_view line = trim(std::string_view(*text).substr(0, text->find('\n')));
  return line.empty() ? std::nullopt : std::optional(std::string(line));
}

std::optional<std::uint64_t> read_number(const HostView& host, const std::string& path) {
  const auto line = read_line(host, path);
  if (!line) {
    return {};
  }
  return line->starts_with("0x") ? parse_hex(*line) : parse_unsigned(*line);
}

std::vector<std::string> names_in(const HostView& host, const std::string& folder) {
  auto names = host.list(folder);
  return names ? std::move(*names) : std::vector<std::string>();
}

std::optional<std::string> variable(const HostView& host, const std::string& name) {
  const auto found = host.environment().find(name);
  if (found == host.environment().end() || found->second.empty()) {
    return {};
  }
  return found->second;
}

std::vector<std::string> library_folders(std::string_view arch) {
  std::vector<std::string> folders;
  if (!arch.empty()) {
    const std::string triplet = std::string(arch) + "-linux-gnu";
    folders = {"/usr/lib/" + triplet, "/lib/" + triplet};
  }
  for (const char* folder : {"/usr/lib64", "/lib64", "/usr/lib", "/lib"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

std::string base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos || slash == 0 ? "/" : std::string(path.substr(0, slash));
}

}  // namespace fitment
