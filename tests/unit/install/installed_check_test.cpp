// SPDX-License-Identifier: Apache-2.0
#include "install/installed_check.h"

#include "base/digest.h"
#include "support/workshop.h"
#include "wheel/record_file.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using Kind = InstalledFault::Kind;

TEST(InstalledCheck, EveryFileIsAsItsRecordSays) {
  const Workshop shop;
  InstalledDistribution distribution;
  distribution.name = "a";
  distribution.metadata.version = Version::parse("1.0").value();
  const auto add =
      [&](const std::string& name, const std::string& meant, const std::string& there) {
        shop.write(name, there);
        distribution.files.push_back(
            {{name, "sha256", record_digest(sha256_hex(meant)), meant.size()}, shop.path(name)});
      };
  add("good.py", "good", "good");
  add("bytes.py", "good", "evil");
  add("size.py", "good", "longer");
  add("gone.py", "good", "good");
  std::filesystem::remove(shop.root() / "gone.py");
  add("empty.py", "", "");
  distribution.files.push_back({{"x.pyc", "", "", {}}, shop.path("x.pyc")});

  const InstalledCheck check = check_installed(distribution);
  const auto& faults = check.faults;
  EXPECT_EQ(check.files, 5);
  ASSERT_EQ(faults.size(), 3);
  EXPECT_EQ(faults[0].kind, Kind::digest);
  EXPECT_EQ(faults[1].kind, Kind::size);
  EXPECT_EQ(faults[2].kind, Kind::missing);
  EXPECT_EQ(faults[0].distribution, "a 1.0");
  EXPECT_EQ(faults[0].path, shop.path("bytes.py"));
}

}  // namespace
}  // namespace fitment
