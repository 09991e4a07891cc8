// SPDX-License-Identifier: Apache-2.0
#include "wheel/url.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Urls, CredentialsAreTakenOut) {
  EXPECT_EQ(without_credentials("https://u:p@host/a@b"), "https://host/a@b");
  EXPECT_EQ(without_credentials("https://u:p@q@host"), "https://host");
  EXPECT_EQ(without_credentials("https://@host"), "https://host");
  EXPECT_EQ(without_credentials("https://host/a?x=u@v"), "https://host/a?x=u@v");
  EXPECT_EQ(without_credentials("https://host#u@v"), "https://host#u@v");
  EXPECT_EQ(without_credentials("https://host\\u@v"), "https://host\\u@v");
  EXPECT_EQ(without_credentials("wheels/a@b"), "wheels/a@b");
}

TEST(Urls, APathBecomesAnAddressAndBack) {
  EXPECT_EQ(file_url("/srv/a+b-1.0.whl"), "file:///srv/a+b-1.0.whl");
  const std::string odd = "/srv/100% \"a#b?c\"/\xc3\xa9.whl";
  EXPECT_EQ(file_url(odd), "file:///srv/100%25%20%22a%23b%3Fc%22/%C3%A9.whl");
  EXPECT_EQ(percent_decode(file_url(odd).substr(7)), odd);
}

}  // namespace
}  // namespace fitment
