// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fitment {

/// Does an Authorization header carry this token: as `Bearer TOKEN`, or as user or password of
/// `Basic ...`, which is what `http://TOKEN@host/` and `http://user:TOKEN@host/` become? Takes as
/// long for a wrong token as for the right one.
bool carries_token(std::string_view authorization, std::string_view token);

}  // namespace fitment
