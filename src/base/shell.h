// SPDX-License-Identifier: Apache-2.0
// Commands as a person pastes them into a POSIX shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// `text` as one word; in single quotes where it needs them.
std::string shell_word(std::string_view text);

/// The words of a command, each as shell_word() writes it.
std::string shell_line(const std::vector<std::string>& command);

}  // namespace fitment
