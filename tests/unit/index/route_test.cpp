// SPDX-License-Identifier: Apache-2.0
#include "index/route_file.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

std::string index_of(const Routes& routes, std::string_view name) {
  const IndexRoute* route = routes.find(name);
  return route == nullptr ? "" : route->name;
}

TEST(NamePattern, takes_stars_anywhere) {
  const NamePattern pattern = NamePattern::parse("nvidia-*-cu1*").value();
  EXPECT_TRUE(pattern.matches("nvidia-cublas-cu12"));
  EXPECT_TRUE(pattern.matches("nvidia-a-b-cu1"));
  EXPECT_FALSE(pattern.matches("nvidia-cublas"));
  EXPECT_FALSE(pattern.matches("my-nvidia-cublas-cu12"));
  EXPECT_TRUE(NamePattern::parse("*").value().matches("anything"));
  EXPECT_TRUE(NamePattern::parse("a*a*a").value().matches("aaaa"));
  EXPECT_FALSE(NamePattern::parse("a*a*a").value().matches("aa"));
}

TEST(NamePattern, is_normalised) {
  EXPECT_TRUE(NamePattern::parse("Torch_Vision").value().matches("torch-vision"));
  EXPECT_FALSE(NamePattern::parse("torch/../x").has_value());
  EXPECT_FALSE(NamePattern::parse("").has_value());
}

TEST(Routes, built_in_ones_send_each_name_to_one_index) {
  const Routes routes = built_in_routes(catalog()).value();
  EXPECT_EQ(index_of(routes, "torch"), "pytorch");
  EXPECT_EQ(index_of(routes, "torchvision"), "pytorch");
  EXPECT_EQ(index_of(routes, "tensorrt-cu12"), "nvidia");
  EXPECT_EQ(index_of(routes, "paddlepaddle-gpu"), "paddle");
  EXPECT_EQ(index_of(routes, "nvidia-cublas-cu12"), "pypi");
  EXPECT_EQ(index_of(routes, "numpy"), "pypi");
}

TEST(Routes, of_a_file_replace_the_built_in_ones) {
  constexpr std::string_view kToml = R"([[index]]
name = "pytorch"
url = "https://download.pytorch.org/whl/{backend}/"
backends = ["cpu", "cu126"]
names = ["torch", "torchvision"]
[[index]]
name = "own"
url = "wheels"
names = ["acme-*"]
)";
  const Routes routes = parse_routes(kToml, "/etc/fitment/fitment.toml", catalog()).value();
  EXPECT_EQ(index_of(routes, "torch"), "pytorch");
  EXPECT_EQ(routes.indexes[0].url_for("cu126"), "https://download.pytorch.org/whl/cu126");
  EXPECT_EQ(index_of(routes, "acme-core"), "own");
  EXPECT_EQ(routes.indexes[1].url, "/etc/fitment/wheels");
  EXPECT_EQ(routes.indexes[1].layout, IndexRoute::Layout::folder);
  EXPECT_EQ(index_of(routes, "numpy"), "");
  EXPECT_FALSE(routes.placeholders.empty());
}

TEST(Routes, a_level_is_the_number_of_a_backend) {
  IndexRoute route;
  route.url = "https://host/rocm-rel-{level}/";
  EXPECT_TRUE(route.has_backends());
  EXPECT_EQ(route.url_for("rocm6.4"), "https://host/rocm-rel-6.4");
}

struct WrongFile {
  const char* toml;
  const char* message;
  std::uint64_t line;
};

class WrongRouteFile : public testing::TestWithParam<WrongFile> {};

TEST_P(WrongRouteFile, is_an_error_at_its_line) {
  const auto routes = parse_routes(GetParam().toml, "fitment.toml", catalog());
  ASSERT_FALSE(routes.has_value());
  EXPECT_NE(routes.error().message().find(GetParam().message), std::string::npos)
      << routes.error().message();
  ASSERT_TRUE(routes.error().origin().has_value());
  EXPECT_EQ(routes.error().origin()->line, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    WrongRouteFile,
    testing::Values(
        WrongFile{"index = 1\n", "must be a list of tables", 1},
        WrongFile{"[[index]]\nname='a'\nurl='u'\n", "has no `names`", 1},
        WrongFile{"[[index]]\nname='a'\nurl='u'\nnames=[]\n", "is empty", 4},
        WrongFile{"[[index]]\nname='a'\nurl='u'\nnames=['x', 'a b']\n", "not the name", 4},
        WrongFile{"[[index]]\nname='a b'\nurl='u'\nnames=['x']\n", "not a name", 2},
        WrongFile{"[[index]]\nname='a'\nurl='ftp://u'\nnames=['x']\n", "not an address", 3},
        WrongFile{"[[index]]\nname='a'\nurl='u'\nname_s=['x']\nnames=['x']\n", "no key", 4},
        WrongFile{"[[index]]\nname='a'\nurl='u'\nbackends=['cu1']\nnames=['x']\n", "`backends`", 4},
        WrongFile{
            "[[index]]\nname='a'\nurl='u{backend}'\nbackends=['cuda']\nnames=['x']\n", "cuda", 4},
        WrongFile{"[[index]]\nname='a'\nurl='u'\nlayout='tree'\nnames=['x']\n", "layout", 4},
        WrongFile{"[[index]]\nname='a'\nurl='u'\nnames=['x']\n[[index]]\nname='a'\nurl='v'\n"
                  "names=['y']\n",
                  "two indexes",
                  5}));

}  // namespace
}  // namespace fitment
