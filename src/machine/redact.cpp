// SPDX-License-Identifier: Apache-2.0
#include "machine/redact.h"

#include "base/text.h"

#include <array>
#include <string_view>

namespace fitment {

namespace {

/// `/home/ada/cuda` becomes `/home/user/cuda`.
std::string without_user_names(std::string text) {
  constexpr std::array<std::string_view, 2> kFolders{"/home/", "/Users/"};
  for (const std::string_view folder : kFolders) {
    for (std::size_t at = text.find(folder); at != std::string::npos;) {
      const std::size_t start = at + folder.size();
      std::size_t end = start;
      while (end < text.size() && text[end] != '/' && text[end] != '`' && !is_blank(text[end])) {
        ++end;
      }
      text.replace(start, end - start, "user");
      at = text.find(folder, start);
    }
  }
  return text;
}

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    text = replace_all(std::move(text), secret, "[redacted]");
  }
  return without_user_names(std::move(text));
}

}  // namespace

void redact(Machine& machine) {
  std::vector<std::string> secrets;
  if (machine.python.executable) {
    secrets.push_back(*machine.python.executable);
  }
  constexpr std::size_t kShortestName = 4;  // a name such as "vm" would tear words apart
  if (machine.name.size() >= kShortestName) {
    secrets.push_back(machine.name);
  }
  machine.name.clear();
  machine.python.executable.forget();
  if (machine.gpus) {
    std::vector<Gpu> gpus = *machine.gpus;
    for (Gpu& gpu : gpus) {
      if (gpu.uuid) {
        secrets.push_back(*gpu.uuid);
      }
      gpu.uuid.forget();
    }
    machine.gpus.set(std::move(gpus), machine.gpus.evidence());
  }
  if (machine.toolkits) {
    std::vector<Toolkit> toolkits = *machine.toolkits;
    for (Toolkit& toolkit : toolkits) {
      toolkit.root = without_user_names(std::move(toolkit.root));
      toolkit.evidence = without_user_names(std::move(toolkit.evidence));
    }
    machine.toolkits.set(std::move(toolkits), machine.toolkits.evidence());
  }
  for (MachineFinding& finding : machine.findings) {
    finding.message = redacted(std::move(finding.message), secrets);
    finding.fix = redacted(std::move(finding.fix), secrets);
  }
}

}  // namespace fitment
