/* Products of half floats (bfloat16), summed as floats. Some processors have an instruction for
   pairs of half floats (AVX512-BF16).

   Each output is summed in one fixed order, whatever other rows are in the batch. */
#ifndef ARCEAGER_HALF_PRODUCT_H
#define ARCEAGER_HALF_PRODUCT_H

#include <stddef.h>
#include <string.h>

#include "kernels.h"

#if defined(ARCEAGER_NEWER_INSTRUCTIONS)

#include <immintrin.h>

#define ARCEAGER_PAIRS __attribute__((target("avx512f,avx512bf16")))

/* Whether this processor has the instruction. */
static inline int has_half_product(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512bf16") != 0;
}

/* Whether products of half floats are faster than products of floats: AMD's processors make them
   twice as fast, but Intel's take twice as long for this instruction. */
static inline int is_half_product_fast(void) {
    return has_half_product() && !__builtin_cpu_is("intel");
}

enum { PAIR_VECTORS = ARCEAGER_LANES / 16 };

/* One strip of columns of the product of ROWS rows, summed in registers. */
template <int ROWS>
ARCEAGER_PAIRS ARCEAGER_INLINE
void half_product_strip(float *const *out, const half_float *const *in, size_t step,
                        const half_float *__restrict strip, const float *bias, int inner) {
    __m512 total[ROWS][PAIR_VECTORS];
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < PAIR_VECTORS; k++)
            total[j][k] = _mm512_loadu_ps(bias + 16 * k);
    for (int h = 0; h < inner; h += 2) {
        __m512bh row[PAIR_VECTORS];
        for (int k = 0; k < PAIR_VECTORS; k++)
            row[k] = (__m512bh)_mm512_loadu_si512(strip + (size_t)h * ARCEAGER_LANES + 32 * k);
        for (int j = 0; j < ROWS; j++) {
            int pair;
            memcpy(&pair, in[j] + h / 2 * step, sizeof(pair));
            const __m512bh x = (__m512bh)_mm512_set1_epi32(pair);
            for (int k = 0; k < PAIR_VECTORS; k++)
                total[j][k] = _mm512_dpbf16_ps(total[j][k], row[k], x);
        }
    }
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < PAIR_VECTORS; k++) _mm512_storeu_ps(out[j] + 16 * k, total[j][k]);
}

/* ROWS rows from the s-th on; where there are fewer, the last one is computed again. */
template <int ROWS>
ARCEAGER_PAIRS ARCEAGER_INLINE
void half_product_group(float *out, const half_float *const *in, size_t step,
                        const half_float *strip, const float *bias, int s, int n, int inner,
                        int width) {
    const half_float *group_in[ROWS];
    float *group_out[ROWS];
    for (int j = 0; j < ROWS; j++) {
        const int row = s + j < n ? s + j : n - 1;
        group_in[j] = in[row];
        group_out[j] = out + (size_t)row * width;
    }
    half_product_strip<ROWS>(group_out, group_in, step, strip, bias, inner);
}

/* out[n][width] = bias + in[n] * weights[inner][width]; in[i] points to a row of inputs, whose pairs
   begin `step` half floats apart. width is a multiple of ARCEAGER_LANES, inner is even. The weights
   lie strip by strip and pair by pair, [width / ARCEAGER_LANES][inner / 2][ARCEAGER_LANES][2]. To be
   called only if `has_half_product`. */
ARCEAGER_PAIRS
static inline void half_product(float *out, const half_float *const *in, size_t step,
                                const half_float *weights, const float *bias, int n, int inner,
                                int width) {
    enum { ROWS = ARCEAGER_ROWS };
    for (int w = 0; w < width; w += ARCEAGER_LANES) {
        const half_float *strip = weights + (size_t)w * inner;
        int s = 0;
        for (; s + ROWS / 2 < n; s += ROWS)
            half_product_group<ROWS>(out + w, in, step, strip, bias + w, s, n, inner, width);
        for (; s < n; s++)
            half_product_group<1>(out + w, in, step, strip, bias + w, s, n, inner, width);
    }
}

#else

static inline int has_half_product(void) { return 0; }

static inline int is_half_product_fast(void) { return 0; }

static inline void half_product(float *, const half_float *const *, size_t, const half_float *,
                                const float *, int, int, int) {}

#endif

#endif
