// SPDX-License-Identifier: Apache-2.0
#include "slim/slim_file.h"

namespace fitment {

std::uint64_t SlimRun::before_bytes() const {
  std::uint64_t sum = 0;
  for (const SlimFile& file : files) {
    sum += file.plan.before_bytes;
  }
  return sum;
}

std::uint64_t SlimRun::after_bytes() const {
  std::uint64_t sum = 0;
  for (const SlimFile& file : files) {
    sum += file.plan.after_bytes;
  }
  return sum;
}

std::map<SlimClass, SlimRun::ClassSum> SlimRun::by_class() const {
  std::map<SlimClass, ClassSum> sums;
  for (const SlimFile& file : files) {
    const std::uint64_t debug = file.plan.debug_bytes;
    ClassSum& sum = sums[file.kind];
    sum.before_bytes += file.plan.before_bytes;
    sum.after_bytes += file.plan.after_bytes;
    ++sum.files;
    sum.touched += file.plan.after_bytes < file.plan.before_bytes ? 1 : 0;
    if (debug > 0 && file.kind != SlimClass::debug_info) {
      sum.before_bytes -= debug;
      ClassSum& own = sums[SlimClass::debug_info];
      own.before_bytes += debug;
      ++own.files;
      ++own.touched;
    }
  }
  return sums;
}

}  // namespace fitment
