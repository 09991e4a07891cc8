// SPDX-License-Identifier: Apache-2.0
#include "machine/machine_file.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

// Every key of the format, and keys that nobody knows.
constexpr std::string_view kFull = R"({
  "schema": "fitment.machine/1",
  "name": "h100-driver-535",
  "system": {
    "os": "linux",
    "arch": "x86_64",
    "kernel": "6.8.0-64-generic",
    "distribution": "ubuntu-22.04",
    "libc": {
      "family": "glibc",
      "version": "2.35"
    },
    "container": "docker",
    "wsl": false,
    "x-rack": "r12"
  },
  "cpu": {
    "vendor": "GenuineIntel",
    "name": "Intel(R) Xeon(R) Platinum 8480C",
    "microarchitecture": "sapphirerapids",
    "level": "x86-64-v4",
    "features": [
      "amx_tile",
      "avx2",
      "avx512f"
    ]
  },
  "gpus": [
    {
      "vendor": "nvidia",
      "name": "NVIDIA H100 80GB HBM3",
      "target": "sm_90",
      "memory_bytes": 85520809984,
      "pci_id": "10de:2330",
      "integrated": false,
      "uuid": "GPU-1",
      "mig": {"profile": "1g.10gb"},
      "x-slot": {
        "a": [
          1,
          null
        ]
      }
    },
    {
      "vendor": "amd",
      "name": null,
      "target": "gfx942",
      "memory_bytes": null,
      "pci_id": null,
      "integrated": null
    },
    {
      "vendor": "intel",
      "name": null,
      "target": "12.60.7",
      "memory_bytes": null,
      "pci_id": null,
      "integrated": true
    }
  ],
  "drivers": {
    "nvidia": {
      "version": "535.161.08",
      "cuda_api": "12.2",
      "forward_compat": "12.8"
    },
    "amd": {
      "kernel": "6.8.5",
      "rocm": "6.3.1"
    },
    "intel": "none"
  },
  "toolkits": [
    {
      "kind": "cuda",
      "version": "12.2.2",
      "root": "/usr/local/cuda"
    }
  ],
  "python": {
    "implementation": "cpython",
    "version": "3.12.3",
    "executable": "/usr/bin/python3"
  },
  "overrides": [
    {
      "name": "CONDA_OVERRIDE_CUDA",
      "value": "12.2"
    }
  ],
  "findings": [
    {
      "id": "some-finding",
      "message": "seen",
      "fix": "do"
    }
  ],
  "evidence": {
    "system.libc": "libc.so.6",
    "cpu.features": "cpuid",
    "gpus[0].target": "nvml",
    "gpus": "nvml",
    "drivers.nvidia.version": "nvml",
    "drivers.intel": "sysfs",
    "toolkits[0]": "version.json"
  },
  "x-site": "lab"
}
)";

TEST(MachineFile, KeepsEveryFactAndEveryUnknownKey) {
  const auto machine = parse_machine(kFull, "m.json");
  ASSERT_TRUE(machine) << to_string(machine.error());
  const std::string once = write_machine(*machine);
  const auto again = parse_machine(once, "m.json");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(write_machine(*again), once);
  for (const char* part : {"\"x-rack\": \"r12\"",
                           "\"x-slot\"",
                           "\"x-site\": \"lab\"",
                           "\"gpus[0].target\": \"nvml\"",
                           "\"forward_compat\": \"12.8\"",
                           "\"intel\": \"none\"",
                           "\"drivers.intel\": \"sysfs\"",
                           "\"toolkits[0]\": \"version.json\"",
                           "\"value\": \"12.2\"",
                           "\"fix\": \"do\""}) {
    EXPECT_NE(once.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(machine->gpus->at(0).memory_bytes.value_or(0), 85520809984U);
  EXPECT_EQ(machine->gpus->at(0).target.evidence(), "nvml");
  EXPECT_EQ(to_string(*machine->gpus->at(2).target), "12.60.7");
  EXPECT_TRUE(machine->drivers.intel.is_none());
}

TEST(MachineFile, TellsUnknownFromNone) {
  const auto machine = parse_machine(
      R"({"schema":"fitment.machine/1","gpus":[],"drivers":{"nvidia":"none","amd":null}})", "m");
  ASSERT_TRUE(machine);
  EXPECT_TRUE(machine->gpus.has_value());
  EXPECT_TRUE(machine->gpus->empty());
  EXPECT_TRUE(machine->drivers.nvidia.is_none());
  EXPECT_TRUE(machine->drivers.amd.is_unknown());
  EXPECT_FALSE(machine->toolkits);
  const auto empty = parse_machine(R"({"schema":"fitment.machine/1"})", "m");
  ASSERT_TRUE(empty);
  EXPECT_FALSE(empty->gpus);
  EXPECT_EQ(write_machine(*empty), write_machine(Machine{}));
}

TEST(MachineFile, ReadsBackWhatIsHalfKnown) {
  Machine machine;
  machine.system.libc.set({"musl", {}}, "");
  machine.toolkits.set({{"cuda", {}, "", ""}}, "");
  const std::string once = write_machine(machine);
  const auto again = parse_machine(once, "m");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(write_machine(*again), once);
}

TEST(MachineFile, IdentityIgnoresNamesAndEvidence) {
  auto machine = parse_machine(kFull, "m").value();
  const std::string facts = canonical_facts(machine);
  machine.name = "other";
  machine.findings.clear();
  machine.system.os.set_evidence("guess");
  EXPECT_EQ(canonical_facts(machine), facts);
  machine.drivers.nvidia.driver.cuda_api.set({12, 3}, "x");
  EXPECT_NE(canonical_facts(machine), facts);
}

struct Wrong {
  const char* name;
  const char* json;
  const char* position;  ///< source:line:column
  const char* says;      ///< part of the message
};

class MachineFileErrors : public testing::TestWithParam<Wrong> {};

TEST_P(MachineFileErrors, SayWhereAndWhat) {
  const auto machine = parse_machine(GetParam().json, "m");
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code(), ErrorCode::parse_error);
  ASSERT_TRUE(machine.error().origin());
  EXPECT_EQ(to_string(*machine.error().origin()), GetParam().position);
  EXPECT_NE(machine.error().message().find(GetParam().says), std::string::npos)
      << machine.error().message();
}

INSTANTIATE_TEST_SUITE_P(
    Each,
    MachineFileErrors,
    testing::Values(
        Wrong{"not_json", "{\n  \"schema\": oops}", "m:2:13", "not valid JSON"},
        Wrong{"empty", " \n\n", "m:1:1", "the file is empty"},
        Wrong{"cut_short", "{\"schema\": \"fitment.machine/1\"", "m:1:31", "not valid JSON"},
        Wrong{"a_list", "[]", "m:1:1", "is a JSON object, not a list"},
        Wrong{"no_schema", "{\"name\": \"x\"}", "m:1:1", "not a machine file"},
        Wrong{"other_schema", "{\"schema\": \"fitment.plan/1\"}", "m:1:12", "not a machine file"},
        Wrong{
            "newer_schema", "{\"schema\":\n\"fitment.machine/2\"}", "m:2:1", "this fitment reads"},
        Wrong{"number_for_name",
              "{\"schema\":\"fitment.machine/1\",\n \"name\": 3}",
              "m:2:10",
              "`name` must be a string, not the number 3"},
        Wrong{"empty_string",
              "{\"schema\":\"fitment.machine/1\",\n \"system\":{\"os\":\"\"}}",
              "m:2:17",
              "`system.os` is an empty string"},
        Wrong{"system_is_list",
              "{\"schema\":\"fitment.machine/1\",\n \"system\":[]}",
              "m:2:11",
              "`system` must be an object"},
        Wrong{"libc_version",
              "{\"schema\":\"fitment.machine/1\",\n \"system\":{\"libc\":{\"version\":\"new\"}}}",
              "m:2:30",
              "`system.libc.version`: `new` is not a version"},
        Wrong{"wsl_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"system\":{\"wsl\":\"no\"}}",
              "m:2:18",
              "`system.wsl` must be true or false"},
        Wrong{"features_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"cpu\":{\"features\":\"avx\"}}",
              "m:2:20",
              "`cpu.features` must be a list of strings"},
        Wrong{"feature_is_number",
              "{\"schema\":\"fitment.machine/1\",\n \"cpu\":{\"features\":[\"avx\",2]}}",
              "m:2:27",
              "`cpu.features[1]` must be a string"},
        Wrong{"gpus_is_object",
              "{\"schema\":\"fitment.machine/1\",\n \"gpus\":{}}",
              "m:2:9",
              "`gpus` must be a list"},
        Wrong{"gpu_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"gpus\":[\"sm_90\"]}",
              "m:2:10",
              "`gpus[0]` must be an object"},
        Wrong{"target",
              "{\"schema\":\"fitment.machine/1\",\n \"gpus\":[{\"vendor\":\"nvidia\",\n"
              "  \"target\":\"hopper\"}]}",
              "m:3:12",
              "`gpus[0].target`: `hopper` is not an NVIDIA target"},
        Wrong{"virtual_target",
              "{\"schema\":\"fitment.machine/1\",\n \"gpus\":[{\"vendor\":\"nvidia\",\n"
              "  \"target\":\"compute_90\"}]}",
              "m:3:12",
              "code for a GPU, not a GPU"},
        Wrong{"memory",
              "{\"schema\":\"fitment.machine/1\",\n \"gpus\":[{},{\"memory_bytes\":-1}]}",
              "m:2:29",
              "`gpus[1].memory_bytes` must be a whole number of bytes"},
        Wrong{"driver_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"drivers\":{\"nvidia\":\"550\"}}",
              "m:2:22",
              "`drivers.nvidia` must be an object, null (unknown) or \"none\""},
        Wrong{
            "driver_version",
            "{\"schema\":\"fitment.machine/1\",\n \"drivers\":{\"nvidia\":{\"version\":\"r550\"}}}",
            "m:2:33",
            "`drivers.nvidia.version`"},
        Wrong{"rocm_version",
              "{\"schema\":\"fitment.machine/1\",\n \"drivers\":{\"amd\":{\"rocm\":\"6.x\"}}}",
              "m:2:27",
              "`drivers.amd.rocm`"},
        Wrong{"toolkits_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"toolkits\":\"cuda\"}",
              "m:2:13",
              "`toolkits` must be a list"},
        Wrong{"toolkit_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"toolkits\":[\"cuda\"]}",
              "m:2:14",
              "`toolkits[0]` must be an object"},
        Wrong{"python_version",
              "{\"schema\":\"fitment.machine/1\",\n \"python\":{\"version\":\"three\"}}",
              "m:2:22",
              "`python.version`: `three` is not a Python version"},
        Wrong{"python_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"python\":\"3.12\"}",
              "m:2:11",
              "`python` must be an object"},
        Wrong{"evidence_is_list",
              "{\"schema\":\"fitment.machine/1\",\n \"evidence\":[]}",
              "m:2:13",
              "`evidence` must be an object"},
        Wrong{"findings_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"findings\":\"x\"}",
              "m:2:13",
              "`findings` must be a list"},
        Wrong{"override_is_text",
              "{\"schema\":\"fitment.machine/1\",\n \"overrides\":[\"x\"]}",
              "m:2:15",
              "`overrides[0]` must be an object"}),
    [](const testing::TestParamInfo<Wrong>& tested) { return tested.param.name; });

TEST(MachineFile, KeepsAVendorOfTheFuture) {
  const auto machine = parse_machine(
      R"({"schema":"fitment.machine/1","gpus":[{"vendor":"acme","target":"a1"}]})", "m");
  ASSERT_TRUE(machine);
  EXPECT_FALSE(machine->gpus->at(0).vendor);
  const std::string text = write_machine(*machine);
  EXPECT_NE(text.find("\"vendor\": \"acme\""), std::string::npos);
  EXPECT_NE(text.find("\"target\": \"a1\""), std::string::npos);
}

TEST(MachineFile, RefusesNumbersThatFitNoType) {
  const auto machine = parse_machine("88800000000500000000e00001059654748522", "m");
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code(), ErrorCode::parse_error);
}

TEST(MachineFile, RefusesDeepNesting) {
  std::string deep = R"({"schema":"fitment.machine/1","x":)";
  constexpr std::size_t kDepth = 20000;
  deep += std::string(kDepth, '[') + std::string(kDepth, ']') + "}";
  const auto machine = parse_machine(deep, "m");
  ASSERT_FALSE(machine);
  EXPECT_EQ(to_string(*machine.error().origin()), "m:1:98");
}

}  // namespace
}  // namespace fitment
