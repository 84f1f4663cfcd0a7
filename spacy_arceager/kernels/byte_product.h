/* Products of bytes, summed as whole numbers. Some processors have an instruction for four bytes at
   a time (AVX512-VNNI, or AVX-VNNI with vectors of half the size).

   Each row of inputs and each column of weights has a scale: a float is about its byte times the
   scale. A row of the product may read several rows of inputs, one behind the other, each with its
   own scale. Sums of whole numbers are exact, and those of the rows are added in one fixed order,
   whatever other rows are in the batch. */
#ifndef ARCEAGER_BYTE_PRODUCT_H
#define ARCEAGER_BYTE_PRODUCT_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

/* The bytes of `size` floats, from -127 to 127, and their scale, which is NaN unless all floats are
   finite. Returns the sum of the bytes. */
ARCEAGER_INLINE int to_bytes_body(int8_t *__restrict bytes, float *scale,
                                  const float *__restrict x, int size) {
    /* Without their signs, floats have the order of their bits. */
    uint32_t highest_bits = 0;
    for (int i = 0; i < size; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof(bits));
        bits &= 0x7fffffff;
        highest_bits = bits > highest_bits ? bits : highest_bits;
    }
    float highest;
    memcpy(&highest, &highest_bits, sizeof(highest));
    const float factor = highest > 0 ? 127.0f / highest : 0.0f;
    int sum = 0;
    for (int i = 0; i < size; i++) {
        float value = x[i] * factor;
        value = value > -127.0f ? value : -127.0f;    /* also where it is NaN */
        value = value < 127.0f ? value : 127.0f;
        const int whole = (int)rintf(value);
        bytes[i] = (int8_t)whole;
        sum += whole;
    }
    *scale = highest <= FLT_MAX ? highest / 127.0f : NAN;
    return sum;
}
ARCEAGER_VERSIONS_OF(to_bytes)

/* A row of the product's inputs: rows of bytes one behind the other, and their scales and sums. */
struct ByteRow {
    const int8_t *bytes;
    const float *scales;
    const int *sums;
};

/* out[n][width] = bias + in[n] * weights[inner][width]. The inputs have rows of in_width bytes, of
   which each row of the product reads inner / in_width. width is a multiple of ARCEAGER_LANES,
   in_width of 4. The weights are 128 too high and lie strip by strip and four by four,
   [width / ARCEAGER_LANES][inner / 4][ARCEAGER_LANES][4]. */
typedef void (*ByteProduct)(float *out, const struct ByteRow *in, const uint8_t *weights,
                            const float *bias, const float *column_scales, int n, int inner,
                            int in_width, int width);

#if defined(ARCEAGER_NEWER_INSTRUCTIONS)

#include <cpuid.h>
#include <immintrin.h>

#define VERSION(NAME) NAME##_512
#define VECTOR_BITS 512
#define TARGET __attribute__((target("avx512f,avx512vnni")))
#include "byte_product_version.h"

/* The instruction has two codes for vectors of 256 bits, and no processor must have both. */
#define VERSION(NAME) NAME##_256
#define VECTOR_BITS 256
#define TARGET __attribute__((target("fma,avx512f,avx512vl,avx512vnni")))
#include "byte_product_version.h"

#define VERSION(NAME) NAME##_avx
#define VECTOR_BITS 256
#define TARGET __attribute__((target("avx2,fma,avxvnni")))
#include "byte_product_version.h"

static inline int has_avx_vnni(void) {
    enum { LEAF = 7, AVX_VNNI = 1 << 4 };
    unsigned eax, ebx, ecx, edx;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __get_cpuid_count(LEAF, 1, &eax, &ebx, &ecx, &edx) && (eax & AVX_VNNI);
}

/* The product in vectors of 512 or 256 bits; NULL if this processor has no instruction for it. */
static inline ByteProduct find_byte_product(int bits) {
    __builtin_cpu_init();
    const int has_avx512_vnni = __builtin_cpu_supports("avx512vnni") != 0;
    if (bits == 512) return has_avx512_vnni ? byte_product_512 : NULL;
    if (has_avx_vnni()) return byte_product_avx;
    return has_avx512_vnni && __builtin_cpu_supports("avx512vl") ? byte_product_256 : NULL;
}

#else

static inline ByteProduct find_byte_product(int) { return NULL; }

#endif

#endif
