/* Products of bytes, summed as whole numbers. Some processors have an instruction for four bytes at
   a time (AVX512-VNNI).

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
ARCEAGER_FAST
static int to_bytes(int8_t *__restrict bytes, float *scale, const float *__restrict x, int size) {
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

/* A row of the product's inputs: rows of bytes one behind the other, and their scales and sums. */
struct ByteRow {
    const int8_t *bytes;
    const float *scales;
    const int *sums;
};

#if defined(ARCEAGER_NEWER_INSTRUCTIONS)

#include <immintrin.h>

#define ARCEAGER_FOURS __attribute__((target("avx512f,avx512vnni")))

/* Whether this processor has the instruction. */
static inline int has_byte_product(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vnni") != 0;
}

enum { FOUR_VECTORS = ARCEAGER_LANES / 16 };

/* One strip of columns of the product of ROWS rows, summed in registers. The instruction takes
   weights without a sign: they are 128 too high, which the sums of the inputs' bytes correct. */
template <int ROWS>
ARCEAGER_FOURS ARCEAGER_INLINE
void byte_product_strip(float *const *out, const struct ByteRow *in,
                        const uint8_t *__restrict strip, const float *bias,
                        const float *column_scales, int inner, int in_width) {
    __m512 total[ROWS][FOUR_VECTORS];
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < FOUR_VECTORS; k++) total[j][k] = _mm512_setzero_ps();
    for (int row = 0; row * in_width < inner; row++) {
        __m512i sum[ROWS][FOUR_VECTORS];
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < FOUR_VECTORS; k++)
                sum[j][k] = _mm512_set1_epi32(-128 * in[j].sums[row]);
        for (int h = row * in_width; h < (row + 1) * in_width; h += 4) {
            __m512i weights[FOUR_VECTORS];
            for (int k = 0; k < FOUR_VECTORS; k++)
                weights[k] = _mm512_loadu_si512(strip + (size_t)h * ARCEAGER_LANES + 64 * k);
            for (int j = 0; j < ROWS; j++) {
                int four;
                memcpy(&four, in[j].bytes + h, sizeof(four));
                const __m512i x = _mm512_set1_epi32(four);
                for (int k = 0; k < FOUR_VECTORS; k++)
                    sum[j][k] = _mm512_dpbusd_epi32(sum[j][k], weights[k], x);
            }
        }
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < FOUR_VECTORS; k++)
                total[j][k] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum[j][k]),
                                              _mm512_set1_ps(in[j].scales[row]), total[j][k]);
    }
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < FOUR_VECTORS; k++)
            _mm512_storeu_ps(out[j] + 16 * k,
                             _mm512_fmadd_ps(total[j][k], _mm512_loadu_ps(column_scales + 16 * k),
                                             _mm512_loadu_ps(bias + 16 * k)));
}

/* ROWS rows from the s-th on; where there are fewer, the last one is computed again. */
template <int ROWS>
ARCEAGER_FOURS ARCEAGER_INLINE
void byte_product_group(float *out, const struct ByteRow *in, const uint8_t *strip,
                        const float *bias, const float *column_scales, int s, int n, int inner,
                        int in_width, int width) {
    struct ByteRow group_in[ROWS];
    float *group_out[ROWS];
    for (int j = 0; j < ROWS; j++) {
        const int row = s + j < n ? s + j : n - 1;
        group_in[j] = in[row];
        group_out[j] = out + (size_t)row * width;
    }
    byte_product_strip<ROWS>(group_out, group_in, strip, bias, column_scales, inner, in_width);
}

/* out[n][width] = bias + in[n] * weights[inner][width]. The inputs have rows of in_width bytes, of
   which each row of the product reads inner / in_width. width is a multiple of ARCEAGER_LANES,
   in_width of 4. The weights are 128 too high and lie strip by strip and four by four,
   [width / ARCEAGER_LANES][inner / 4][ARCEAGER_LANES][4]. To be called only if
   `has_byte_product`. */
ARCEAGER_FOURS
static inline void byte_product(float *out, const struct ByteRow *in, const uint8_t *weights,
                                const float *bias, const float *column_scales, int n, int inner,
                                int in_width, int width) {
    enum { ROWS = ARCEAGER_ROWS };
    for (int w = 0; w < width; w += ARCEAGER_LANES) {
        const uint8_t *strip = weights + (size_t)w * inner;
        int s = 0;
        for (; s + ROWS / 2 < n; s += ROWS)
            byte_product_group<ROWS>(out + w, in, strip, bias + w, column_scales + w, s, n, inner,
                                     in_width, width);
        for (; s < n; s++)
            byte_product_group<1>(out + w, in, strip, bias + w, column_scales + w, s, n, inner,
                                  in_width, width);
    }
}

#else

static inline int has_byte_product(void) { return 0; }

static inline void byte_product(float *, const struct ByteRow *, const uint8_t *, const float *,
                                const float *, int, int, int, int) {}

#endif

#endif
