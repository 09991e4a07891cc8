// SPDX-License-Identifier: Apache-2.0
#include "wheel/simple_page.h"

#include "wheel/html_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kSha =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

// The shape of a package page of download.pytorch.org: paths from the root, escapes, metadata under
// both names, a time stamp in a comment.
constexpr std::string_view kPytorchPage = R"(<!DOCTYPE html>
<html>
  <body>
    <h1>Links for torch</h1>
    <!-- <a href="/whl/cu126/torch-0.0.0-cp312-cp312-linux_x86_64.whl">old</a> -->
    <a href="/whl/cu126/torch-2.8.0%2Bcu126-cp312-cp312-manylinux_2_28_x86_64.whl#sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" data-dist-info-metadata="sha256=aa00" data-core-metadata="sha256=aa00">torch-2.8.0+cu126-cp312-cp312-manylinux_2_28_x86_64.whl</a><br/>
    <a href="/whl/nightly/cu126/torch-2.9.0.dev20250801%2Bcu126-cp312-cp312-manylinux_2_28_x86_64.whl">torch-2.9.0.dev20250801+cu126-cp312-cp312-manylinux_2_28_x86_64.whl</a><br/>
    <a href="https://files.pythonhosted.org/packages/ab/cd/sympy-1.13.1-py3-none-any.whl#sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" data-requires-python="&gt;=3.8">sympy-1.13.1-py3-none-any.whl</a><br/>
  </body>
</html>
<!--TIMESTAMP 1754000000-->
)";

TEST(SimpleHtml, ReadsAPytorchPage) {
  const auto page =
      parse_simple_html(kPytorchPage, "https://download.pytorch.org/whl/cu126/torch/");
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->name, "torch");
  ASSERT_EQ(page->files.size(), 3U);
  const SimpleFile& file = page->files[0];
  EXPECT_EQ(file.filename, "torch-2.8.0+cu126-cp312-cp312-manylinux_2_28_x86_64.whl");
  EXPECT_EQ(file.url,
            "https://download.pytorch.org/whl/cu126/"
            "torch-2.8.0%2Bcu126-cp312-cp312-manylinux_2_28_x86_64.whl");
  EXPECT_THAT(file.hashes, ElementsAre(Pair("sha256", kSha)));
  EXPECT_THAT(file.core_metadata.value(), ElementsAre(Pair("sha256", "aa00")));
  EXPECT_EQ(file.requires_python, std::nullopt);
  EXPECT_THAT(page->files[1].hashes, IsEmpty());
  EXPECT_EQ(page->files[1].core_metadata, std::nullopt);
  EXPECT_EQ(page->files[2].url,
            "https://files.pythonhosted.org/packages/ab/cd/sympy-1.13.1-py3-none-any.whl");
  EXPECT_EQ(page->files[2].requires_python, ">=3.8");
}

TEST(SimpleHtml, ReadsAFlatPage) {
  // whl/torch_stable.html: folders before the names, old hosts, and links that are no packages.
  const auto page = parse_simple_html(
      "<a href=\"cu113/torch-1.12.1%2Bcu113-cp310-cp310-linux_x86_64.whl\">x</a><br>"
      "<A HREF='cpu/torch-1.12.1%2Bcpu-cp310-cp310-win_amd64.whl'>y</A>"
      "<a href=../>up</a><a href=readme.txt>z</a><a name=top>n</a>"
      "<a href=jaxlib-0.4.7+cuda11.cudnn82-cp310-cp310-manylinux2014_x86_64.whl>j</a>",
      "https://download.pytorch.org/whl/torch_stable.html");
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->name, "");
  ASSERT_EQ(page->files.size(), 3U);
  EXPECT_EQ(page->files[0].url,
            "https://download.pytorch.org/whl/cu113/"
            "torch-1.12.1%2Bcu113-cp310-cp310-linux_x86_64.whl");
  EXPECT_EQ(page->files[1].filename, "torch-1.12.1+cpu-cp310-cp310-win_amd64.whl");
  EXPECT_EQ(page->files[2].filename,
            "jaxlib-0.4.7+cuda11.cudnn82-cp310-cp310-manylinux2014_x86_64.whl");
}

TEST(SimpleHtml, ReadsYankedMetadataAndVariants) {
  const auto page = parse_simple_html(
      "<head><meta name=\"pypi:repository-version\" content=\"1.3\"><base href=\"/files/\">"
      "<script>var a = '<a href=\"evil-1.zip\">';</script></head>"
      "<a href=\"a-1.tar.gz\" data-yanked=\"bad &amp; broken\">a</a>"
      "<a href=\"a-2.tar.gz\" data-yanked data-core-metadata=\"true\">a</a>"
      "<a href=\"a-3-variants.json\" data-requires-python=\"\">a</a>"
      "<a href=\"a-4.zip#md5=xyz&sha256=AB\" data-core-metadata=false"
      " data-dist-info-metadata=true>a</a>",
      "https://host/simple/A.b/");
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->name, "a-b");
  ASSERT_EQ(page->files.size(), 4U);
  EXPECT_EQ(page->files[0].url, "https://host/files/a-1.tar.gz");
  EXPECT_EQ(page->files[0].yanked, "bad & broken");
  EXPECT_EQ(page->files[1].yanked, "");
  EXPECT_THAT(page->files[1].core_metadata.value(), IsEmpty());
  EXPECT_EQ(page->files[2].filename, "a-3-variants.json");
  EXPECT_EQ(page->files[2].requires_python, std::nullopt);
  EXPECT_EQ(page->files[2].yanked, std::nullopt);
  EXPECT_THAT(page->files[3].hashes, ElementsAre(Pair("sha256", "ab")));
  EXPECT_EQ(page->files[3].core_metadata, std::nullopt);
}

TEST(SimpleHtml, RefusesANewerMajorVersion) {
  const auto page = parse_simple_html("<meta name=pypi:repository-version content=2.0>",
                                      "https://host/simple/a/");
  ASSERT_FALSE(page.has_value());
  EXPECT_EQ(page.error().code(), ErrorCode::unsupported);
}

TEST(SimpleHtml, SurvivesBrokenMarkup) {
  for (const char* html : {"<a href=\"a-1.zip",
                           "<a",
                           "<",
                           "<!--",
                           "<a href",
                           "<a href=",
                           "<a ==>",
                           "</a",
                           "<script>",
                           "<a href='a-1.zip' href='b-1.zip'"}) {
    EXPECT_TRUE(parse_simple_html(html, "https://host/")) << html;
  }
  EXPECT_EQ(parse_simple_html("<a href='a-1.zip' href='b-1.zip'>", "")->files[0].filename,
            "a-1.zip");
}

TEST(Html, DecodesReferences) {
  EXPECT_EQ(decode_html("&gt;=3.8&#44; &lt;4 &amp;&quot;&#x27;"), ">=3.8, <4 &\"'");
  EXPECT_EQ(decode_html("&#233;&#x20AC;&#x1F600;"), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(decode_html("a&b; &#xD800; &#0; &#99999999; & &"),
            "a&b; &#xD800; &#0; &#99999999; & &");
}

TEST(SimpleJson, ReadsAllKeys) {
  const auto page = parse_simple_json(R"({
  "meta": {"api-version": "1.1", "_last-serial": 7}, "name": "torch", "versions": ["2.8.0"],
  "files": [
    {"filename": "torch-2.8.0-cp312-cp312-manylinux_2_28_x86_64.whl", "url": "../files/t.whl#x=1",
     "hashes": {"sha256": "AB12"}, "requires-python": ">=3.9.0", "yanked": "no \u00e9",
     "core-metadata": {"sha256": "cd"}, "dist-info-metadata": false, "size": 887939040,
     "upload-time": "2025-08-06T14:53:45.123456Z"},
    {"filename": "torch-1.tar.gz", "url": "https://other/t.tar.gz", "hashes": {}, "yanked": true,
     "core-metadata": true, "requires-python": null},
    {"filename": "b.whl", "url": "b.whl", "hashes": {}, "yanked": false, "core-metadata": false}
  ]})",
                                      "https://host/simple/torch/");
  ASSERT_TRUE(page.has_value()) << to_string(page.error());
  EXPECT_EQ(page->name, "torch");
  EXPECT_THAT(page->versions, ElementsAre("2.8.0"));
  ASSERT_EQ(page->files.size(), 3U);
  const SimpleFile& file = page->files[0];
  EXPECT_EQ(file.url, "https://host/simple/files/t.whl");
  EXPECT_THAT(file.hashes, ElementsAre(Pair("sha256", "ab12")));
  EXPECT_EQ(file.requires_python, ">=3.9.0");
  EXPECT_EQ(file.yanked, "no \xC3\xA9");
  EXPECT_THAT(file.core_metadata.value(), ElementsAre(Pair("sha256", "cd")));
  EXPECT_EQ(file.size, 887939040U);
  EXPECT_EQ(file.upload_time, "2025-08-06T14:53:45.123456Z");
  EXPECT_EQ(page->files[1].yanked, "");
  EXPECT_TRUE(page->files[1].core_metadata.has_value());
  EXPECT_EQ(page->files[2].yanked, std::nullopt);
  EXPECT_EQ(page->files[2].core_metadata, std::nullopt);
  EXPECT_EQ(page->files[2].url, "https://host/simple/torch/b.whl");
}

TEST(SimpleJson, SaysWhereItIsWrong) {
  struct Case {
    const char* json;
    const char* message;
    const char* place;
  };
  const std::vector<Case> cases{
      {"{\"files\": [\n  {\"filename\": 1}]}", "`files[0].filename` must be a string", "u:2:16"},
      {"{\"files\": [{}]}", "`files[0]` needs `filename` and `url`", "u:1:12"},
      {"{\"files\": {}}", "`files` must be a list", "u:1:11"},
      {"[]", "a project page is a JSON object", "u:1:1"},
      {"{\"files\": [}", "the answer of the index is not valid JSON", "u:1:12"},
      {"{\"files\":[{\"filename\":\"a\",\"url\":\"b\",\"size\":-1}]}",
       "`files[0].size` must be a whole number of bytes",
       "u:1:44"},
      {"{\"files\":[{\"filename\":\"a\",\"url\":\"b\",\"hashes\":{\"\":1}}]}",
       "`files[0].hashes.` must be a string of hexadecimal digits",
       "u:1:50"},
      {"{\"meta\":{\"api-version\":\"2.0\"}}",
       "the index speaks version `2.0` of the Simple API",
       "u"},
  };
  for (const Case& each : cases) {
    const auto page = parse_simple_json(each.json, "u");
    ASSERT_FALSE(page.has_value()) << each.json;
    EXPECT_EQ(page.error().message(), each.message);
    EXPECT_EQ(to_string(*page.error().origin()), each.place) << each.json;
  }
  EXPECT_FALSE(parse_simple_json(std::string(100'000, '['), "u"));
}

TEST(Url, IsResolvedAsRfc3986Says) {
  // RFC 3986, section 5.4.
  constexpr std::string_view kBase = "http://a/b/c/d;p?q";
  const std::vector<std::pair<const char*, const char*>> cases{
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
  };
  for (const auto& [href, url] : cases) {
    EXPECT_EQ(resolve_url(kBase, href), url) << href;
  }
  EXPECT_EQ(resolve_url("http://a", "g"), "http://a/g");
  EXPECT_EQ(resolve_url("file:///srv/wheels/index.html", "a.whl"), "file:///srv/wheels/a.whl");
}

TEST(Url, GivesTheFileName) {
  EXPECT_EQ(url_filename("https://h/a%2Bb.whl?x=/y#z/w"), "a+b.whl");
  EXPECT_EQ(url_filename("https://h/a/"), "");
  EXPECT_EQ(url_filename("https://h"), "");
  EXPECT_EQ(percent_decode("%2b%2B%zz%0x%"), "++%zz%0x%");
}

}  // namespace
}  // namespace fitment
