/* The functions of byte_product.h for vectors of VECTOR_BITS and the instructions of TARGET. It is
   included once for each; VERSION(NAME) is what NAME is called in this version. */
#if VECTOR_BITS == 512
#define VECTOR(NAME) _mm512_##NAME
#define FLOATS __m512
#define WHOLES __m512i
#define N_ROWS ARCEAGER_ROWS        /* as many sums as there are registers for */
#else
#define VECTOR(NAME) _mm256_##NAME
#define FLOATS __m256
#define WHOLES __m256i
#define N_ROWS (ARCEAGER_ROWS / 2)
#endif
#define IN_VECTOR (VECTOR_BITS / 32)
#define N_VECTORS (ARCEAGER_LANES / IN_VECTOR)

/* One strip of columns of the product of ROWS rows, summed in registers. The instruction takes
   weights without a sign: they are 128 too high, which the sums of the inputs' bytes correct. */
template <int ROWS>
TARGET ARCEAGER_INLINE
void VERSION(byte_product_strip)(float *const *out, const struct ByteRow *in,
                                 const uint8_t *__restrict strip, const float *bias,
                                 const float *column_scales, int inner, int in_width) {
    FLOATS total[ROWS][N_VECTORS];
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < N_VECTORS; k++) total[j][k] = VECTOR(setzero_ps)();
    for (int row = 0; row * in_width < inner; row++) {
        WHOLES sum[ROWS][N_VECTORS];
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < N_VECTORS; k++)
                sum[j][k] = VECTOR(set1_epi32)(-128 * in[j].sums[row]);
        for (int h = row * in_width; h < (row + 1) * in_width; h += 4) {
            WHOLES weights[N_VECTORS];
            for (int k = 0; k < N_VECTORS; k++)
                memcpy(&weights[k], strip + (size_t)h * ARCEAGER_LANES + 4 * IN_VECTOR * k,
                       sizeof(WHOLES));
            for (int j = 0; j < ROWS; j++) {
                int four;
                memcpy(&four, in[j].bytes + h, sizeof(four));
                const WHOLES x = VECTOR(set1_epi32)(four);
                for (int k = 0; k < N_VECTORS; k++)
                    sum[j][k] = VECTOR(dpbusd_epi32)(sum[j][k], weights[k], x);
            }
        }
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < N_VECTORS; k++)
                total[j][k] = VECTOR(fmadd_ps)(VECTOR(cvtepi32_ps)(sum[j][k]),
                                               VECTOR(set1_ps)(in[j].scales[row]), total[j][k]);
    }
    for (int j = 0; j < ROWS; j++)
        for (int k = 0; k < N_VECTORS; k++)
            VECTOR(storeu_ps)(out[j] + IN_VECTOR * k,
                              VECTOR(fmadd_ps)(total[j][k],
                                               VECTOR(loadu_ps)(column_scales + IN_VECTOR * k),
                                               VECTOR(loadu_ps)(bias + IN_VECTOR * k)));
}

/* ROWS rows from the s-th on; where there are fewer, the last one is computed again. */
template <int ROWS>
TARGET ARCEAGER_INLINE
void VERSION(byte_product_group)(float *out, const struct ByteRow *in, const uint8_t *strip,
                                 const float *bias, const float *column_scales, int s, int n,
                                 int inner, int in_width, int width) {
    struct ByteRow group_in[ROWS];
    float *group_out[ROWS];
    for (int j = 0; j < ROWS; j++) {
        const int row = s + j < n ? s + j : n - 1;
        group_in[j] = in[row];
        group_out[j] = out + (size_t)row * width;
    }
    VERSION(byte_product_strip)<ROWS>(group_out, group_in, strip, bias, column_scales, inner,
                                      in_width);
}

TARGET
static inline void VERSION(byte_product)(float *out, const struct ByteRow *in,
                                         const uint8_t *weights, const float *bias,
                                         const float *column_scales, int n, int inner,
                                         int in_width, int width) {
    for (int w = 0; w < width; w += ARCEAGER_LANES) {
        const uint8_t *strip = weights + (size_t)w * inner;
        int s = 0;
        for (; s + N_ROWS / 2 < n; s += N_ROWS)
            VERSION(byte_product_group)<N_ROWS>(out + w, in, strip, bias + w, column_scales + w, s,
                                                n, inner, in_width, width);
        for (; s < n; s++)
            VERSION(byte_product_group)<1>(out + w, in, strip, bias + w, column_scales + w, s, n,
                                           inner, in_width, width);
    }
}

#undef N_VECTORS
#undef IN_VECTOR
#undef N_ROWS
#undef WHOLES
#undef FLOATS
#undef VECTOR
#undef TARGET
#undef VERSION
#undef VECTOR_BITS
