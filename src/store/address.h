// SPDX-License-Identifier: Apache-2.0
// Addresses and the secrets in them: user and password before an `@`, signatures behind a `?`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

struct Credentials {
  std::string user;
  std::string password;
};

/// Who is told what: `https://host:8443` to credentials. Nobody else is told.
using CredentialTable = std::map<std::string, Credentials, std::less<>>;

/// Scheme, host and port, in lower case and without the port that goes without saying:
/// `https://host`. Empty for what is no http or https address.
std::string origin_of(std::string_view url);

/// An address without the credentials that stood in it.
struct Address {
  std::string url;
  std::optional<Credentials> credentials;  ///< decoded
};
Address split_credentials(std::string_view url);

/// For messages and logs: no credentials, and `?...` where there is a query, since that is where
/// signed addresses carry their signature.
std::string shown_address(std::string_view url);

bool is_http_address(std::string_view url);

/// Where a `file://` address or a plain path leads on this machine; nullopt for any other address.
std::optional<std::string> local_path(std::string_view url);

}  // namespace fitment
