// SPDX-License-Identifier: Apache-2.0
#include "store/http_fault.h"

#include "store/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

struct StatusWords {
  int status;
  ErrorCode code;
  std::string_view what;  ///< behind the address
  std::string_view hint;
};

constexpr std::array<StatusWords, 8> kWords{{
    {401,
     ErrorCode::network_error,
     "asks who you are",
     "put user and password into ~/.netrc or into the address of the index"},
    {403,
     ErrorCode::network_error,
     "refuses access",
     "check the credentials and the address; some indexes say this of what does not exist"},
    {404, ErrorCode::not_found, "does not exist", "check the address and the name"},
    {407,
     ErrorCode::network_error,
     "is behind a proxy that asks who you are",
     "put user and password into the proxy's address"},
    {408, ErrorCode::network_error, "gave up waiting", "try again later"},
    {410, ErrorCode::not_found, "is gone", "check the address and the name"},
    {416, ErrorCode::network_error, "is shorter than it was", "try again"},
    {429, ErrorCode::network_error, "was asked too often", "try again later"},
}};

}  // namespace

Status check_status(int status, std::string_view url) {
  constexpr int kFirstGood = 200;
  constexpr int kFirstBeyond = 300;
  constexpr int kServerFault = 500;
  if (status >= kFirstGood && status < kFirstBeyond) {
    return {};
  }
  const std::string shown = shown_address(url);
  const auto* found = std::find_if(kWords.begin(), kWords.end(), [&](const StatusWords& words) {
    return words.status == status;
  });
  if (found != kWords.end()) {
    return fail(found->code, fmt::format("{} {} (status {})", shown, found->what, status))
        .hint(std::string(found->hint));
  }
  return fail(ErrorCode::network_error, fmt::format("{} answered with status {}", shown, status))
      .hint(status >= kServerFault ? "the server has a fault; try later" : "check the address");
}

bool is_passing_status(int status) {
  constexpr std::array<int, 7> kPassing{408, 425, 429, 500, 502, 503, 504};
  return std::find(kPassing.begin(), kPassing.end(), status) != kPassing.end();
}

}  // namespace fitment
