"""The arithmetic in C; the headers say what each function does."""

from libc.stdint cimport int8_t, uint8_t, uint32_t

cdef extern from "processor.h" nogil:
    const char** LEVELS
    int find_level()

cdef extern from "kernels.h" nogil:
    enum: ARCEAGER_LANES, ARCEAGER_ROWS
    void sum_rows(float* out, const float* bias, const float** rows, int n_rows, int size)
    ctypedef unsigned short half_float
    void to_half(half_float* out, const float* inputs, size_t n)
    void pair_rows(uint32_t* out, const float* inputs, size_t stride, int n, int columns,
                   int width)
    void sum_half_rows(float* out, const float* bias, const half_float** rows, int n_rows,
                       int size)
    void maxout(float* out, unsigned char* which, const float* inputs, int pieces, int hidden)
    bint make_finite(float* scores, size_t n)
    float find_highest_score(const float* scores, int n)
    int find_highest(const float* scores, int n)
    int find_at_least(const float* scores, int first, int n, double lowest)
    float exp_scores(float* out, const float* scores, int n, float highest)
    void add_to(float* out, const float* inputs, int size)
    void add_scaled(float* out, const float* inputs, float scale, int size)

cdef extern from "half_product.h" nogil:
    bint has_half_product()
    bint is_half_product_fast()
    void half_product(float* out, const half_float** inputs, size_t step,
                      const half_float* weights, const float* bias, int n, int inner, int width)

cdef extern from "byte_product.h" nogil:
    cdef struct ByteRow:
        const int8_t* bytes
        const float* scales
        const int* sums
    int to_bytes(int8_t* bytes, float* scale, const float* inputs, int size)
    ctypedef void (*ByteProduct)(
        float* out, const ByteRow* inputs, const uint8_t* weights, const float* bias,
        const float* column_scales, int n, int inner, int in_width, int width) noexcept nogil
    ByteProduct find_byte_product(int bits)

cdef extern from "tile_product.h" nogil:
    enum: TILE_MAX_INPUTS
    bint has_tile_product()
    void tile_product(float* out, const half_float** inputs, const half_float* weights,
                      const float* bias, int n, int inner, int width)
