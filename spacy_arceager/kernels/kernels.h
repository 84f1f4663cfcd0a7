/* The arithmetic of a step of the parser: sums of rows, maxout, the best of some scores,
   and exponentials.

   Each output element is summed in one fixed order, whatever else is in the batch, so
   that a parse does not depend on its neighbours. */
#ifndef ARCEAGER_KERNELS_H
#define ARCEAGER_KERNELS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "processor.h"

/* How many floats are summed side by side in registers. sum_rows waits for memory, so that one
   vector of 16 floats is enough. A product waits for its own additions, so that twelve vectors
   (4 rows of 48 floats) are summed at a time. */
enum { SUM_LANES = 16, ARCEAGER_LANES = 48, ARCEAGER_ROWS = 4 };

/* The upper half of a float: its exponent and seven bits more (bfloat16). */
typedef uint16_t half_float;

ARCEAGER_INLINE float to_float(float x) { return x; }

ARCEAGER_INLINE float to_float(half_float x) {
    const uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* The nearest half float. */
ARCEAGER_INLINE half_float half_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits += 0x7fff + ((bits >> 16) & 1);
    return (half_float)(bits >> 16);
}

/* out[n] = in[n], to the nearest half floats. */
ARCEAGER_INLINE void to_half_body(half_float *__restrict out, const float *__restrict in,
                                  size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = half_of(in[i]);
}
ARCEAGER_VERSIONS_OF(to_half)

/* Two half floats side by side in memory. */
ARCEAGER_INLINE uint32_t pair_of(float x, float y) {
    const half_float both[2] = {half_of(x), half_of(y)};
    uint32_t pair;
    memcpy(&pair, both, sizeof(pair));
    return pair;
}

/* The numbers of two rows side by side, column by column: out[(n + 1) / 2][width]. The rows of `in`
   are `stride` apart and have `columns` columns; the others, and a row behind an odd last one, are
   zeros. */
ARCEAGER_INLINE void pair_rows_body(uint32_t *__restrict out, const float *__restrict in,
                                    size_t stride, int n, int columns, int width) {
    for (int h = 0; h < n; h += 2) {
        const float *first = in + (size_t)h * stride, *second = first + stride;
        uint32_t *pairs = out + (size_t)h / 2 * width;
        if (h + 1 < n)
            for (int k = 0; k < columns; k++) pairs[k] = pair_of(first[k], second[k]);
        else
            for (int k = 0; k < columns; k++) pairs[k] = pair_of(first[k], 0);
        for (int k = columns; k < width; k++) pairs[k] = 0;
    }
}
ARCEAGER_VERSIONS_OF(pair_rows)

template <typename NUMBER>
ARCEAGER_INLINE void sum_rows_of(float *__restrict out, const float *__restrict bias,
                                 const NUMBER *const *rows, int n_rows, int size) {
    int i = 0;
    for (; i + SUM_LANES <= size; i += SUM_LANES) {
        float total[SUM_LANES];
        for (int k = 0; k < SUM_LANES; k++) total[k] = bias[i + k];
        for (int r = 0; r < n_rows; r++)
            for (int k = 0; k < SUM_LANES; k++) total[k] += to_float(rows[r][i + k]);
        for (int k = 0; k < SUM_LANES; k++) out[i + k] = total[k];
    }
    for (; i < size; i++) {
        float total = bias[i];
        for (int r = 0; r < n_rows; r++) total += to_float(rows[r][i]);
        out[i] = total;
    }
}

/* out[size] = bias + rows[0] + rows[1] + ... */
ARCEAGER_INLINE void sum_rows_body(float *__restrict out, const float *__restrict bias,
                                   const float *const *rows, int n_rows, int size) {
    sum_rows_of(out, bias, rows, n_rows, size);
}
ARCEAGER_VERSIONS_OF(sum_rows)

/* The same for rows of half floats, which are summed as floats. */
ARCEAGER_INLINE void sum_half_rows_body(float *__restrict out, const float *__restrict bias,
                                        const half_float *const *rows, int n_rows, int size) {
    sum_rows_of(out, bias, rows, n_rows, size);
}
ARCEAGER_VERSIONS_OF(sum_half_rows)

/* Maxout: out[hidden] is the highest of in[pieces][hidden], and which[hidden] the piece that has
   it. */
ARCEAGER_INLINE void maxout_body(float *__restrict out, unsigned char *__restrict which,
                                 const float *__restrict in, int pieces, int hidden) {
    memcpy(out, in, hidden * sizeof(float));
    memset(which, 0, hidden);
    for (int p = 1; p < pieces; p++) {
        const float *piece = in + (size_t)p * hidden;
        for (int h = 0; h < hidden; h++) {
            which[h] = piece[h] > out[h] ? (unsigned char)p : which[h];
            out[h] = piece[h] > out[h] ? piece[h] : out[h];
        }
    }
}
ARCEAGER_VERSIONS_OF(maxout)

/* Makes scores finite, so that they have an order; NaN becomes the lowest finite float. Returns
   whether all scores were finite before. */
ARCEAGER_INLINE int make_finite_body(float *__restrict scores, size_t n) {
    int finite = 1;
    for (size_t i = 0; i < n; i++) {
        const float score = scores[i];
        const float above = score > -FLT_MAX ? score : -FLT_MAX;
        scores[i] = above < FLT_MAX ? above : FLT_MAX;
        finite &= scores[i] == score;
    }
    return finite;
}
ARCEAGER_VERSIONS_OF(make_finite)

/* The highest score; n > 0. The last vector may overlap with the one before. */
ARCEAGER_INLINE float highest_of(const float *scores, int n) {
    float highest = scores[0];
    if (n < SUM_LANES) {
        for (int i = 1; i < n; i++) highest = scores[i] > highest ? scores[i] : highest;
        return highest;
    }
    float lanes[SUM_LANES];
    for (int k = 0; k < SUM_LANES; k++) lanes[k] = highest;
    for (int i = 0; i < n; i += SUM_LANES) {
        const float *some = scores + (i + SUM_LANES <= n ? i : n - SUM_LANES);
        for (int k = 0; k < SUM_LANES; k++) lanes[k] = some[k] > lanes[k] ? some[k] : lanes[k];
    }
    for (int k = 0; k < SUM_LANES; k++) highest = lanes[k] > highest ? lanes[k] : highest;
    return highest;
}

ARCEAGER_INLINE float find_highest_score_body(const float *scores, int n) {
    return highest_of(scores, n);
}
ARCEAGER_VERSIONS_OF(find_highest_score)

/* The index of the highest score, the first of several; n > 0. */
ARCEAGER_INLINE int find_highest_body(const float *scores, int n) {
    const float highest = highest_of(scores, n);
    int i = 0;
    for (; i < n - 1; i++)
        if (scores[i] == highest) break;
    return i;
}
ARCEAGER_VERSIONS_OF(find_highest)

/* The index of the first score, from `first` on, that is at least `lowest`; n if there is none. */
ARCEAGER_INLINE int find_at_least_body(const float *scores, int first, int n, double lowest) {
    int i = first;
    for (; i + SUM_LANES <= n; i += SUM_LANES) {
        int found = 0;
        for (int k = 0; k < SUM_LANES; k++) found |= scores[i + k] >= lowest;
        if (found) break;
    }
    for (; i < n; i++)
        if (scores[i] >= lowest) break;
    return i;
}
ARCEAGER_VERSIONS_OF(find_at_least)

/* exp(x) for x <= 0, with an error below 2e-7: 2 to the power of a whole number, times the
   polynomial of Moshier's Cephes library (1992). The compiler turns a loop over it into vector
   instructions, but not a loop over the library's expf. NaN counts as the lowest number. */
static inline float exp_of_negative(float x) {
    const float lowest = -87.0f;   /* below, the result would not be a normal number */
    x = x > lowest ? x : lowest;
    x = x < 0.0f ? x : 0.0f;
    const float whole = rintf(x * 1.44269504f);
    const float rest = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
    float value = 1.9875691500e-4f;
    value = value * rest + 1.3981999507e-3f;
    value = value * rest + 8.3334519073e-3f;
    value = value * rest + 4.1665795894e-2f;
    value = value * rest + 1.6666665459e-1f;
    value = value * rest + 5.0000001201e-1f;
    value = value * rest * rest + rest + 1.0f;
    const int bits = ((int)whole + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof(power));
    return value * power;
}

/* out = exp(scores - highest); returns the sum. No score is above `highest`. The last vector may
   overlap with the one before, and adds only what is new in it. */
ARCEAGER_INLINE float exp_scores_body(float *__restrict out, const float *__restrict scores,
                                      int n, float highest) {
    float lanes[SUM_LANES] = {0};
    float total = 0;
    if (n < SUM_LANES) {
        for (int i = 0; i < n; i++) {
            out[i] = exp_of_negative(scores[i] - highest);
            total += out[i];
        }
        return total;
    }
    for (int i = 0; i < n; i += SUM_LANES) {
        const int n_known = i + SUM_LANES <= n ? 0 : i + SUM_LANES - n;
        const float *in = scores + i - n_known;
        float *to = out + i - n_known;
        for (int k = 0; k < SUM_LANES; k++) {
            const float value = exp_of_negative(in[k] - highest);
            to[k] = value;
            lanes[k] += k >= n_known ? value : 0.0f;
        }
    }
    for (int k = 0; k < SUM_LANES; k++) total += lanes[k];
    return total;
}
ARCEAGER_VERSIONS_OF(exp_scores)

/* out += in */
ARCEAGER_INLINE void add_to_body(float *__restrict out, const float *__restrict in, int size) {
    for (int i = 0; i < size; i++) out[i] += in[i];
}
ARCEAGER_VERSIONS_OF(add_to)

/* out += scale * in */
ARCEAGER_INLINE void add_scaled_body(float *__restrict out, const float *__restrict in,
                                     float scale, int size) {
    for (int i = 0; i < size; i++) out[i] += scale * in[i];
}
ARCEAGER_VERSIONS_OF(add_scaled)

#endif
