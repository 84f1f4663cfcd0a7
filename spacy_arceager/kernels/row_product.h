/* Products of rows of inputs with weights.

   Rows may overlap, so that a window of words is read where the words' vectors lie, without a
   copy. Each output is summed in one fixed order by the same instructions, whatever other rows
   are in the batch. */
#ifndef ARCEAGER_ROW_PRODUCT_H
#define ARCEAGER_ROW_PRODUCT_H

#include "kernels.h"

/* So many rows are multiplied at a time: their products stay in the second-level cache until they
   are used. */
enum { ROW_BLOCK = 120 };

/* The product of ROWS rows with COLUMNS columns of a strip, summed in registers. */
template <int ROWS, int COLUMNS>
ARCEAGER_INLINE void row_tile(float *const *out, const float *const *in,
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

/* out[n][width] = bias + in[n] * weights, strip by strip; in[i] points to a row of inputs. A
   last group of fewer than ROWS rows repeats the last one, so that every row is computed by the
   same instructions. */
template <int ROWS, int COLUMNS>
ARCEAGER_INLINE void row_product_tiled(float *out, const float *const *in,
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
                row_tile<ROWS, COLUMNS>(group_out, group_in, strip + k, bias + w + k,
                                           inner);
            }
    }
}

/* There are as many sums as the processor's registers hold: it has 32 registers of 16 floats, 16 of
   8, or 16 of 4. */
#define ROW_PRODUCT_VERSION(NAME, TARGET, ROWS, COLUMNS)                                  \
    TARGET static inline void NAME(                                                       \
        float *out, const float *const *in, const float *weights, const float *bias,      \
        int n, int inner, int width) {                                                    \
        row_product_tiled<ROWS, COLUMNS>(out, in, weights, bias, n, inner, width);        \
    }

#if defined(ARCEAGER_VERSIONS)
ROW_PRODUCT_VERSION(row_product_sse2, , 2, 24)
ROW_PRODUCT_VERSION(row_product_avx2, ARCEAGER_AVX2, 4, 24)
ROW_PRODUCT_VERSION(row_product_avx512, ARCEAGER_AVX512, 6, 48)
static void (*const row_product)(float *out, const float *const *in, const float *weights,
                                 const float *bias, int n, int inner, int width)
    = choose(row_product_sse2, row_product_avx2, row_product_avx512);
#elif defined(__AVX512F__)
ROW_PRODUCT_VERSION(row_product, , 6, 48)
#elif (defined(__x86_64__) || defined(_M_X64)) && !defined(__AVX2__)   /* MSVC has the second name */
ROW_PRODUCT_VERSION(row_product, , 2, 24)
#else
ROW_PRODUCT_VERSION(row_product, , 4, 24)
#endif

#endif
