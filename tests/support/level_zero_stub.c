/* SPDX-License-Identifier: Apache-2.0
 * A Level Zero loader with one driver, an Arc B580 and the graphics of a CPU; ZE_STUB_CRASH=1 makes
 * zeInit die. The layouts are those of the specification 1.x. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct IpVersion {
  uint32_t stype;
  const void* next;
  uint32_t version;
};

struct Properties {
  uint32_t stype;
  void* next;
  uint32_t type, vendor_id, device_id, flags, subdevice_id, core_clock_rate;
  uint64_t max_alloc_size;
  uint32_t max_hardware_contexts, max_queue_priority, threads_per_eu, simd_width, eus_per_subslice, subslices_per_slice, slices;
  uint64_t timer_resolution;
  uint32_t timestamp_valid_bits, kernel_timestamp_valid_bits;
  uint8_t uuid[16];
  char name[256];
};

struct Memory {
  uint32_t stype;
  void* next;
  uint32_t flags, max_clock_rate, max_bus_width;
  uint64_t total_size;
  char name[256];
};

static int devices[2];

int zeInit(uint32_t flags) {
  const char* crash = getenv("ZE_STUB_CRASH");
  if (crash != NULL && *crash == '1') {
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would turn it into an exit */
    raise(SIGSEGV);
  }
  return flags == 1 ? 0 : 1;
}

int zeDriverGet(uint32_t* count, void** drivers) {
  *count = 1;
  drivers[0] = devices;
  return 0;
}

int zeDriverGetApiVersion(void* driver, uint32_t* version) {
  (void)driver;
  *version = 1U << 16 | 6;
  return 0;
}

int zeDeviceGet(void* driver, uint32_t* count, void** handles) {
  (void)driver;
  *count = 2;
  handles[0] = &devices[0];
  handles[1] = &devices[1];
  return 0;
}

int zeDeviceGetProperties(void* device, struct Properties* properties) {
  const int big = device == &devices[0];
  properties->type = 1;
  properties->vendor_id = 0x8086;
  properties->device_id = big ? 0xe20b : 0x4680;
  properties->flags = big ? 0 : 1;
  snprintf(properties->name, sizeof(properties->name), "%s", big ? "Intel(R) Arc(TM) B580 Graphics" : "Intel(R) UHD Graphics 770");
  struct IpVersion* ip = properties->next;
  if (properties->stype == 0x3 && ip != NULL && ip->stype == 0x1000f) {
    ip->version = big ? 20U << 22 | 1U << 14 : 12U << 22 | 2U << 14;
  }
  return 0;
}

int zeDeviceGetMemoryProperties(void* device, uint32_t* count, struct Memory* memory) {
  *count = 1;
  memory[0].total_size = device == &devices[0] ? 12168933376ULL : 0;
  return 0;
}
