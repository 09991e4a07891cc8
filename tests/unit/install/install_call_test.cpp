// SPDX-License-Identifier: Apache-2.0
#include "install/install_call.h"

#include "install/cross_arguments.h"
#include "install/installer_environment.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

Installer pip() {
  return {Installer::Kind::pip, {"/venv/bin/python", "-m", "pip"}, Version::parse("23.2").value()};
}
Installer uv() {
  return {Installer::Kind::uv, {"/usr/bin/uv"}, Version::parse("0.9.2").value()};
}
InstallCall call() {
  InstallCall call;
  call.python = "/venv/bin/python";
  call.index = "http://127.0.0.1:3141/simple/";
  call.requirements = {"torch==2.8.0+cu128", "numpy>=2"};
  return call;
}

TEST(InstallCall, PipGetsOneIndex) {
  InstallCall asked = call();
  asked.report = "/tmp/report.json";
  asked.constraints = "/tmp/constraints.txt";
  asked.arguments = {"--no-deps"};
  EXPECT_THAT(install_command(pip(), asked),
              ElementsAre("/venv/bin/python",
                          "-m",
                          "pip",
                          "install",
                          "--disable-pip-version-check",
                          "--no-input",
                          "--index-url",
                          "http://127.0.0.1:3141/simple/",
                          "--report",
                          "/tmp/report.json",
                          "--constraint",
                          "/tmp/constraints.txt",
                          "--no-deps",
                          "torch==2.8.0+cu128",
                          "numpy>=2"));
}

TEST(InstallCall, UvGetsOneIndexAndTheInterpreter) {
  InstallCall asked = call();
  asked.report = "/tmp/report.json";  // uv has none
  asked.is_upgrade = true;
  asked.is_dry_run = true;
  EXPECT_THAT(install_command(uv(), asked),
              ElementsAre("/usr/bin/uv",
                          "pip",
                          "install",
                          "--python",
                          "/venv/bin/python",
                          "--default-index",
                          "http://127.0.0.1:3141/simple/",
                          "--upgrade",
                          "--dry-run",
                          "torch==2.8.0+cu128",
                          "numpy>=2"));
}

TEST(InstallCall, ResolvingTakesWheelsAlone) {
  const auto words = resolve_command(pip(), call(), {"--python-version", "3.12"});
  EXPECT_THAT(words, Contains("--dry-run"));
  EXPECT_THAT(words, Contains("--ignore-installed"));
  EXPECT_THAT(words, Contains(":all:"));
  EXPECT_THAT(words, Contains("--python-version"));
}

TEST(InstallerVersion, IsReadFromWhatItPrints) {
  EXPECT_EQ(to_string(parse_installer_version(Installer::Kind::pip,
                                              "pip 23.2.1 from /x/pip (python 3.11)\n")
                          .value()),
            "23.2.1");
  EXPECT_EQ(to_string(parse_installer_version(Installer::Kind::uv, "uv 0.9.2 (abc 2026)").value()),
            "0.9.2");
  for (const char* text : {"", "pip", "pip soon", "uv 0.9.2", "Python 3.11"}) {
    EXPECT_FALSE(parse_installer_version(Installer::Kind::pip, text)) << text;
  }
}

TEST(InstallerEnvironment, WhatSendsElsewhereIsTakenAway) {
  const InstallerEnvironment clean = clean_environment({{"PIP_INDEX_URL", "https://elsewhere"},
                                                        {"PIP_EXTRA_INDEX_URL", "https://too"},
                                                        {"PIP_CERT", "/ca.pem"},
                                                        {"UV_TORCH_BACKEND", "auto"},
                                                        {"UV_CACHE_DIR", "/cache"},
                                                        {"HTTPS_PROXY", "http://proxy"},
                                                        {"HOME", "/home/me"}});
  EXPECT_THAT(clean.dropped,
              ElementsAre("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "UV_TORCH_BACKEND"));
  EXPECT_EQ(clean.variables.at("PIP_CERT"), "/ca.pem");
  EXPECT_EQ(clean.variables.at("UV_CACHE_DIR"), "/cache");
  EXPECT_EQ(clean.variables.at("HTTPS_PROXY"), "http://proxy");
  EXPECT_EQ(clean.variables.at("PIP_CONFIG_FILE"), "/dev/null");
  EXPECT_EQ(clean.variables.at("NO_PROXY"), "127.0.0.1,localhost");
  EXPECT_EQ(clean.variables.count("PIP_INDEX_URL"), 0);
}

TEST(InstallerEnvironment, HostsWithoutProxyStay) {
  const auto clean = clean_environment({{"NO_PROXY", "intern.example"}});
  EXPECT_EQ(clean.variables.at("no_proxy"), "intern.example,127.0.0.1,localhost");
  EXPECT_EQ(clean.variables.at("NO_PROXY"), "intern.example,127.0.0.1,localhost");
}

TEST(CrossArguments, NameTheTarget) {
  Machine machine;
  EXPECT_FALSE(cross_arguments(machine));
  machine.python.version.set("3.12.3", "test");
  machine.system.arch.set("aarch64", "test");
  machine.system.libc.set({"glibc", DottedVersion::parse("2.35").value()}, "test");
  const auto words = cross_arguments(machine);
  ASSERT_TRUE(words);
  EXPECT_EQ((*words)[1], "3.12");
  EXPECT_THAT(*words, Contains("manylinux_2_35_aarch64"));
  EXPECT_THAT(*words, Contains("manylinux2014_aarch64"));
  EXPECT_THAT(*words, Contains("linux_aarch64"));
  EXPECT_THAT(*words, Not(Contains("any")));
  EXPECT_THAT(*words, Not(Contains("--abi")));
  machine.python.version.set("3.13.1t", "test");
  EXPECT_THAT(cross_arguments(machine).value(), Contains("cp313t"));
}

}  // namespace
}  // namespace fitment
