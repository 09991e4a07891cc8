// gcc -O2 -march=x86-64 -shared -fPIC -nostdlib -fno-tree-vectorize -fno-asynchronous-unwind-tables -Wl,-z,noseparate-code
//   -Wl,--build-id=none -Wl,-soname,libmix.so.1 -o libmix.so libmix.c
typedef float wide __attribute__((vector_size(32)));

static int has_avx2;

__attribute__((constructor)) static void ask(void) {
  unsigned a = 7, b, c = 0, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  has_avx2 = (int)(b >> 5 & 1);
}

__attribute__((noinline, target("avx2,fma"))) static void scale_wide(float* x, float f, long n) {
  for (long i = 0; i + 8 <= n; i += 8) {
    *(wide*)(x + i) = *(wide*)(x + i) * f + f;
  }
}

__attribute__((noinline)) static void scale_plain(float* x, float f, long n) {
  for (long i = 0; i < n; ++i) {
    x[i] = x[i] * f + f;
  }
}

void scale(float* x, float f, long n) {
  if (has_avx2) {
    scale_wide(x, f, n);
  } else {
    scale_plain(x, f, n);
  }
}

int count_bits(unsigned long v) {
  unsigned long bits = v;
  if (has_avx2) {
    __asm__("popcntq %0, %0" : "+r"(bits));
    return (int)bits;
  }
  return __builtin_parityl(v);
}

// Nobody asks before this one runs.
__attribute__((target("avx"))) double risky(double a, double b) {
  return a * b + 1;
}

#define ORDINARY(N) \
  double ordinary_##N(double a, double b) { return (a - b) * N + a / b; }
#define TEN(N) ORDINARY(N##0) ORDINARY(N##1) ORDINARY(N##2) ORDINARY(N##3) ORDINARY(N##4) \
  ORDINARY(N##5) ORDINARY(N##6) ORDINARY(N##7) ORDINARY(N##8) ORDINARY(N##9)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(11) TEN(12) TEN(13)
