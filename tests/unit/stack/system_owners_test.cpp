// SPDX-License-Identifier: Apache-2.0
#include "stack/system_owners.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(SystemOwners, OfDebianDistrolessAndConda) {
  MemoryView view;
  view.add_file("/var/lib/dpkg/status",
                "Package: libcublas-12-8\nStatus: install ok installed\nVersion: 12.8.4.1-1\n\n"
                "Package: zlib1g\nVersion: 1:1.2.13\n");
  view.add_file("/var/lib/dpkg/info/libcublas-12-8.list",
                "/.\n/usr/local/cuda-12.8/lib64/libcublas.so.12.8.4.1\n/usr/share/doc/x\n");
  view.add_file("/var/lib/dpkg/info/zlib1g:amd64.list", "/lib/x86_64-linux-gnu/libz.so.1.2.13\n");
  view.add_file("/var/lib/dpkg/info/stray.list", "/opt/stray.so\n");
  view.add_file("/var/lib/dpkg/status.d/libc6", "Package: libc6\nVersion: 2.36-9\n");
  view.add_file("/var/lib/dpkg/status.d/libc6.md5sums", "0123  lib/libc.so.6\n");
  view.add_file("/c/conda-meta/nccl-2.json",
                R"({"name":"nccl","version":"2.27","files":["lib/libnccl.so.2","doc",7]})");
  view.add_file("/c/conda-meta/broken.json", "{");
  view.add_file("/c/conda-meta/odd.json", R"({"files":{}})");
  const SystemOwners owners = SystemOwners::read(view, true, {"/c", "/none"});
  EXPECT_EQ(owners.find("/usr/local/cuda-12.8/lib64/libcublas.so.12.8.4.1"),
            "libcublas-12-8 12.8.4.1-1");
  EXPECT_EQ(owners.find("/usr/lib/x86_64-linux-gnu/libz.so.1.2.13"), "zlib1g 1:1.2.13")
      << "the list says /lib";
  EXPECT_EQ(owners.find("/opt/stray.so"), "stray");
  EXPECT_EQ(owners.find("/lib/libc.so.6"), "libc6 2.36-9");
  EXPECT_EQ(owners.find("/c/lib/libnccl.so.2"), "nccl 2.27 (conda)");
  EXPECT_FALSE(owners.find("/c/doc").has_value());
}

TEST(SystemOwners, OfARootWithoutPackagesAreNone) {
  const MemoryView view;
  EXPECT_FALSE(SystemOwners::read(view, true, {}).find("/x.so").has_value());
}

}  // namespace
}  // namespace fitment
