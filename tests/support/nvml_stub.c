/* SPDX-License-Identifier: Apache-2.0
 * An NVML that behaves as the environment says, so that every failure of the real one can be tested:
 *   NVML_STUB_INIT=18      nvmlInit returns this code
 *   NVML_STUB_HANG=init    nvmlInit never returns; =count: nvmlDeviceGetCount does not
 *   NVML_STUB_CRASH=1      nvmlInit dies of SIGSEGV
 *   NVML_STUB_GPUS=2       number of GPUs: an H100, then A100s (default 1)
 *   NVML_STUB_MIG=2        the last GPU is in MIG mode with this many slices, at positions 0, 2, 4 ...
 *   NVML_STUB_LOST=1       the GPU at this position answers 15 (lost)
 *   NVML_STUB_CUDA=12020   CUDA driver API version
 * Compiled with NVML_STUB_OLD it has the function names of drivers before the _v2 ones. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef NVML_STUB_OLD
#define V2(name) name
#define V3(name) name
#else
#define V2(name) name##_v2
#define V3(name) name##_v3
#endif

enum { kOk = 0, kInvalid = 2, kNotFound = 6, kLost = 15 };

struct Gpu {
  int index;
  int slice; /* -1: the whole GPU */
};
typedef struct Gpu* Device;

struct Memory {
  unsigned long long total, free, used;
};

struct Pci {
  char bus_id_legacy[16];
  unsigned int domain, bus, device, pci_device_id, pci_subsystem_id;
#ifdef NVML_STUB_OLD
  unsigned int reserved[4];
#else
  char bus_id[32];
#endif
};

static int setting(const char* name, int otherwise) {
  const char* value = getenv(name);
  return value == NULL || *value == '\0' ? otherwise : atoi(value);
}

static void hang_at(const char* place) {
  const char* value = getenv("NVML_STUB_HANG");
  while (value != NULL && strcmp(value, place) == 0) {
    sleep(1000);
  }
}

static Device gpu_at(int index, int slice) {
  static struct Gpu gpus[8][9];
  Device gpu = &gpus[index][slice + 1];
  gpu->index = index;
  gpu->slice = slice;
  return gpu;
}

int V2(nvmlInit)(void) {
  hang_at("init");
  if (setting("NVML_STUB_CRASH", 0) != 0) {
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would turn it into an exit */
    raise(SIGSEGV);
  }
  return setting("NVML_STUB_INIT", kOk);
}

int nvmlSystemGetDriverVersion(char* text, unsigned int size) {
  snprintf(text, size, "%s", "550.144.03");
  return kOk;
}

int V2(nvmlSystemGetCudaDriverVersion)(int* version) {
  *version = setting("NVML_STUB_CUDA", 12040);
  return kOk;
}

int V2(nvmlDeviceGetCount)(unsigned int* count) {
  hang_at("count");
  *count = (unsigned int)setting("NVML_STUB_GPUS", 1);
  return kOk;
}

int V2(nvmlDeviceGetHandleByIndex)(unsigned int index, Device* gpu) {
  if ((int)index == setting("NVML_STUB_LOST", -1)) {
    return kLost;
  }
  *gpu = gpu_at((int)index, -1);
  return kOk;
}

int nvmlDeviceGetName(Device gpu, char* text, unsigned int size) {
  if (gpu->slice >= 0) {
    snprintf(text, size, "NVIDIA A100-SXM4-40GB MIG 1g.5gb");
  } else {
    snprintf(text, size, "%s", gpu->index == 0 ? "NVIDIA H100 80GB HBM3" : "NVIDIA A100-SXM4-40GB");
  }
  return kOk;
}

int nvmlDeviceGetUUID(Device gpu, char* text, unsigned int size) {
  snprintf(text, size, "%s-0000000%d-000%d", gpu->slice >= 0 ? "MIG" : "GPU", gpu->index, gpu->slice + 1);
  return kOk;
}

int nvmlDeviceGetMemoryInfo(Device gpu, struct Memory* memory) {
  memory->total = gpu->slice >= 0 ? 4941ULL << 20 : (gpu->index == 0 ? 81559ULL : 40960ULL) << 20;
  return kOk;
}

int V3(nvmlDeviceGetPciInfo)(Device gpu, struct Pci* pci) {
  memset(pci, 0, sizeof(*pci));
  pci->bus = 0x17 + 0x10 * (unsigned int)gpu->index;
  pci->pci_device_id = (gpu->index == 0 ? 0x2330U : 0x20b0U) << 16 | 0x10de;
  return kOk;
}

int nvmlDeviceGetCudaComputeCapability(Device gpu, int* major, int* minor) {
  *major = gpu->index == 0 ? 9 : 8;
  *minor = 0;
  return kOk;
}

#ifndef NVML_STUB_OLD
static int slices_of(Device gpu) {
  const int last = setting("NVML_STUB_GPUS", 1) - 1;
  return gpu->index == last ? setting("NVML_STUB_MIG", -1) : -1;
}

int nvmlDeviceGetMigMode(Device gpu, unsigned int* current, unsigned int* pending) {
  *current = *pending = slices_of(gpu) >= 0 ? 1 : 0;
  return kOk;
}

int nvmlDeviceGetMaxMigDeviceCount(Device gpu, unsigned int* count) {
  (void)gpu;
  *count = 7;
  return kOk;
}

int nvmlDeviceGetMigDeviceHandleByIndex(Device gpu, unsigned int index, Device* slice) {
  if (index % 2 != 0 || (int)index / 2 >= slices_of(gpu)) {
    return kNotFound;
  }
  *slice = gpu_at(gpu->index, (int)index);
  return kOk;
}
#endif
