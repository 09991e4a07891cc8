// SPDX-License-Identifier: Apache-2.0
#include "install/installer.h"

#include "base/process.h"
#include "base/text.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kOldestPip = "22.2";  // --report

Result<Installer> ask(Installer::Kind kind,
                      std::vector<std::string> command,
                      const Environment& variables) {
  std::vector<std::string> question = command;
  question.emplace_back("--version");
  ProcessOptions options;
  options.timeout = std::chrono::minutes(1);
  options.environment = std::map<std::string, std::string>(variables.begin(), variables.end());
  FITMENT_TRY_ASSIGN(const ProcessOutcome outcome, run_process(question, options));
  if (!outcome.ok()) {
    const auto lines = split_lines(outcome.err);
    return fail(ErrorCode::external_tool,
                fmt::format("`{}` failed{}",
                            join(question, " "),
                            lines.empty() ? std::string() : ": " + std::string(lines.back())));
  }
  FITMENT_TRY_ASSIGN(Version version, parse_installer_version(kind, outcome.out));
  return Installer{kind, std::move(command), std::move(version)};
}

Result<Installer> ask_pip(std::vector<std::string> command, const Environment& variables) {
  FITMENT_TRY_ASSIGN(Installer pip, ask(Installer::Kind::pip, std::move(command), variables));
  if (pip.version < Version::parse(kOldestPip).value()) {
    return fail(ErrorCode::unsupported,
                fmt::format("pip {} is too old: it cannot tell what it installed",
                            to_string(pip.version)))
        .hint(fmt::format("install pip {} or newer into the environment, or use `--installer uv`",
                          kOldestPip));
  }
  return pip;
}

}  // namespace

std::string_view to_string(Installer::Kind kind) {
  return kind == Installer::Kind::pip ? "pip" : "uv";
}

Result<Version> parse_installer_version(Installer::Kind kind, std::string_view text) {
  const std::vector<std::string_view> words = split_words(text);
  if (words.size() >= 2 && words[0] == to_string(kind)) {
    if (auto version = Version::parse(words[1])) {
      return std::move(*version);
    }
  }
  return fail(ErrorCode::external_tool,
              fmt::format("this is not the version of {}: `{}`",
                          to_string(kind),
                          words.empty() ? std::string_view() : split_lines(text).front()));
}

Result<Installer> find_installer(const std::string& wanted,
                                 const std::string& python,
                                 const Environment& variables) {
  const std::vector<std::string> own_pip{python, "-m", "pip"};
  if (wanted == "pip") {
    return ask_pip(own_pip, variables);
  }
  if (!wanted.empty()) {
    const std::string name = std::filesystem::path(wanted).filename().string();
    if (name.starts_with("pip")) {
      return ask_pip({wanted}, variables);
    }
    if (name != "uv") {
      return fail(ErrorCode::invalid_argument, fmt::format("`{}` is neither pip nor uv", wanted))
          .hint("write `--installer pip`, `--installer uv` or the path of one of them");
    }
    return ask(Installer::Kind::uv, {wanted}, variables);
  }
  Result<Installer> pip = ask_pip(own_pip, variables);
  if (pip || pip.error().code() == ErrorCode::unsupported) {
    return pip;
  }
  if (auto uv = ask(Installer::Kind::uv, {"uv"}, variables)) {
    return uv;
  }
  return fail(ErrorCode::not_found,
              fmt::format("`{}` has no pip, and there is no uv on PATH", python))
      .hint(
          fmt::format("`{} -m ensurepip` puts pip there; `--installer` names another one", python));
}

}  // namespace fitment
