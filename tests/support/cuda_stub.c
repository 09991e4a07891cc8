/* SPDX-License-Identifier: Apache-2.0
 * A libcuda that behaves as the environment says:
 *   CUDA_STUB_INIT=804     cuInit returns this code
 *   CUDA_STUB_HANG=1       cuInit never returns
 *   CUDA_STUB_CRASH=1      cuInit dies of SIGSEGV
 * Like the real one it hides its GPU when CUDA_VISIBLE_DEVICES is empty. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int setting(const char* name, int otherwise) {
  const char* value = getenv(name);
  return value == NULL || *value == '\0' ? otherwise : atoi(value);
}

int cuInit(unsigned int flags) {
  (void)flags;
  while (setting("CUDA_STUB_HANG", 0) != 0) {
    sleep(1000);
  }
  if (setting("CUDA_STUB_CRASH", 0) != 0) {
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would turn it into an exit */
    raise(SIGSEGV);
  }
  const char* visible = getenv("CUDA_VISIBLE_DEVICES");
  if (visible != NULL && *visible == '\0') {
    return 100;
  }
  return setting("CUDA_STUB_INIT", 0);
}

int cuDriverGetVersion(int* version) {
  *version = 12060;
  return 0;
}

int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}

int cuDeviceGet(int* device, int index) {
  *device = index;
  return 0;
}

int cuDeviceGetName(char* name, int size, int device) {
  (void)device;
  snprintf(name, (size_t)size, "Orin");
  return 0;
}

int cuDeviceGetPCIBusId(char* text, int size, int device) {
  (void)device;
  snprintf(text, (size_t)size, "0000:00:00.0");
  return 0;
}

int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  (void)device;
  *bytes = 65498251264ULL;
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  (void)device;
  *value = attribute == 75 ? 8 : attribute == 76 ? 7 : attribute == 18 ? 1 : 0;
  return 0;
}
