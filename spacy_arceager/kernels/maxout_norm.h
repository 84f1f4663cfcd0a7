/* Maxout with layer normalisation, forward and backward, for one row of products. */
#ifndef ARCEAGER_MAXOUT_NORM_H
#define ARCEAGER_MAXOUT_NORM_H

#include <math.h>
#include <stdint.h>

#include "kernels.h"

/* Marks a dropped unit among the winning pieces. */
enum { MAXOUT_DROPPED = 128 };

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
ARCEAGER_INLINE float maxout_norm_row_body(float *out, float *__restrict normed,
                                           unsigned char *__restrict which,
                                           const float *__restrict products,
                                           const float *__restrict gain,
                                           const float *__restrict shift, const float *residual,
                                           int pieces, int hidden) {
    maxout_body(normed, which, products, pieces, hidden);
    const float scale = normalize(normed, hidden);
    if (residual)
        for (int h = 0; h < hidden; h++)
            out[h] = residual[h] + (normed[h] * gain[h] + shift[h]);
    else
        for (int h = 0; h < hidden; h++) out[h] = normed[h] * gain[h] + shift[h];
    return scale;
}
ARCEAGER_VERSIONS_OF(maxout_norm_row)

/* 64 bits that look random and depend on all bits of x (Steele, Lea and Flood 2014, SplitMix64). */
ARCEAGER_INLINE uint64_t mix_bits(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Mark units to drop in which[size], each with a probability of threshold / 2^16. */
ARCEAGER_INLINE void drop_units_body(unsigned char *which, int size, uint64_t seed,
                                     unsigned threshold) {
    for (int i = 0; i < size; i += 4) {
        const uint64_t bits = mix_bits(seed + i / 4);
        for (int k = 0; k < 4 && i + k < size; k++)
            if (((bits >> (16 * k)) & 0xffff) < threshold) which[i + k] |= MAXOUT_DROPPED;
    }
}
ARCEAGER_VERSIONS_OF(drop_units)

/* out = residual + y with dropout of y, the layer's output. keep: the share of units that are not
   dropped. */
ARCEAGER_INLINE void apply_dropout_body(float *out, const float *normed,
                                        const unsigned char *which, const float *gain,
                                        const float *shift, const float *residual, int hidden,
                                        float keep) {
    for (int h = 0; h < hidden; h++) {
        const float y = (normed[h] * gain[h] + shift[h]) / keep;
        out[h] = (residual ? residual[h] : 0.0f) + (which[h] & MAXOUT_DROPPED ? 0.0f : y);
    }
}
ARCEAGER_VERSIONS_OF(apply_dropout)

/* The backward pass for one row: from the gradient of its output, d_out, to the gradient of its
   products, d_products[hidden][pieces], which must be zero before. Adds to the gradients of gain
   and shift. d_normed is scratch. */
ARCEAGER_INLINE void backprop_maxout_norm_row_body(float *__restrict d_products,
                                                   float *__restrict d_gain,
                                                   float *__restrict d_shift,
                                                   float *__restrict d_normed,
                                                   const float *__restrict d_out,
                                                   const float *__restrict normed,
                                                   const unsigned char *__restrict which,
                                                   const float *__restrict gain, float scale,
                                                   int pieces, int hidden, float keep) {
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
ARCEAGER_VERSIONS_OF(backprop_maxout_norm_row)

#endif
