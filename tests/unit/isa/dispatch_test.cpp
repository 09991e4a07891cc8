// SPDX-License-Identifier: Apache-2.0
// Verdicts on libraries that the test compiles: whole files at each level, and every usual way to
// dispatch.
#include "isa/dispatch.h"

#include "support/compiled.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fitment {
namespace {

// Ordinary code: loops that compilers vectorise, floating point, bit counting, structures.
constexpr const char* kOrdinary = R"(
#include <stddef.h>
#include <string.h>
float dot(const float* a, const float* b, size_t n) { float s = 0; for (size_t i = 0; i < n; ++i) s += a[i] * b[i]; return s; }
void scale(float* a, float f, size_t n) { for (size_t i = 0; i < n; ++i) a[i] *= f; }
void add(int* a, const int* b, size_t n) { for (size_t i = 0; i < n; ++i) a[i] += b[i]; }
double mean(const double* a, size_t n) { double s = 0; for (size_t i = 0; i < n; ++i) s += a[i]; return n ? s / (double)n : 0; }
int bits(unsigned long v) { return __builtin_popcountl(v); }
int first(unsigned long v) { return v ? __builtin_clzl(v) : 64; }
unsigned long shift(unsigned long v, int n) { return (v << n) | (v >> ((64 - n) & 63)); }
unsigned long without(unsigned long a, unsigned long b) { return a & ~b; }
struct point { double x, y, z; };
struct point cross(struct point a, struct point b) { return (struct point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
int rounded(double v) { return (int)__builtin_floor(v + 0.5); }
void clear(char* p, size_t n) { memset(p, 0, n); }
float convert(int v) { return (float)v * 0.5f; }
)";

std::string with_ordinary(const std::string& more) {
  return std::string(kOrdinary) + more;
}

class Dispatch : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_.is_installed()) {
      GTEST_SKIP() << "gcc is not installed";
    }
  }

  X86Verdict judge(const std::string& source, const std::vector<std::string>& flags) {
    auto loaded = compiler_.library(source, flags);
    EXPECT_TRUE(loaded) << compiler_.message();
    return loaded ? judge_x86(loaded->image()) : X86Verdict{};
  }

  testing_support::Compiler compiler_{"gcc"};
};

/// `-march=` of a level. Compilers spell the first one without a number.
std::string march(X86Level level) {
  return level == X86Level::v1 ? "-march=x86-64" : "-march=" + std::string(to_string(level));
}

std::vector<X86Level> dispatched_levels(const X86Verdict& verdict) {
  std::vector<X86Level> levels;
  for (const DispatchedLevel& dispatched : verdict.dispatched) {
    levels.push_back(dispatched.level);
  }
  return levels;
}

TEST_F(Dispatch, WholeFilesAreJudgedByTheLevelTheyWereBuiltFor) {
  for (const X86Level level : {X86Level::v1, X86Level::v2, X86Level::v3, X86Level::v4}) {
    for (const char* strip : {"-g", "-s"}) {
      for (const char* optimize : {"-O2", "-O3"}) {
        const X86Verdict verdict =
            judge(kOrdinary, {march(level), optimize, strip, "-mprefer-vector-width=512"});
        if (level == X86Level::v4 && std::string_view(optimize) == "-O2"
            && verdict.highest < X86Level::v4) {
          continue;  // the compiler found no use for it: nothing in the file needs more than v3
        }
        EXPECT_EQ(verdict.built_for, level) << optimize << " " << strip;
        EXPECT_EQ(verdict.evidence.empty(), level == X86Level::v1);
        EXPECT_TRUE(verdict.dispatched.empty());
      }
    }
  }
}

TEST_F(Dispatch, TargetClonesAreNoNeed) {
  const X86Verdict verdict = judge(with_ordinary(R"(
__attribute__((target_clones("default", "avx2", "arch=skylake-avx512")))
void triad(float* a, const float* b, const float* c, size_t n) { for (size_t i = 0; i < n; ++i) a[i] = b[i] * 3 + c[i]; }
void twice(float* a, const float* b, const float* c, size_t n) { triad(a, b, c, n); triad(a, b, c, n); }
)"),
                                   {"-O3", "-march=x86-64", "-mprefer-vector-width=512"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  EXPECT_EQ(dispatched_levels(verdict), (std::vector<X86Level>{X86Level::v3, X86Level::v4}));
  EXPECT_EQ(verdict.v3_functions.direct, 0U);
  EXPECT_TRUE(verdict.exceptions.empty());
}

TEST_F(Dispatch, BuiltinChecksAreSeenWithAndWithoutNames) {
  const std::string source = with_ordinary(R"(
__attribute__((target("avx2"), noinline)) static void fast(int* a, const int* b, size_t n) { for (size_t i = 0; i < n; ++i) a[i] = a[i] * b[i] + 1; }
__attribute__((noinline)) static void slow(int* a, const int* b, size_t n) { for (size_t i = 0; i < n; ++i) a[i] = a[i] * b[i] + 1; }
void multiply(int* a, const int* b, size_t n) { if (__builtin_cpu_supports("avx2")) fast(a, b, n); else slow(a, b, n); }
)");
  for (const char* strip : {"-g", "-s"}) {
    const X86Verdict verdict = judge(source, {"-O3", strip});
    EXPECT_EQ(verdict.built_for, X86Level::v1) << strip;
    EXPECT_EQ(verdict.v3_functions.direct, 0U) << strip;
    EXPECT_EQ(verdict.v3_functions.guarded, 1U) << strip;
    ASSERT_EQ(verdict.dispatched.size(), 1U);
    EXPECT_EQ(verdict.dispatched[0].level, X86Level::v3);
    EXPECT_TRUE(verdict.dispatched[0].features.contains(X86Feature::avx2));
  }
}

TEST_F(Dispatch, ResolversWrittenByHandAreSeen) {
  const X86Verdict verdict = judge(with_ordinary(R"(
#include <cpuid.h>
typedef long sum_type(const int*, size_t);
__attribute__((target("avx2"))) static long sum_fast(const int* a, size_t n) { int s = 0; for (size_t i = 0; i < n; ++i) s += a[i]; return s; }
static long sum_slow(const int* a, size_t n) { long s = 0; for (size_t i = 0; i < n; ++i) s += a[i]; return s; }
static sum_type* resolve(void) { unsigned a, b, c, d; if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2)) return sum_fast; return sum_slow; }
long sum(const int*, size_t) __attribute__((ifunc("resolve")));
)"),
                                   {"-O3", "-s"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  EXPECT_EQ(verdict.v3_functions.direct, 0U);
  EXPECT_EQ(dispatched_levels(verdict), std::vector<X86Level>{X86Level::v3});
}

TEST_F(Dispatch, PointersThatAnInitializerSetsAreSeen) {
  const X86Verdict verdict = judge(with_ordinary(R"(
typedef void blend_type(float*, const float*, size_t);
__attribute__((target("avx512f"))) static void blend_wide(float* a, const float* b, size_t n) { for (size_t i = 0; i < n; ++i) a[i] = a[i] * 0.5f + b[i]; }
static void blend_plain(float* a, const float* b, size_t n) { for (size_t i = 0; i < n; ++i) a[i] = a[i] * 0.5f + b[i]; }
static blend_type* chosen = blend_plain;
__attribute__((constructor)) static void choose(void) { __builtin_cpu_init(); if (__builtin_cpu_supports("avx512f")) chosen = blend_wide; }
void blend(float* a, const float* b, size_t n) { chosen(a, b, n); }
)"),
                                   {"-O3", "-s", "-mprefer-vector-width=512"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  EXPECT_EQ(verdict.v3_functions.direct, 0U);
  EXPECT_EQ(dispatched_levels(verdict), std::vector<X86Level>{X86Level::v4});
}

TEST_F(Dispatch, AnUnguardedExportIsProvenByName) {
  const X86Verdict verdict = judge(R"(
#include <stddef.h>
#include <immintrin.h>
int plain(int a) { return a + 1; }
__attribute__((target("avx2"))) void double_all(int* a) {
  __m256i v = _mm256_loadu_si256((const __m256i*)a);
  _mm256_storeu_si256((__m256i*)a, _mm256_add_epi32(v, v));
}
)",
                                   {"-march=x86-64", "-s"});
  EXPECT_EQ(verdict.built_for, X86Level::v3);
  ASSERT_FALSE(verdict.evidence.empty());
  const InstructionEvidence& proof = verdict.evidence.front();
  EXPECT_EQ(proof.function, "double_all");
  EXPECT_EQ(proof.proven_by, "double_all");
  EXPECT_EQ(proof.mnemonic, "vmovdqu");
  EXPECT_GE(proof.address, proof.function_address);
}

TEST_F(Dispatch, OneUnguardedExportAmongOlderCodeIsAnException) {
  std::string source = kOrdinary;
  for (int i = 0; i < 40; ++i) {
    source += "float ordinary_" + std::to_string(i) + "(float a, float b) { return (a - b) * "
              + std::to_string(i) + ".5f + a / b; }\n";
  }
  source +=
      "__attribute__((target(\"avx\"))) double risky(double a, double b) { return a * b + 1; }\n";
  const X86Verdict verdict = judge(source, {"-march=x86-64"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  ASSERT_EQ(verdict.exceptions.size(), 1U);
  EXPECT_EQ(verdict.exceptions[0].proven_by, "risky");
  EXPECT_EQ(verdict.exceptions[0].mnemonic, "vmulsd");
}

// Vector mathematics libraries export one function a width and leave the choice to the caller.
TEST_F(Dispatch, AFamilyOfExportsAmongOlderCodeIsNoBuildLevel) {
  std::string source = kOrdinary;
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(i);
    source += "float ordinary_" + number + "(float a, float b) { return (a - b) * " + number
              + ".5f + a / b; }\n";
    if (i % 4 == 0) {
      source += "__attribute__((target(\"avx\"))) double eight_" + number
                + "(double a, double b) { return a * b + " + number + "; }\n";
    }
  }
  const X86Verdict verdict = judge(source, {"-march=x86-64"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  EXPECT_EQ(verdict.exceptions.size(), kMostEvidence);
}

TEST_F(Dispatch, AFunctionThatNeedsMoreThanItsNamePromisesIsFound) {
  const X86Verdict verdict = judge(with_ordinary(R"(
#include <immintrin.h>
__attribute__((target("avx512f,avx512dq"), noinline)) void product_AVX512F(long* a) {
  __m512i v = _mm512_loadu_si512(a); _mm512_storeu_si512(a, _mm512_mullo_epi64(v, v)); }
__attribute__((target("avx2"), noinline)) void product_AVX2(long* a) {
  __m256i v = _mm256_loadu_si256((const __m256i*)a); _mm256_storeu_si256((__m256i*)a, _mm256_add_epi64(v, v)); }
void product(long* a) { if (__builtin_cpu_supports("avx512f")) product_AVX512F(a); else if (__builtin_cpu_supports("avx2")) product_AVX2(a); }
)"),
                                   {"-O2"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  ASSERT_EQ(verdict.broken_promises.size(), 1U);
  EXPECT_EQ(verdict.broken_promises[0].function, "product_AVX512F");
  EXPECT_EQ(verdict.broken_promises[0].promise, "avx512f");
  EXPECT_EQ(to_string(verdict.broken_promises[0].beyond), "avx512dq");
  EXPECT_EQ(verdict.broken_promises[0].evidence.mnemonic, "vpmullq");
}

TEST_F(Dispatch, CodeInsideACheckingFunctionIsGuardedToo) {
  const X86Verdict verdict = judge(with_ordinary(R"(
void hash(unsigned long* out, const unsigned long* in, size_t n) {
  if (__builtin_cpu_supports("popcnt")) { for (size_t i = 0; i < n; ++i) { unsigned long r; __asm__("popcntq %1, %0" : "=r"(r) : "r"(in[i])); out[i] = r; } }
  else { for (size_t i = 0; i < n; ++i) out[i] = (unsigned long)bits(in[i]); }
}
)"),
                                   {"-O2", "-s"});
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  EXPECT_EQ(dispatched_levels(verdict), std::vector<X86Level>{X86Level::v2});
}

TEST(DispatchOfNothing, EmptyAndForeignImagesNeedNothing) {
  EXPECT_EQ(judge_x86({}).built_for, X86Level::v1);
  const std::string bytes(4096, '\xc5');
  CodeImage image;
  image.text.push_back({~std::uint64_t{0} - 16, bytes, false});
  EXPECT_EQ(judge_x86(image).functions, 0U);
  image.text[0].address = 0x1000;
  image.functions.push_back({"outside", 0x9000, 64, true, false});
  image.functions.push_back({"inside", 0x1010, ~std::uint64_t{0}, true, true});
  image.unwind_ranges.push_back({0x1020, ~std::uint64_t{0}});
  image.slots.push_back({0x1000, CodeSlot::Kind::linkage, 0x1020, ""});
  const X86Verdict verdict = judge_x86(image);
  EXPECT_EQ(verdict.built_for, X86Level::v1);
  EXPECT_EQ(verdict.text_bytes, 4096U);
}

TEST(DispatchOfConstants, Rex2AmongConstantsIsNoNeed) {
  // A d5 prefix among them decodes, and the last one is cut off.
  const std::string bytes("\xde\x04\x04\x04\x04\xdf\x0a\xd5\xde\xdf\x0a\xd5", 12);
  CodeImage image;
  image.text.push_back({0x1000, bytes, false});
  image.functions.push_back({"constants", 0x1000, 12, true, false});
  const X86Verdict verdict = judge_x86(image);
  EXPECT_LE(verdict.built_for, verdict.highest);
  EXPECT_FALSE(verdict.all.contains(X86Feature::apx));
}

// Libraries of a distribution are built for v1 and choose at run time.
TEST(DispatchOfInstalledLibraries, StockFilesAreV1) {
  for (const char* path : {"/usr/lib/x86_64-linux-gnu/libc.so.6",
                           "/usr/lib/x86_64-linux-gnu/libm.so.6",
                           "/usr/lib/x86_64-linux-gnu/libmvec.so.1",
                           "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                           "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
                           "/usr/lib/x86_64-linux-gnu/libzstd.so.1",
                           "/usr/lib/x86_64-linux-gnu/libdav1d.so.6",
                           "/usr/lib/x86_64-linux-gnu/libx264.so.164",
                           "/usr/lib/x86_64-linux-gnu/libjpeg.so.62",
                           "/usr/lib/x86_64-linux-gnu/libnettle.so.8",
                           "/usr/lib/x86_64-linux-gnu/libitm.so.1"}) {
    const auto loaded = testing_support::ElfCodeImage::load(path);
    if (loaded) {
      const X86Verdict verdict = judge_x86(loaded->image());
      EXPECT_EQ(verdict.built_for, X86Level::v1) << path;
      EXPECT_GT(verdict.functions, 50U) << path;
    }
  }
}

}  // namespace
}  // namespace fitment
