// SPDX-License-Identifier: Apache-2.0
#include "install/install_call.h"

namespace fitment {

namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Words pip_words(const Installer& pip, const InstallCall& call) {
  Words words = pip.command;
  append(words,
         {"install", "--disable-pip-version-check", "--no-input", "--index-url", call.index});
  if (!call.report.empty()) {
    append(words, {"--report", call.report});
  }
  return words;
}

Words uv_words(const Installer& uv, const InstallCall& call) {
  Words words = uv.command;
  append(words, {"pip", "install", "--python", call.python, "--default-index", call.index});
  return words;
}

void append_wishes(Words& words, const InstallCall& call) {
  if (!call.constraints.empty()) {
    append(words, {"--constraint", call.constraints});
  }
  append(words, call.arguments);
  append(words, call.requirements);
}

}  // namespace

std::vector<std::string> install_command(const Installer& installer, const InstallCall& call) {
  Words words = installer.kind == Installer::Kind::pip ? pip_words(installer, call)
                                                       : uv_words(installer, call);
  if (call.is_upgrade) {
    words.emplace_back("--upgrade");
  }
  if (call.is_dry_run) {
    words.emplace_back("--dry-run");
  }
  append_wishes(words, call);
  return words;
}

std::vector<std::string> resolve_command(const Installer& pip,
                                         const InstallCall& call,
                                         const std::vector<std::string>& target) {
  Words words = pip_words(pip, call);
  append(words, {"--dry-run", "--ignore-installed", "--only-binary", ":all:", "--quiet"});
  append(words, target);
  append_wishes(words, call);
  return words;
}

}  // namespace fitment
