/* Maxout with layer normalisation over rows of inputs, forward and backward.

   Rows may overlap, so that a window of words is read where the words' vectors lie, without a
   copy. Each output is summed in one fixed order by the same instructions, whatever other rows
   are in the batch. */
#ifndef ARCEAGER_MAXOUT_NORM_H
#define ARCEAGER_MAXOUT_NORM_H

#include <math.h>
#include <stdint.h>

#include "kernels.h"

/* MAXOUT_BLOCK rows are multiplied at a time: their products stay in the second-level cache until
   they are normalised. MAXOUT_DROPPED marks a dropped unit among the winning pieces. */
enum { MAXOUT_BLOCK = 120, MAXOUT_DROPPED = 128 };

/* The product of ROWS rows with COLUMNS columns of a strip, summed in registers. */
template <int ROWS, int COLUMNS>
ARCEAGER_INLINE void maxout_tile(float *const *out, const float *const *in,
                                 const float *__restrict strip, const float *__restrict bias,
                                 int inner) {
    float total[ROWS][COLUMNS];
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < COLUMNS; k++) total[j][k] = bias[k];
    for (int h = 0; h < inner; h++) {
        const float *row = strip + (size_t)h * ARCEAGER_LANES;
        for (int j = 0; j < ROWS; j++) {
            const float x = in[j][h];
            for (int k = 0; k < COLUMNS; k++) total[j][k] += x * row[k];
        }
    }
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < COLUMNS; k++) out[j][k] = total[j][k];
}

/* out[n][width] = bias + in[n] * weights, strip by strip as in `product`; in[i] points to a row of
   inputs. A last group of fewer than ROWS rows repeats the last one, so that every row is computed
   by the same instructions. */
template <int ROWS, int COLUMNS>
ARCEAGER_INLINE void maxout_product_tiled(float *out, const float *const *in,
                                          const float *weights, const float *bias, int n,
                                          int inner, int width) {
    const float *group_in[ROWS];
    float *group_out[ROWS];
    for (int w = 0; w < width; w += ARCEAGER_LANES) {
        const float *strip = weights + (size_t)w * inner;
        for (int s = 0; s < n; s += ROWS)
            for (int k = 0; k < ARCEAGER_LANES; k += COLUMNS) {
                for (int j = 0; j < ROWS; j++) {
                    const int row = s + j < n ? s + j : n - 1;
                    group_in[j] = in[row];
                    group_out[j] = out + (size_t)row * width + w + k;
                }
                maxout_tile<ROWS, COLUMNS>(group_out, group_in, strip + k, bias + w + k,
                                           inner);
            }
    }
}

/* There are as many sums as the processor's registers hold: it has 32 registers of 16 floats, 16 of
   8, or 16 of 4. */
#define MAXOUT_PRODUCT_VERSION(TARGET, ROWS, COLUMNS)                                         \
    TARGET static inline void maxout_product(                                                 \
        float *out, const float *const *in, const float *weights, const float *bias, int n,   \
        int inner, int width) {                                                               \
        maxout_product_tiled<ROWS, COLUMNS>(out, in, weights, bias, n, inner, width);         \
    }

#if defined(ARCEAGER_VERSIONS)
MAXOUT_PRODUCT_VERSION(__attribute__((target("arch=x86-64-v4"))), 6, 48)
MAXOUT_PRODUCT_VERSION(__attribute__((target("arch=x86-64-v3"))), 4, 24)
MAXOUT_PRODUCT_VERSION(__attribute__((target("default"))), 2, 24)
#elif defined(__AVX512F__)
MAXOUT_PRODUCT_VERSION(, 6, 48)
#elif defined(__x86_64__) && !defined(__AVX2__)
MAXOUT_PRODUCT_VERSION(, 2, 24)
#else
MAXOUT_PRODUCT_VERSION(, 4, 24)
#endif

ARCEAGER_INLINE float sum_lanes(const float *lanes) {
    float total = 0;
    for (int k = 0; k < SUM_LANES; k++) total += lanes[k];
    return total;
}

ARCEAGER_INLINE float sum_of(const float *__restrict x, int size) {
    float lanes[SUM_LANES] = {0};
    int i = 0;
    for (; i + SUM_LANES <= size; i += SUM_LANES)
        for (int k = 0; k < SUM_LANES; k++) lanes[k] += x[i + k];
    float total = sum_lanes(lanes);
    for (; i < size; i++) total += x[i];
    return total;
}

ARCEAGER_INLINE float sum_of_products(const float *__restrict x, const float *__restrict y,
                                      int size) {
    float lanes[SUM_LANES] = {0};
    int i = 0;
    for (; i + SUM_LANES <= size; i += SUM_LANES)
        for (int k = 0; k < SUM_LANES; k++) lanes[k] += x[i + k] * y[i + k];
    float total = sum_lanes(lanes);
    for (; i < size; i++) total += x[i] * y[i];
    return total;
}

/* x[size] -> (x - mean) / deviation; returns 1 / deviation. */
ARCEAGER_INLINE float normalize(float *__restrict x, int size) {
    const float mean = sum_of(x, size) / size;
    for (int i = 0; i < size; i++) x[i] -= mean;
    const float scale = 1.0f / sqrtf(sum_of_products(x, x, size) / size + 1e-8f);
    for (int i = 0; i < size; i++) x[i] *= scale;
    return scale;
}

/* The layer for one row. products[pieces][hidden] -> normed, the normalised maxout; which, the
   winning piece of each unit; and out = normed * gain + shift (+ residual, unless it is NULL).
   Returns 1 / deviation. */
ARCEAGER_FAST
static float maxout_norm_row(float *out, float *__restrict normed,
                             unsigned char *__restrict which, const float *__restrict products,
                             const float *__restrict gain, const float *__restrict shift,
                             const float *residual, int pieces, int hidden) {
    maxout(normed, which, products, pieces, hidden);
    const float scale = normalize(normed, hidden);
    if (residual)
        for (int h = 0; h < hidden; h++)
            out[h] = residual[h] + (normed[h] * gain[h] + shift[h]);
    else
        for (int h = 0; h < hidden; h++) out[h] = normed[h] * gain[h] + shift[h];
    return scale;
}

/* 64 bits that look random and depend on all bits of x (Steele, Lea and Flood 2014, SplitMix64). */
ARCEAGER_INLINE uint64_t mix_bits(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Mark units to drop in which[size], each with a probability of threshold / 2^16. */
ARCEAGER_FAST
static void drop_units(unsigned char *which, int size, uint64_t seed, unsigned threshold) {
    for (int i = 0; i < size; i += 4) {
        const uint64_t bits = mix_bits(seed + i / 4);
        for (int k = 0; k < 4 && i + k < size; k++)
            if (((bits >> (16 * k)) & 0xffff) < threshold) which[i + k] |= MAXOUT_DROPPED;
    }
}

/* out = residual + y with dropout of y, the layer's output. keep: the share of units that are not
   dropped. */
ARCEAGER_FAST
static void apply_dropout(float *out, const float *normed, const unsigned char *which,
                          const float *gain, const float *shift, const float *residual,
                          int hidden, float keep) {
    for (int h = 0; h < hidden; h++) {
        const float y = (normed[h] * gain[h] + shift[h]) / keep;
        out[h] = (residual ? residual[h] : 0.0f) + (which[h] & MAXOUT_DROPPED ? 0.0f : y);
    }
}

/* The backward pass for one row: from the gradient of its output, d_out, to the gradient of its
   products, d_products[hidden][pieces], which must be zero before. Adds to the gradients of gain
   and shift. d_normed is scratch. */
ARCEAGER_FAST
static void backprop_maxout_norm_row(float *__restrict d_products, float *__restrict d_gain,
                                     float *__restrict d_shift, float *__restrict d_normed,
                                     const float *__restrict d_out,
                                     const float *__restrict normed,
                                     const unsigned char *__restrict which,
                                     const float *__restrict gain, float scale, int pieces,
                                     int hidden, float keep) {
    for (int h = 0; h < hidden; h++) {
        const float d = which[h] & MAXOUT_DROPPED ? 0.0f : d_out[h] / keep;
        d_shift[h] += d;
        d_gain[h] += d * normed[h];
        d_normed[h] = d * gain[h];
    }
    const float mean = sum_of(d_normed, hidden) / hidden;
    const float slope = sum_of_products(d_normed, normed, hidden) / hidden;
    for (int h = 0; h < hidden; h++) {
        const int piece = which[h] & (MAXOUT_DROPPED - 1);
        d_products[h * pieces + piece] = (d_normed[h] - mean - normed[h] * slope) * scale;
    }
}

#endif
