// SPDX-License-Identifier: Apache-2.0
#include "store/address.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Addresses, OriginIsSchemeHostAndPort) {
  EXPECT_EQ(origin_of("https://Host.Example/simple/"), "https://host.example");
  EXPECT_EQ(origin_of("https://host:443/x"), "https://host");
  EXPECT_EQ(origin_of("http://host:80"), "http://host");
  EXPECT_EQ(origin_of("http://host:443/"), "http://host:443");
  EXPECT_EQ(origin_of("https://user:secret@host:8443/x@y"), "https://host:8443");
  EXPECT_EQ(origin_of("http://[::1]:80/"), "http://[::1]");
  EXPECT_EQ(origin_of("file:///tmp"), "");
  EXPECT_EQ(origin_of("ftp://host/"), "");
}

TEST(Addresses, CredentialsAreTakenOut) {
  const Address address = split_credentials("https://us%40er:p%3Aw:x@host/a@b");
  EXPECT_EQ(address.url, "https://host/a@b");
  ASSERT_TRUE(address.credentials);
  EXPECT_EQ(address.credentials->user, "us@er");
  EXPECT_EQ(address.credentials->password, "p:w:x");
  EXPECT_FALSE(split_credentials("https://host/a@b").credentials);
  EXPECT_EQ(split_credentials("https://token@host").credentials->password, "");
}

TEST(Addresses, WhatIsShownHoldsNoSecret) {
  EXPECT_EQ(shown_address("https://u:p@host/a.whl?X-Signature=secret#frag"),
            "https://host/a.whl?...");
  EXPECT_EQ(shown_address("https://u:p@host"), "https://host");
  // A client that takes the first `@` and one that takes the last must both be told nothing.
  EXPECT_EQ(shown_address("https://u:p@q@host/x"), "https://host/x");
  EXPECT_EQ(shown_address("wheels/a@b"), "wheels/a@b");
}

TEST(Addresses, LocalPaths) {
  EXPECT_EQ(local_path("/srv/a b.whl"), "/srv/a b.whl");
  EXPECT_EQ(local_path("file:///srv/a%20b.whl#sha256=x"), "/srv/a b.whl");
  EXPECT_EQ(local_path("file://localhost/srv/x"), "/srv/x");
  EXPECT_EQ(local_path("https://host/x"), std::nullopt);
}

}  // namespace
}  // namespace fitment
