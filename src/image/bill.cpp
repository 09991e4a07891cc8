// SPDX-License-Identifier: Apache-2.0
#include "image/bill.h"

#include "base/text.h"
#include "stack/debian_status.h"
#include "stack/stack.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kStatusLimit = 64U << 20U;
constexpr std::uint64_t kReleaseLimit = 64U << 10U;

std::string os_release_value(std::string_view text, std::string_view key) {
  for (const std::string_view line : split_lines(text)) {
    if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == '=') {
      return replace_all(std::string(trim(line.substr(key.size() + 1))), "\"", "");
    }
  }
  return {};
}

std::string read_distribution(const FileView& view) {
  const std::string text = view.read("/etc/os-release", kReleaseLimit).value_or("");
  const std::string id = os_release_value(text, "ID");
  const std::string version = os_release_value(text, "VERSION_ID");
  return version.empty() ? id : id + "-" + version;
}

void add_debian(const FileView& view, Bill& bill) {
  const auto status = view.read("/var/lib/dpkg/status", kStatusLimit);
  for (DebianPackage& package : parse_debian_status(status.value_or(""))) {
    bill.items.push_back({BillItem::Kind::debian,
                          std::move(package.name),
                          std::move(package.version),
                          std::move(package.arch),
                          {},
                          {}});
  }
  std::sort(bill.items.begin(), bill.items.end(), [](const BillItem& a, const BillItem& b) {
    return std::tie(a.name, a.arch) < std::tie(b.name, b.arch);
  });
}

/// `libcudart.so.13` of a wheel is the product `CUDA runtime`, by the version of its wheel.
void add_environment(const FileView& view,
                     PythonEnvironment environment,
                     const LibraryTable& libraries,
                     Bill& bill) {
  const Stack stack = read_stack(view, std::move(environment));
  const std::size_t first = bill.items.size();
  for (const InstalledDistribution& distribution : stack.distributions) {
    bill.items.push_back({BillItem::Kind::python,
                          distribution.name,
                          to_string(distribution.metadata.version),
                          {},
                          distribution.info_folder,
                          {}});
  }
  for (const StackBinary& binary : stack.binaries) {
    if (libraries.find_soname(binary.name()).empty()) {
      continue;
    }
    const std::size_t owner = first + binary.distribution;
    bill.items.push_back({BillItem::Kind::library,
                          binary.name(),
                          bill.items[owner].version,
                          {},
                          binary.path,
                          owner});
  }
}

}  // namespace

Bill read_bill(const FileView& view, const LibraryTable& libraries) {
  Bill bill;
  bill.distribution = read_distribution(view);
  if (looks_like_root(view, "/")) {
    add_debian(view, bill);
    for (PythonEnvironment& environment : find_python_environments(view, {})) {
      add_environment(view, std::move(environment), libraries, bill);
    }
  } else if (auto environment = read_python_environment(view, "/", {})) {
    add_environment(view, std::move(*environment), libraries, bill);
  }
  return bill;
}

std::string package_url(const Bill& bill, const BillItem& item) {
  const std::string version = replace_all(item.version, "+", "%2B");
  switch (item.kind) {
    case BillItem::Kind::debian: {
      const std::string vendor = bill.distribution.substr(0, bill.distribution.find('-'));
      return fmt::format("pkg:deb/{}/{}@{}?arch={}{}",
                         vendor.empty() ? "debian" : vendor,
                         replace_all(item.name, "+", "%2B"),
                         replace_all(version, ":", "%3A"),
                         item.arch,
                         bill.distribution.empty() ? "" : "&distro=" + bill.distribution);
    }
    case BillItem::Kind::python:
      return fmt::format("pkg:pypi/{}@{}", item.name, version);
    case BillItem::Kind::library:
      break;
  }
  return {};
}

}  // namespace fitment
