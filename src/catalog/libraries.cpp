// SPDX-License-Identifier: Apache-2.0
#include "catalog/libraries.h"

#include "base/text.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kMinor = "{minor}";

bool matches(std::string_view pattern, std::string_view soname) {
  const std::size_t at = pattern.find(kMinor);
  if (at == std::string_view::npos) {
    return pattern == soname;
  }
  const std::string_view rest = pattern.substr(at + kMinor.size());
  if (soname.size() <= at + rest.size() || !soname.starts_with(pattern.substr(0, at))
      || !soname.ends_with(rest)) {
    return false;
  }
  const std::string_view number = soname.substr(at, soname.size() - at - rest.size());
  return std::all_of(number.begin(), number.end(), is_digit);
}

}  // namespace

bool NvidiaLibrary::has_soname(std::string_view wanted) const {
  return matches(soname, wanted)
         || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
              return matches(part, wanted);
            });
}

std::vector<const NvidiaLibrary*> LibraryTable::find_soname(std::string_view soname) const {
  std::vector<const NvidiaLibrary*> found;
  for (const NvidiaLibrary& library : libraries) {
    if (library.has_soname(soname)) {
      found.push_back(&library);
    }
  }
  return found;
}

std::uint32_t LibraryTable::cuda_major_of(std::string_view soname) const {
  std::uint32_t major = 0;
  for (const NvidiaLibrary* library : find_soname(soname)) {
    if (major != 0 && library->cuda_major != major) {
      return 0;
    }
    major = library->cuda_major;
  }
  return major;
}

const NvidiaLibrary* LibraryTable::find_wheel(std::string_view wheel) const {
  const auto found =
      std::find_if(libraries.begin(), libraries.end(), [&](const NvidiaLibrary& library) {
        return library.wheel == wheel;
      });
  return found == libraries.end() ? nullptr : &*found;
}

std::string with_minor(std::string_view pattern, std::string_view minor) {
  return replace_all(std::string(pattern), kMinor, minor);
}

}  // namespace fitment
