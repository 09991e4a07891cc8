// SPDX-License-Identifier: Apache-2.0
// Which Python, without running it: an environment's pyvenv.cfg, conda's package records, the
// names of binaries and folders, and at last the version text inside the binary.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::uint64_t kBinaryLimit = 64U << 20U;

struct FoundPython {
  std::string implementation;
  std::string version;  ///< `3.12`, `3.12.3`, `3.13.1t`
  std::string evidence;
};

/// `3.12.3`, `3.13t`: numbers with an optional t for a free-threaded build; nothing else.
bool is_python_version(std::string_view text) {
  if (text.ends_with('t')) {
    text.remove_suffix(1);
  }
  const auto version = DottedVersion::parse(text);
  return version && version->size() >= 2 && version->size() <= 3
         && (version->major() == 2 || version->major() == 3);
}

/// `3.12` and `t` of `3.12t`.
std::pair<std::string, std::string> split_threading(const std::string& version) {
  return version.ends_with('t') ? std::pair(version.substr(0, version.size() - 1), std::string("t"))
                                : std::pair(version, std::string());
}

/// What a name says: `python3.12`, `python3.13t`, `pypy3.10`, `cpython-3.12.3-linux-x86_64-gnu`.
std::optional<FoundPython> from_name(std::string_view name) {
  struct Family {
    std::string_view prefix;
    const char* implementation;
  };
  constexpr std::array<Family, 5> kFamilies{{{"cpython-", "cpython"},
                                             {"python-", "cpython"},
                                             {"python", "cpython"},
                                             {"pypy-", "pypy"},
                                             {"pypy", "pypy"}}};
  for (const Family& family : kFamilies) {
    if (!name.starts_with(family.prefix)) {
      continue;
    }
    std::string_view rest = name.substr(family.prefix.size());
    rest = rest.substr(0, rest.find_first_of("-+_"));
    if (is_python_version(rest)) {
      return FoundPython{family.implementation, std::string(rest), {}};
    }
  }
  return {};
}

/// pyvenv.cfg of an environment: `version = 3.12.3` (venv), `version_info = 3.12.3` (virtualenv,
/// uv).
std::optional<FoundPython> from_pyvenv(const HostView& host, const std::string& prefix) {
  const std::string path = prefix + "/pyvenv.cfg";
  const auto text = read_text(host, path);
  if (!text) {
    return {};
  }
  FoundPython found{"cpython", {}, path};
  for (const std::string_view line : split_lines(*text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string key = to_lower(trim(line.substr(0, equals)));
    const std::string_view value = trim(line.substr(equals + 1));
    if (key == "version" || key == "version_info") {
      // virtualenv writes 3.12.3.final.0
      if (const auto version = DottedVersion::parse_prefix(value);
          version && version->size() >= 2) {
        found.version = fmt::format("{}.{}", version->major(), version->minor());
        found.version += version->size() > 2 ? fmt::format(".{}", version->part(2)) : "";
      }
    } else if (key == "implementation") {
      found.implementation = to_lower(value);
    }
  }
  return found.version.empty() ? std::nullopt : std::optional(std::move(found));
}

/// conda-meta/python-3.11.4-hab00c5b_0_cpython.json; a build text with `cp313t` is free-threaded.
std::optional<FoundPython> from_conda(const HostView& host, const std::string& prefix) {
  for (const std::string& name : names_in(host, prefix + "/conda-meta")) {
    if (!name.ends_with(".json") || (!name.starts_with("python-") && !name.starts_with("pypy3."))) {
      continue;
    }
    auto found = from_name(name);
    if (!found) {
      continue;
    }
    found->evidence = fmt::format("{}/conda-meta/{}", prefix, name);
    if (name.find("_cp") != std::string::npos && name.ends_with("t.json")) {
      found->version += "t";
    }
    return found;
  }
  return {};
}

/// Names on the way from the given path to the real binary: an installation's folder tells more
/// (`.../versions/3.12.3/bin`) than its `python3.12`.
std::optional<FoundPython> from_path(const std::string& real) {
  auto found = from_name(base_name(real));
  const std::vector<std::string_view> pieces = split(real, '/');
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    auto named = from_name(*piece);
    if (!named && is_python_version(*piece)) {
      named = FoundPython{"cpython", std::string(*piece), {}};
    }
    if (!named) {
      continue;
    }
    if (!found) {
      found = named;
      continue;
    }
    const auto [minor, threading] = split_threading(found->version);
    if (named->version.starts_with(minor + ".")) {
      found->version = named->version + (named->version.ends_with('t') ? "" : threading);
      break;
    }
  }
  if (found) {
    found->evidence = real;
  }
  return found;
}

std::optional<FoundPython> from_library_folder(const HostView& host, const std::string& prefix) {
  std::optional<FoundPython> found;
  for (const std::string& name : names_in(host, prefix + "/lib")) {
    if (auto named = from_name(name);
        named && host.exists(fmt::format("{}/lib/{}/os.py", prefix, name))) {
      if (found) {
        return {};  // several: the folder does not tell which one this binary is
      }
      named->evidence = fmt::format("{}/lib/{}", prefix, name);
      found = std::move(named);
    }
  }
  return found;
}

/// CPython holds its full version as a text of its own in the binary, or in its shared library.
std::optional<std::string> version_in_binary(const HostView& host,
                                             const std::string& path,
                                             const std::string& minor) {
  const auto bytes = host.read(path, kBinaryLimit);
  if (!bytes) {
    return {};
  }
  const std::string start = std::string(1, '\0') + minor + ".";
  for (std::size_t at = bytes->find(start); at != std::string::npos;
       at = bytes->find(start, at + 1)) {
    std::size_t end = at + start.size();
    while (end < bytes->size() && is_digit((*bytes)[end])) {
      ++end;
    }
    constexpr std::size_t kMostDigits = 3;
    const std::size_t digits = end - at - start.size();
    if (digits >= 1 && digits <= kMostDigits && end < bytes->size() && (*bytes)[end] == '\0') {
      return bytes->substr(at + 1, end - at - 1);
    }
  }
  return {};
}

/// Completes `3.12` to `3.12.3`.
void complete_version(const HostView& host, const std::string& real, FoundPython& found) {
  const auto [minor, threading] = split_threading(found.version);
  if (found.implementation != "cpython" || std::count(minor.begin(), minor.end(), '.') != 1) {
    return;
  }
  const std::string library = "libpython" + found.version + ".so.1.0";
  const std::string prefix = folder_of(folder_of(real));
  for (const std::string& path : {fmt::format("{}/lib/{}", prefix, library), real}) {
    if (const auto version = version_in_binary(host, path, minor)) {
      found.version = *version + threading;
      found.evidence = path;
      return;
    }
  }
}

void set_python(const FoundPython& found, const std::string& executable, Observation& seen) {
  Python& python = seen.machine.python;
  python.implementation.set(found.implementation, found.evidence);
  python.version.set(found.version, found.evidence);
  if (!executable.empty()) {
    python.executable.set(executable, found.evidence);
  }
}

/// pyenv and asdf put shell scripts on PATH that start the chosen version.
std::optional<std::string> behind_shim(const HostView& host, const std::string& path) {
  const auto text = host.read_part(path, 0, 512);
  if (!text || !text->starts_with("#!")) {
    return {};
  }
  const std::size_t shims = path.find("/shims/");
  if (shims == std::string::npos) {
    return std::string();
  }
  const std::string root = path.substr(0, shims);
  auto chosen = variable(host, "PYENV_VERSION");
  if (!chosen) {
    chosen = read_line(host, root + "/version");
  }
  const std::string version(split(chosen.value_or(""), ':').front());
  const std::string real = root + "/versions/" + version + "/bin/" + base_name(path);
  return !version.empty() && host.exists(real) ? real : std::string();
}

/// `python3.12`, `pypy3`: beside the interpreter of an environment stand other programs.
bool is_interpreter_name(std::string_view name) {
  return name.find("python") != std::string_view::npos
         || name.find("pypy") != std::string_view::npos
         || name.find("graalpy") != std::string_view::npos;
}

/// Reads one interpreter. False when the path is none.
bool read_interpreter(const HostView& host, const std::string& given, Observation& seen) {
  std::string path = given;
  if (const auto target = behind_shim(host, path)) {
    if (target->empty()) {
      seen.machine.python.executable.set(given, "path");
      seen.find("python-is-a-script",
                fmt::format("`{}` is a script that starts another interpreter", given),
                "give the interpreter itself, for example --python .venv/bin/python");
      return true;
    }
    path = *target;
  }
  const auto real = host.real_path(path);
  if (!real || (!is_interpreter_name(base_name(path)) && !is_interpreter_name(base_name(*real)))) {
    return false;
  }
  const std::string prefix = folder_of(folder_of(path));
  auto found = from_pyvenv(host, prefix);
  const bool environment = found.has_value();
  if (!found) {
    found = from_conda(host, prefix);
  }
  if (!found) {
    found = from_path(*real);
  }
  if (!found) {
    found = from_library_folder(host, prefix);
  }
  if (!found) {
    seen.machine.python.executable.set(given, "path");
    return true;
  }
  if (environment) {
    // The file names no threading; the binary behind it does.
    if (const auto named = from_name(base_name(*real)); named && named->version.ends_with('t')) {
      found->version += "t";
    }
  }
  complete_version(host, *real, *found);
  set_python(*found, path, seen);
  return true;
}

bool read_environment_folder(const HostView& host, const std::string& prefix, Observation& seen) {
  for (const char* name : {"python", "python3", "pypy3"}) {
    const std::string path = prefix + "/bin/" + name;
    if (host.real_path(path)) {
      return read_interpreter(host, path, seen);
    }
  }
  return false;
}

std::vector<std::string> search_path(const HostView& host) {
  const std::string path = variable(host, "PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path, ':')) {
    if (folder.starts_with('/')) {
      folders.emplace_back(folder);
    }
  }
  folders.emplace_back(
      "/opt/conda/bin");  // conda's images, when the PATH of the image is not known
  return folders;
}

/// The active environment, else the first `python3` or `python` on PATH.
void read_default(const HostView& host, Observation& seen) {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const auto prefix = variable(host, name);
    if (prefix && read_environment_folder(host, *prefix, seen)) {
      return;
    }
  }
  for (const char* name : {"python3", "python"}) {
    for (const std::string& folder : search_path(host)) {
      const std::string path = folder + "/" + name;
      if (host.exists(path) && read_interpreter(host, path, seen)) {
        return;
      }
    }
  }
}

}  // namespace

void detect_python(const HostView& host, const std::string& wanted, Observation& seen) {
  if (wanted.empty()) {
    read_default(host, seen);
    return;
  }
  if (is_python_version(wanted)) {
    set_python({"cpython", wanted, "--python"}, {}, seen);
    return;
  }
  if (auto named = from_name(wanted)) {
    named->evidence = "--python";
    set_python(*named, {}, seen);
    return;
  }
  if (!read_environment_folder(host, wanted, seen) && !read_interpreter(host, wanted, seen)) {
    seen.find("python-not-found",
              fmt::format("`{}` is neither an interpreter nor an environment", wanted),
              "give a version such as 3.12, an interpreter's path or an environment's folder");
  }
}

}  // namespace fitment
