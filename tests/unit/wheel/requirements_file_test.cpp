// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirements_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

RequirementsFile parsed(std::string_view text) {
  auto file = parse_requirements_file(text, "r.txt");
  EXPECT_TRUE(file.has_value()) << (file ? "" : to_string(file.error()));
  return file.value_or(RequirementsFile());
}

std::vector<std::string> texts(const RequirementsFile& file) {
  std::vector<std::string> list;
  for (const auto& entry : file.entries) {
    list.push_back(to_string(entry.requirement));
  }
  return list;
}

TEST(RequirementsFile, ReadsLinesAsPipDoes) {
  const auto file = parsed(
      "\xEF\xBB\xBF# top\r\n"
      "torch==2.8.0 # why\r\n"
      "\r\n"
      "  numpy>=1.26 ; \\\n"
      "    python_version < '3.13'  # no comment ends here: #\n"
      "a @ https://h/a-1.whl#sha256=00\n"
      "jax[cuda12] \\\n"
      "  >=0.6");
  EXPECT_THAT(texts(file),
              ElementsAre("torch==2.8.0",
                          "numpy>=1.26; python_version < \"3.13\"",
                          "a @ https://h/a-1.whl#sha256=00",
                          "jax[cuda12]>=0.6"));
  EXPECT_EQ(to_string(file.entries[1].origin), "r.txt:4:3");
  EXPECT_EQ(to_string(file.entries[3].origin), "r.txt:7:1");
}

TEST(RequirementsFile, ReadsOptions) {
  const auto file = parsed(
      "-r base.txt\n--requirement=dev.txt\n-rfast.txt\n-c limits.txt\n"
      "--index-url https://u:${TOKEN}@h/simple\n"
      "--extra-index-url=\"https://download.pytorch.org/whl/cu128\"\n"
      "-i https://last/simple --pre\n"
      "-f ./wheels\n--no-index\n--require-hashes\n");
  ASSERT_THAT(file.includes, SizeIs(3));
  EXPECT_EQ(file.includes[0].path, "base.txt");
  EXPECT_EQ(file.includes[1].path, "dev.txt");
  EXPECT_EQ(file.includes[2].path, "fast.txt");
  EXPECT_EQ(to_string(file.includes[2].origin), "r.txt:3:1");
  ASSERT_THAT(file.constraints, SizeIs(1));
  EXPECT_EQ(file.index.index_url, "https://last/simple");
  EXPECT_THAT(file.index.extra_index_urls, ElementsAre("https://download.pytorch.org/whl/cu128"));
  EXPECT_THAT(file.index.find_links, ElementsAre("./wheels"));
  EXPECT_TRUE(file.index.no_index);
  EXPECT_TRUE(file.index.prereleases);
  EXPECT_TRUE(file.index.require_hashes);
  EXPECT_EQ(parsed("-i https://u:${TOKEN}@h/simple").index.index_url,
            "https://u:${TOKEN}@h/simple");
}

TEST(RequirementsFile, ReadsHashes) {
  const std::string digits(64, 'A');
  const auto file = parsed("a==1 --hash=sha256:" + digits + " \\\n  --hash sha512:"
                           + std::string(128, '0') + "\n    # via b\nb==2\n");
  ASSERT_THAT(file.entries, SizeIs(2));
  ASSERT_THAT(file.entries[0].hashes, SizeIs(2));
  EXPECT_EQ(file.entries[0].hashes[0].algorithm, "sha256");
  EXPECT_EQ(file.entries[0].hashes[0].digits, std::string(64, 'a'));
  EXPECT_EQ(file.entries[0].hashes[1].algorithm, "sha512");
}

TEST(RequirementsFile, NotesWhatIsNotPlanned) {
  const auto file = parsed(
      "-e .\n./dist/a-1-py3-none-any.whl\nhttps://h/b-1.tar.gz\ngit+https://h/c@v1\nd.whl\n"
      "--no-binary :all:\n--prefer-binary\ne==1 --config-settings=x=y\n");
  EXPECT_THAT(texts(file), ElementsAre("e==1"));
  ASSERT_THAT(file.notes, SizeIs(8));
  EXPECT_EQ(file.notes[0].text, "`.` is an editable install; only named requirements are planned");
  EXPECT_EQ(file.notes[3].text,
            "`git+https://h/c@v1` is a location; only named requirements are planned");
  EXPECT_EQ(file.notes[5].text, "`--no-binary` has no effect on a plan");
  EXPECT_EQ(file.notes[7].text, "`--config-settings` has no effect on a plan");
  EXPECT_EQ(to_string(file.notes[2].origin), "r.txt:3:1");
}

TEST(RequirementsFile, SaysWhereItIsWrong) {
  struct Case {
    const char* text;
    const char* message;
    const char* place;
    const char* hint;
  };
  const std::vector<Case> cases{
      {"a\n  torch=2.8\n",
       "expected a version operator, found `=2.8`",
       "r.txt:2:8",
       "did you mean `==2.8`?"},
      {"torch \\\n   2.8",
       "expected a version specifier, `;` or the end, found `2.8`",
       "r.txt:2:4",
       "did you mean `torch==2.8`?"},
      {"--indx-url x",
       "`--indx-url` is not an option of requirements files",
       "r.txt:1:1",
       "did you mean `--index-url`?"},
      {"a --hash=md5:00",
       "`md5:00` is not a hash",
       "r.txt:1:3",
       "write `--hash=sha256:DIGITS`; sha384 and sha512 are known too"},
      {"a==1 --pre",
       "`--pre` cannot follow a requirement",
       "r.txt:1:6",
       "only `--hash=ALGORITHM:DIGITS` and build settings can"},
  };
  for (const Case& each : cases) {
    const auto file = parse_requirements_file(each.text, "r.txt");
    ASSERT_FALSE(file.has_value()) << each.text;
    EXPECT_EQ(file.error().message(), each.message);
    EXPECT_EQ(to_string(*file.error().origin()), each.place);
    EXPECT_THAT(file.error().hints(), ElementsAre(each.hint));
  }
  const auto utf16 = parse_requirements_file(std::string("\xff\xfet\0o\0", 6), "r");
  ASSERT_FALSE(utf16.has_value());
  EXPECT_EQ(utf16.error().message(), "the file is UTF-16, not UTF-8");
  EXPECT_EQ(parse_requirements_file("-r", "r").error().message(), "`-r` needs a value");
  EXPECT_EQ(parse_requirements_file("a --hash=sha256:00", "r").error().message(),
            "a sha256 hash has 64 hexadecimal digits");
}

}  // namespace
}  // namespace fitment
