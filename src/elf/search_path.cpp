// SPDX-License-Identifier: Apache-2.0
#include "elf/search_path.h"

#include "base/text.h"
#include "elf/architecture.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::uint64_t kLoaderLimit = 8U << 20U;
constexpr std::uint64_t kCacheLimit = 64U << 20U;
constexpr std::uint64_t kConfigLimit = 1U << 20U;
constexpr std::string_view kCachePath = "/etc/ld.so.cache";
constexpr std::string_view kConfigPath = "/etc/ld.so.conf";

std::string multiarch_word(ElfMachine machine) {
  return fmt::format("{}-linux-gnu", architecture_name(machine));
}

/// Paths at which the loader is installed by convention.
std::vector<std::string> usual_loaders(LibcFamily libc, ElfMachine machine) {
  if (libc == LibcFamily::musl) {
    return {fmt::format("/lib/ld-musl-{}.so.1", architecture_name(machine))};
  }
  if (machine == ElfMachine::em_aarch64) {
    return {"/lib/ld-linux-aarch64.so.1", "/lib64/ld-linux-aarch64.so.1"};
  }
  return {"/lib64/ld-linux-x86-64.so.2"};
}

LibcFamily detect_libc(const FileView& view,
                       ElfMachine machine,
                       const std::optional<std::string>& interpreter) {
  if (interpreter) {
    return file_name(*interpreter).starts_with("ld-musl-") ? LibcFamily::musl : LibcFamily::glibc;
  }
  const auto any = [&](LibcFamily libc) {
    const auto paths = usual_loaders(libc, machine);
    return std::any_of(
        paths.begin(), paths.end(), [&](const std::string& path) { return view.exists(path); });
  };
  return any(LibcFamily::musl) && !any(LibcFamily::glibc) ? LibcFamily::musl : LibcFamily::glibc;
}

// glibc keeps its default folders as one run of texts, each ending in a slash and a NUL:
// "/lib/x86_64-linux-gnu/\0/usr/lib/x86_64-linux-gnu/\0/lib/\0/usr/lib/\0".
std::vector<std::string> folders_in_loader(std::string_view bytes) {
  constexpr std::size_t kLongest = 256;
  std::size_t at = 0;
  while ((at = bytes.find(std::string_view("\0/", 2), at)) != std::string_view::npos) {
    std::size_t next = ++at;
    std::vector<std::string> folders;
    while (next < bytes.size() && bytes[next] == '/') {
      const std::size_t end = bytes.find('\0', next);
      if (end == std::string_view::npos || end - next > kLongest || bytes[end - 1] != '/'
          || end - next < 2) {
        break;
      }
      folders.emplace_back(bytes.substr(next, end - next - 1));
      next = end + 1;
    }
    const auto is_library_folder = [](const std::string& folder) {
      return folder.find("/lib") != std::string::npos;
    };
    if (folders.size() >= 2 && std::all_of(folders.begin(), folders.end(), is_library_folder)) {
      return folders;
    }
  }
  return {};
}

std::vector<std::string> glibc_default_folders(const FileView& view, LoaderConfig& config) {
  if (!config.loader.empty()) {
    const auto bytes = view.read(config.loader, kLoaderLimit);
    if (!bytes) {
      config.problems.push_back(to_string(bytes.error()));
    } else if (auto folders = folders_in_loader(*bytes); !folders.empty()) {
      return folders;
    }
  }
  const std::string multiarch = multiarch_word(config.machine);
  if (view.kind("/lib/" + multiarch) == FileKind::folder
      || view.kind("/usr/lib/" + multiarch) == FileKind::folder) {
    return {"/lib/" + multiarch, "/usr/lib/" + multiarch, "/lib", "/usr/lib"};
  }
  return {"/lib64", "/usr/lib64", "/lib", "/usr/lib"};
}

void read_glibc_config(const FileView& view, const SearchOptions& options, LoaderConfig& config) {
  config.default_folders = glibc_default_folders(view, config);
  const std::string multiarch = "lib/" + multiarch_word(config.machine);
  const auto& folders = config.default_folders;
  const bool is_multiarch =
      std::find(folders.begin(), folders.end(), "/" + multiarch) != folders.end();
  config.lib_word = is_multiarch ? multiarch : "lib64";
  config.platform_word = architecture_name(config.machine);
  if (config.machine == ElfMachine::em_x86_64) {
    for (int level = std::min(options.cpu_level, 4); level >= 2; --level) {
      config.hwcaps.push_back(fmt::format("x86-64-v{}", level));
    }
  }
  if (view.kind(kCachePath) == FileKind::regular) {
    const auto bytes = view.read(kCachePath, kCacheLimit);
    auto cache = bytes ? LdCache::parse(*bytes, std::string(kCachePath))
                       : Result<LdCache>(tl::unexpected<Error>(bytes.error()));
    if (cache) {
      config.cache = std::move(*cache);
      return;
    }
    config.problems.push_back(to_string(cache.error()));
  }
  if (view.kind(kConfigPath) == FileKind::regular) {
    config.configured_folders = read_ld_so_conf(view, std::string(kConfigPath), config.problems);
  }
}

void read_musl_config(const FileView& view, LoaderConfig& config) {
  // The path file is found from the loader's own place: PREFIX/lib/ld-musl-X -> PREFIX/etc/.
  std::string prefix(parent_folder(parent_folder(config.loader)));
  if (prefix == "/") {
    prefix.clear();
  }
  const std::string path =
      fmt::format("{}/etc/ld-musl-{}.path", prefix, architecture_name(config.machine));
  config.default_folders = {"/lib", "/usr/local/lib", "/usr/lib"};
  if (view.kind(path) != FileKind::regular) {
    return;
  }
  const auto text = view.read(path, kConfigLimit);
  if (!text) {
    config.problems.push_back(to_string(text.error()));
    return;
  }
  config.default_folders.clear();
  for (std::string& folder : split_search_path(*text, ":\n")) {
    if (folder.starts_with('/')) {
      config.default_folders.push_back(std::move(folder));
    }
  }
}

/// Shell patterns of one path component: `*`, `?`; no brackets, as ld.so.conf files have none.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_n = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_n;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// Reads ld.so.conf files, each once, so that files including each other end. An included file is
/// read where it is named: the order of the folders is ldconfig's.
class ConfReader {
 public:
  ConfReader(const FileView& view, std::vector<std::string>& problems)
      : view_(view), problems_(problems) {}

  std::vector<std::string> read(const std::string& path);

 private:
  struct File {
    std::string path;
    std::optional<std::string> text;  // none: not opened yet
    std::size_t at = 0;
  };
  void open(File& file);
  void read_line(std::string_view line, const std::string& from);
  void include(std::string_view pattern, const std::string& from);

  static constexpr std::size_t kFileLimit = 1000;
  static constexpr std::size_t kPendingLimit = 100'000;
  const FileView& view_;
  std::vector<std::string>& problems_;
  std::set<std::string> seen_;
  std::vector<File> stack_;
  std::vector<std::string> folders_;
  std::set<std::string> known_folders_;
};

std::vector<std::string> ConfReader::read(const std::string& path) {
  stack_.push_back({path, {}, 0});
  while (!stack_.empty()) {
    File& file = stack_.back();
    if (!file.text) {
      open(file);
    }
    const std::string_view text(*file.text);
    if (file.at >= text.size()) {
      stack_.pop_back();
      continue;
    }
    const std::size_t end = std::min(text.find('\n', file.at), text.size());
    const std::string line(text.substr(file.at, end - file.at));
    file.at = end + 1;
    read_line(line, std::string(file.path));  // may push files, which moves `file`
  }
  return std::move(folders_);
}

void ConfReader::open(File& file) {
  file.text = std::string();
  if (seen_.size() >= kFileLimit || !seen_.insert(file.path).second) {
    return;
  }
  auto text = view_.read(file.path, kConfigLimit);
  if (text) {
    file.text = std::move(*text);
  } else {
    problems_.push_back(to_string(text.error()));
  }
}

void ConfReader::read_line(std::string_view line, const std::string& from) {
  constexpr std::string_view kInclude = "include";
  line = trim(line.substr(0, line.find('#')));
  if (line.starts_with(kInclude) && line.size() > kInclude.size()
      && is_blank(line[kInclude.size()])) {
    for (const std::string_view pattern : split_words(line.substr(kInclude.size()))) {
      include(pattern, from);
    }
    return;
  }
  if (!line.starts_with('/')) {
    return;
  }
  // `path=TYPE` is a form of libc5 times.
  std::string folder(trim(line.substr(0, line.find('='))));
  while (folder.size() > 1 && folder.back() == '/') {
    folder.pop_back();
  }
  if (known_folders_.insert(folder).second) {
    folders_.push_back(std::move(folder));
  }
}

void ConfReader::include(std::string_view pattern, const std::string& from) {
  if (stack_.size() >= kPendingLimit) {
    return;
  }
  std::string path(pattern);
  if (!path.starts_with('/')) {
    path = join_path(parent_folder(from), path);
  }
  const std::string folder(parent_folder(path));
  const auto names = view_.list(folder);
  if (!names) {
    return;  // as ldconfig: a pattern that matches nothing is no error
  }
  for (auto name = names->rbegin(); name != names->rend(); ++name) {
    if (matches(file_name(path), *name) && !name->starts_with('.')) {
      stack_.push_back({join_path(folder, *name), {}, 0});
    }
  }
}

/// Replaces `$WORD` and `${WORD}`.
void replace_word(std::string& text, std::string_view word, std::string_view value) {
  text = replace_all(std::move(text), fmt::format("${{{}}}", word), value);
  const std::string plain = fmt::format("${}", word);
  std::size_t at = 0;
  while ((at = text.find(plain, at)) != std::string::npos) {
    const std::size_t after = at + plain.size();
    if (after < text.size() && (is_alnum(text[after]) || text[after] == '_')) {
      at = after;  // $LIBRARY is not $LIB
      continue;
    }
    text.replace(at, plain.size(), value);
    at += value.size();
  }
}

}  // namespace

std::string_view to_string(LibcFamily family) {
  return family == LibcFamily::musl ? "musl" : "glibc";
}

std::vector<std::string> split_search_path(std::string_view path, std::string_view separators) {
  std::vector<std::string> elements;
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t end = std::min(path.find_first_of(separators, start), path.size());
    if (end > start) {
      elements.emplace_back(path.substr(start, end - start));
    }
    start = end + 1;
  }
  return elements;
}

std::string expand_words(std::string text, std::string_view origin, const LoaderConfig& config) {
  replace_word(text, "ORIGIN", origin);
  if (config.libc == LibcFamily::glibc) {
    replace_word(text, "LIB", config.lib_word);
    replace_word(text, "PLATFORM", config.platform_word);
  }
  return text;
}

std::vector<SearchFolder> expand_search_path(const std::vector<std::string>& elements,
                                             std::string_view origin,
                                             const LoaderConfig& config) {
  std::vector<SearchFolder> folders;
  for (const std::string& written : elements) {
    std::string folder = expand_words(written, origin, config);
    if (config.libc == LibcFamily::musl && folder.find('$') != std::string::npos) {
      return {};  // musl drops the whole path
    }
    while (folder.size() > 1 && folder.back() == '/') {
      folder.pop_back();
    }
    if (folder.starts_with('/')) {
      folders.push_back({std::move(folder), written});
    }
  }
  return folders;
}

std::vector<std::string> read_ld_so_conf(const FileView& view,
                                         const std::string& path,
                                         std::vector<std::string>& problems) {
  return ConfReader(view, problems).read(path);
}

LoaderConfig read_loader_config(const FileView& view,
                                const SearchOptions& options,
                                ElfMachine machine,
                                const std::optional<std::string>& interpreter) {
  LoaderConfig config;
  config.machine = machine;
  config.libc = options.libc.value_or(detect_libc(view, machine, interpreter));
  std::vector<std::string> loaders = usual_loaders(config.libc, machine);
  if (interpreter) {
    loaders.insert(loaders.begin(), *interpreter);
  }
  const auto found = std::find_if(
      loaders.begin(), loaders.end(), [&](const std::string& path) { return view.exists(path); });
  if (found != loaders.end()) {
    config.loader = *found;
  }
  if (config.libc == LibcFamily::glibc) {
    config.library_path = split_search_path(options.ld_library_path, ":;");
    read_glibc_config(view, options, config);
  } else {
    config.library_path = split_search_path(options.ld_library_path, ":\n");
    read_musl_config(view, config);
  }
  return config;
}

}  // namespace fitment
