// SPDX-License-Identifier: Apache-2.0
// Instructions of a Containerfile as text that every builder takes: no here-documents (buildah 1.28
// has none), no SHELL (OCI images have none), no syntax line (it would be fetched). A shell script
// becomes one RUN instruction under `set -eu`, so its first failed command fails the build.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// A script as one command: its lines joined, comments and empty lines left out.
std::string join_script(std::string_view script);

/// `RUN --mount=... set -eu; \` and the lines of the script, each continued.
std::string run_instruction(const std::vector<std::string>& mounts, std::string_view script);

/// `--mount=type=bind,source=SOURCE,target=TARGET`: from the build context, read-only.
std::string bind_mount(std::string_view source, std::string_view target);

/// `ENV A="1" \` and so on, sorted; empty for an empty map. `$` stays a reference to a variable.
std::string env_instruction(const std::map<std::string, std::string>& variables);
/// The same for LABEL, where `$` is an ordinary character.
std::string label_instruction(const std::map<std::string, std::string>& labels);

/// Words between at signs are filled in: `@python@`.
std::string fill_in(std::string text, const std::map<std::string, std::string>& words);

}  // namespace fitment
