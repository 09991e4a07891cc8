// SPDX-License-Identifier: Apache-2.0
#include "stack/python_environment.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

namespace fitment {

namespace {

constexpr std::uint64_t kSmallFile = 1U << 20U;
constexpr std::size_t kSearchDepth = 5;  // folders below a root in which environments are sought
constexpr std::size_t kSearchLimit = 50'000;  // folders looked into

std::optional<std::string> variable(const Environment& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() || found->second.empty() ? std::nullopt
                                                           : std::optional(found->second);
}

/// `3.12` of `python3.12`; none for other names.
std::optional<std::string> version_of_folder(std::string_view name) {
  constexpr std::string_view kPython = "python";
  if (!name.starts_with(kPython)) {
    return std::nullopt;
  }
  const std::string_view version = name.substr(kPython.size());
  const std::size_t dot = version.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == version.size()) {
    return std::nullopt;
  }
  const bool is_number = std::all_of(version.begin(), version.end(), [&](const char& c) {
    return is_digit(c) || &c == version.data() + dot || (c == 't' && &c == &version.back());
  });
  return is_number ? std::optional(std::string(version)) : std::nullopt;
}

class EnvironmentReader {
 public:
  EnvironmentReader(const FileView& view, const Environment& variables)
      : view_(view), variables_(variables) {}

  PythonEnvironment virtual_environment(const std::string& prefix);
  PythonEnvironment conda(const std::string& prefix);
  PythonEnvironment system(const std::string& prefix);
  PythonEnvironment bare(const std::string& folder);

  /// Versions of the Pythons whose library folder is in `prefix`/lib, sorted.
  [[nodiscard]] std::vector<std::string> versions_in(const std::string& prefix) const;
  [[nodiscard]] bool has_packages(const std::string& site) const;

 private:
  void add_site(const std::string& folder);
  void add_python_path();
  void add_user_site();
  void add_prefix_sites(const std::string& prefix);
  void add_system_sites(const std::string& prefix);
  void add_pth_folders();
  void find_interpreter(const std::string& prefix);
  void read_configuration(const std::string& prefix, bool& with_system, std::string& home);
  PythonEnvironment finish();

  const FileView& view_;
  const Environment& variables_;
  PythonEnvironment environment_;
};

std::vector<std::string> EnvironmentReader::versions_in(const std::string& prefix) const {
  std::set<std::string> versions;
  for (const char* library : {"lib", "lib64"}) {
    const auto names = view_.list(join_path(prefix, library));
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
      if (auto version = version_of_folder(name)) {
        versions.insert(std::move(*version));
      }
    }
  }
  return {versions.begin(), versions.end()};
}

bool EnvironmentReader::has_packages(const std::string& site) const {
  const auto names = view_.list(site);
  return names && std::any_of(names->begin(), names->end(), [](const std::string& name) {
           return name.ends_with(".dist-info") || name.ends_with(".egg-info");
         });
}

void EnvironmentReader::add_site(const std::string& folder) {
  const auto real = view_.resolve(folder);
  if (!real || view_.entry_kind(*real) != FileKind::folder) {
    return;
  }
  std::vector<std::string>& sites = environment_.sites;
  if (std::find(sites.begin(), sites.end(), *real) == sites.end()) {
    sites.push_back(*real);
  }
}

void EnvironmentReader::add_python_path() {
  if (const auto path = variable(variables_, "PYTHONPATH")) {
    for (const std::string_view folder : split(*path, ':')) {
      if (folder.starts_with('/')) {
        add_site(std::string(folder));
      }
    }
  }
}

void EnvironmentReader::add_user_site() {
  const auto home = variable(variables_, "HOME");
  if (home && home->starts_with('/') && environment_.python_version
      && !variable(variables_, "PYTHONNOUSERSITE")) {
    add_site(
        fmt::format("{}/.local/lib/python{}/site-packages", *home, *environment_.python_version));
  }
}

void EnvironmentReader::add_prefix_sites(const std::string& prefix) {
  if (environment_.python_version) {
    for (const char* library : {"lib", "lib64"}) {
      add_site(fmt::format(
          "{}/{}/python{}/site-packages", prefix, library, *environment_.python_version));
    }
  }
}

void EnvironmentReader::add_system_sites(const std::string& prefix) {
  if (!environment_.python_version) {
    return;
  }
  const std::string& version = *environment_.python_version;
  if (prefix == "/usr") {
    add_site(fmt::format("/usr/local/lib/python{}/dist-packages", version));
    add_site(fmt::format("/usr/local/lib/python{}/site-packages", version));
    add_site("/usr/lib/python3/dist-packages");
  }
  add_site(fmt::format("{}/lib/python{}/dist-packages", prefix, version));
  add_prefix_sites(prefix);
}

void EnvironmentReader::add_pth_folders() {
  const std::vector<std::string> sites = environment_.sites;
  for (const std::string& site : sites) {
    const auto names = view_.list(site);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
      if (!name.ends_with(".pth")) {
        continue;
      }
      const auto text = view_.read(join_path(site, name), kSmallFile);
      for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
        const std::string_view folder = trim(line);
        if (folder.empty() || folder.starts_with('#') || folder.starts_with("import ")
            || folder.starts_with("import\t")) {
          continue;
        }
        add_site(folder.starts_with('/') ? std::string(folder) : join_path(site, folder));
      }
    }
  }
}

void EnvironmentReader::find_interpreter(const std::string& prefix) {
  std::vector<std::string> names{"python3", "python"};
  if (environment_.python_version) {
    names.insert(names.begin(), "python" + *environment_.python_version);
  }
  for (const std::string& name : names) {
    const auto real = view_.resolve(fmt::format("{}/bin/{}", prefix, name));
    if (real && view_.entry_kind(*real) == FileKind::regular) {
      environment_.interpreter = *real;
      return;
    }
  }
}

PythonEnvironment EnvironmentReader::finish() {
  add_pth_folders();
  return std::move(environment_);
}

/// pyvenv.cfg: `home = /usr/bin`, `include-system-site-packages = false`, `version = 3.12.3`.
void EnvironmentReader::read_configuration(const std::string& prefix,
                                           bool& with_system,
                                           std::string& home) {
  const auto text = view_.read(join_path(prefix, "pyvenv.cfg"), kSmallFile);
  for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string key = to_lower(trim(line.substr(0, equals)));
    const std::string_view value = trim(line.substr(equals + 1));
    if (key == "home") {
      home = value;
    } else if (key == "include-system-site-packages") {
      with_system = to_lower(value) == "true";
    } else if (key == "version" || key == "version_info") {
      const auto parts = split(value, '.');
      if (parts.size() >= 2) {
        environment_.python_version = fmt::format("{}.{}", parts[0], parts[1]);
      }
    }
  }
  const std::vector<std::string> versions = versions_in(prefix);
  const auto& said = environment_.python_version;
  if (!versions.empty()
      && (!said || std::find(versions.begin(), versions.end(), *said) == versions.end())) {
    // A free-threaded build says 3.13 and has python3.13t; a moved environment may say anything.
    environment_.python_version = versions.back();
  }
}

PythonEnvironment EnvironmentReader::virtual_environment(const std::string& prefix) {
  environment_ = {.kind = PythonEnvironmentKind::virtual_environment, .prefix = prefix};
  bool with_system = false;
  std::string home;
  read_configuration(prefix, with_system, home);
  add_python_path();
  if (with_system) {
    add_user_site();
  }
  add_prefix_sites(prefix);
  if (with_system && home.starts_with('/')) {
    add_system_sites(std::string(parent_folder(home)));
  }
  find_interpreter(prefix);
  return finish();
}

PythonEnvironment EnvironmentReader::conda(const std::string& prefix) {
  environment_ = {.kind = PythonEnvironmentKind::conda, .prefix = prefix};
  const std::vector<std::string> versions = versions_in(prefix);
  if (!versions.empty()) {
    environment_.python_version = versions.back();
  }
  add_python_path();
  add_user_site();
  add_prefix_sites(prefix);
  find_interpreter(prefix);
  return finish();
}

PythonEnvironment EnvironmentReader::system(const std::string& prefix) {
  environment_ = {.kind = PythonEnvironmentKind::system, .prefix = prefix};
  const std::vector<std::string> versions = versions_in(prefix);
  if (!versions.empty()) {
    environment_.python_version = versions.back();
  }
  add_python_path();
  add_user_site();
  add_system_sites(prefix);
  find_interpreter(prefix);
  return finish();
}

PythonEnvironment EnvironmentReader::bare(const std::string& folder) {
  environment_ = {.kind = PythonEnvironmentKind::site_packages, .prefix = folder};
  environment_.python_version = version_of_folder(file_name(std::string(parent_folder(folder))));
  add_site(folder);
  return finish();
}

/// Folders that hold no environments and many files.
bool is_passed_over(std::string_view path) {
  constexpr std::array<std::string_view, 14> kNot{"/proc",
                                                  "/sys",
                                                  "/dev",
                                                  "/run",
                                                  "/boot",
                                                  "/usr/share",
                                                  "/usr/lib",
                                                  "/usr/lib64",
                                                  "/usr/include",
                                                  "/usr/src",
                                                  "/usr/bin",
                                                  "/var/lib/dpkg",
                                                  "/var/cache",
                                                  "/var/log"};
  const std::string_view name = file_name(path);
  return std::find(kNot.begin(), kNot.end(), path) != kNot.end() || name == "site-packages"
         || name == "node_modules" || name == ".git" || name == "__pycache__" || name == "pkgs";
}

}  // namespace

std::string_view to_string(PythonEnvironmentKind kind) {
  switch (kind) {
    case PythonEnvironmentKind::virtual_environment:
      return "virtual environment";
    case PythonEnvironmentKind::conda:
      return "conda environment";
    case PythonEnvironmentKind::system:
      return "Python prefix";
    case PythonEnvironmentKind::site_packages:
      return "folder of packages";
    case PythonEnvironmentKind::wheels:
      return "wheels";
  }
  return "unknown";
}

Result<PythonEnvironment> read_python_environment(const FileView& view,
                                                  std::string_view folder,
                                                  const Environment& variables) {
  FITMENT_TRY_ASSIGN(const std::string prefix, view.resolve(folder));
  if (view.entry_kind(prefix) != FileKind::folder) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a folder", folder))
        .hint("give an environment folder, a site-packages folder or the root of an image");
  }
  EnvironmentReader reader(view, variables);
  if (view.exists(join_path(prefix, "pyvenv.cfg"))) {
    return reader.virtual_environment(prefix);
  }
  if (view.exists(join_path(prefix, "conda-meta"))) {
    return reader.conda(prefix);
  }
  if (!reader.versions_in(prefix).empty()) {
    return reader.system(prefix);
  }
  if (reader.has_packages(prefix)) {
    return reader.bare(prefix);
  }
  return fail(ErrorCode::not_found, fmt::format("`{}` holds no Python environment", folder))
      .hint("looked for pyvenv.cfg, conda-meta, lib/pythonX.Y and *.dist-info folders")
      .hint("give an environment folder, a site-packages folder or the root of an image");
}

std::vector<PythonEnvironment> find_python_environments(const FileView& view,
                                                        const Environment& variables) {
  std::vector<PythonEnvironment> found;
  EnvironmentReader reader(view, variables);
  std::deque<std::pair<std::string, std::size_t>> pending{{"/", 0}};
  for (std::size_t seen = 0; !pending.empty() && seen < kSearchLimit; ++seen) {
    const auto [folder, depth] = std::move(pending.front());
    pending.pop_front();
    const auto names = view.list(folder);
    if (!names) {
      continue;
    }
    const auto has = [&](const char* name) {
      return std::binary_search(names->begin(), names->end(), std::string(name));
    };
    if (has("pyvenv.cfg")) {
      found.push_back(reader.virtual_environment(folder));
      continue;
    }
    if (has("conda-meta")) {
      found.push_back(reader.conda(folder));
    } else if (has("lib") && folder != "/usr" && folder != "/usr/local" && folder != "/"
               && file_name(folder) != ".local" && !reader.versions_in(folder).empty()) {
      found.push_back(reader.system(folder));
    }
    for (const std::string& name : *names) {
      const std::string path = join_path(folder, name);
      if (depth < kSearchDepth && !is_passed_over(path)
          && view.entry_kind(path) == FileKind::folder) {
        pending.emplace_back(path, depth + 1);
      }
    }
  }
  for (const char* prefix : {"/usr/local", "/usr"}) {
    if (!reader.versions_in(prefix).empty() || view.exists("/usr/lib/python3/dist-packages")) {
      found.push_back(reader.system(prefix));
    }
  }
  std::set<std::vector<std::string>> seen_sites;
  std::erase_if(found, [&](const PythonEnvironment& environment) {
    const bool has_some = std::any_of(
        environment.sites.begin(), environment.sites.end(), [&](const std::string& site) {
          return reader.has_packages(site);
        });
    return !has_some || !seen_sites.insert(environment.sites).second;
  });
  return found;
}

bool looks_like_root(const FileView& view, std::string_view folder) {
  const auto has = [&](std::string_view path) { return view.exists(join_path(folder, path)); };
  // /usr of a system whose /lib64 is a link has a loader too, but nothing of a root around it.
  const bool has_loader = has("lib64/ld-linux-x86-64.so.2") || has("lib/ld-linux-aarch64.so.1");
  return has("etc/os-release") || has("usr/lib/os-release") || (has("etc") && has("usr"))
         || (has_loader && (has("usr") || has("opt")));
}

}  // namespace fitment
