// aarch64-linux-gnu-as -march=armv8.6-a+sve libpool.s -o libpool.o
// aarch64-linux-gnu-ld -shared -z max-page-size=4096 --build-id=none -soname libpool.so.1 libpool.o -o libpool.so
.text
.macro function name
.p2align 3
.global \name
.type \name, %function
\name:
.endm
.macro done name
ret
.size \name, . - \name
.endm

function count                // LSE atomics: armv8.1-a
ldadd w0, w1, [x2]
done count

function persist              // DC CVAP: armv8.2-a
dc cvap, x0
done persist

function scale_sve            // named for what it needs
add z0.s, z0.s, z1.s
done scale_sve

.p2align 3
.type dot_wide, %function
dot_wide:                     // only the resolver names it
sdot v0.4s, v1.16b, v2.16b
done dot_wide

.p2align 3
.type dot_plain, %function
dot_plain:
smull v0.8h, v1.8b, v2.8b
done dot_plain

.p2align 3
.global dot
.type dot, %gnu_indirect_function
dot:
adrp x1, dot_plain
add x1, x1, :lo12:dot_plain
adrp x2, dot_wide
add x2, x2, :lo12:dot_wide
tst x0, #1048576
csel x0, x2, x1, ne
done dot
