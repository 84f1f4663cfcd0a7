/* Products of half floats (bfloat16) by the tiles that some processors have (Intel's AMX): one
   instruction multiplies 16 rows of 32 inputs with 32 rows of 16 weights.

   Each output is summed in one fixed order, whatever other rows are in the batch. */
#ifndef ARCEAGER_TILE_PRODUCT_H
#define ARCEAGER_TILE_PRODUCT_H

#include "half_product.h"

/* More inputs than these are left to `half_product`: the rows are copied onto the stack. */
enum { TILE_MAX_INPUTS = 512 };

#if defined(__linux__) && defined(ARCEAGER_PAIRS)

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARCEAGER_TILES __attribute__((target("amx-tile,amx-bf16")))

/* Whether this processor has tiles, and Linux lets this process use them. */
static inline int has_tile_product(void) {
    enum { LEAF = 7, BF16 = 1 << 22, TILES = 1 << 24, ASK = 0x1023, TILE_DATA = 18 };
    unsigned eax, ebx, ecx, edx;
    return has_half_product() && __get_cpuid_count(LEAF, 0, &eax, &ebx, &ecx, &edx)
        && (edx & BF16) && (edx & TILES) && syscall(SYS_arch_prctl, ASK, TILE_DATA) == 0;
}

enum { TILE_ROWS = 16, TILE_COLUMNS = 16, TILE_INPUTS = 32, TILE_GROUP = 2 * TILE_ROWS };

/* The instructions take the numbers of tiles: 0 to 2 are sums, 3 is of inputs, 4 and 5 of weights,
   and 6 and 7 are for the last inputs and their weights, if there are fewer than TILE_INPUTS. */
enum { N_TILES = 8 };

struct TileShapes {
    uint8_t palette, start_row, reserved[14];
    uint16_t column_bytes[16];
    uint8_t rows[16];
};

/* The compiler does not know which memory the instructions of tiles read: all stores to it come
   first. */
ARCEAGER_INLINE void finish_stores(const void *memory) {
    __asm__ volatile("" : : "r"(memory) : "memory");
}

ARCEAGER_TILES
static inline void set_tile_shapes(int n_last) {
    struct TileShapes shapes = {};
    shapes.palette = 1;
    for (int tile = 0; tile < N_TILES; tile++) {
        shapes.column_bytes[tile] = 64;
        shapes.rows[tile] = 16;
    }
    if (n_last) {
        shapes.column_bytes[6] = (uint16_t)(n_last * sizeof(half_float));
        shapes.rows[7] = (uint8_t)(n_last / 2);
    }
    finish_stores(&shapes);
    _tile_loadconfig(&shapes);
}

/* Adds the products of the inputs from the h-th on to the sums in tiles 0 to 2. Weights that follow
   each other lie in two tiles, if there are two, so that one is loaded while the other is used. This
   is a macro because the instructions take the numbers of tiles as literals. */
#define ARCEAGER_ADD_TILES(INPUTS, WEIGHTS, OTHER_WEIGHTS)                            \
    do {                                                                              \
        const half_float *weights = strip + (size_t)h / 2 * PAIR_ROW;                 \
        _tile_loadd(INPUTS, in + h, in_bytes);                                        \
        _tile_loadd(WEIGHTS, weights, pair_bytes);                                    \
        _tile_dpbf16ps(0, INPUTS, WEIGHTS);                                           \
        _tile_loadd(OTHER_WEIGHTS, weights + COLUMN, pair_bytes);                     \
        _tile_dpbf16ps(1, INPUTS, OTHER_WEIGHTS);                                     \
        _tile_loadd(WEIGHTS, weights + 2 * COLUMN, pair_bytes);                       \
        _tile_dpbf16ps(2, INPUTS, WEIGHTS);                                           \
    } while (0)

/* The products of 16 rows with one strip of columns. `in` has `inner` numbers a row, out `width`. */
ARCEAGER_TILES
ARCEAGER_INLINE void tile_strip(float *out, const half_float *in, const half_float *strip,
                                const float *bias, int inner, int width) {
    enum { PAIR_ROW = 2 * ARCEAGER_LANES, COLUMN = 2 * TILE_COLUMNS };
    const size_t in_bytes = inner * sizeof(half_float), pair_bytes = PAIR_ROW * sizeof(half_float);
    const size_t out_bytes = width * sizeof(float);
    _tile_loadd(0, bias, 0);
    _tile_loadd(1, bias + TILE_COLUMNS, 0);
    _tile_loadd(2, bias + 2 * TILE_COLUMNS, 0);
    int h = 0;
    for (; h + TILE_INPUTS <= inner; h += TILE_INPUTS) ARCEAGER_ADD_TILES(3, 4, 5);
    if (h < inner) ARCEAGER_ADD_TILES(6, 7, 7);
    _tile_stored(0, out, out_bytes);
    _tile_stored(1, out + TILE_COLUMNS, out_bytes);
    _tile_stored(2, out + 2 * TILE_COLUMNS, out_bytes);
}

/* The same for the last, fewer than 16 rows. */
ARCEAGER_TILES
static inline void tile_last_strip(float *out, const half_float *in, const half_float *strip,
                                   const float *bias, int n, int inner, int width) {
    float sums[TILE_ROWS * ARCEAGER_LANES];
    tile_strip(sums, in, strip, bias, inner, ARCEAGER_LANES);
    for (int j = 0; j < n; j++)
        memcpy(out + (size_t)j * width, sums + j * ARCEAGER_LANES, ARCEAGER_LANES * sizeof(float));
}

/* What `half_product` computes, of the same weights, for at most TILE_MAX_INPUTS inputs. To be
   called only if `has_tile_product`. */
ARCEAGER_TILES
static inline void tile_product(float *out, const half_float *const *in,
                                const half_float *weights, const float *bias, int n, int inner,
                                int width) {
    alignas(64) half_float rows[TILE_GROUP * TILE_MAX_INPUTS];
    set_tile_shapes(inner % TILE_INPUTS);
    for (int s = 0; s < n; s += TILE_GROUP) {
        const int n_rows = n - s < TILE_GROUP ? n - s : TILE_GROUP;
        for (int j = 0; j < n_rows; j++)    /* what else is in a tile is computed in vain */
            memcpy(rows + (size_t)j * inner, in[s + j], inner * sizeof(half_float));
        finish_stores(rows);
        for (int w = 0; w < width; w += ARCEAGER_LANES)
            for (int j = 0; j < n_rows; j += TILE_ROWS) {
                float *to = out + (size_t)(s + j) * width + w;
                const half_float *from = rows + (size_t)j * inner;
                const half_float *strip = weights + (size_t)w * inner;
                if (j + TILE_ROWS <= n_rows)
                    tile_strip(to, from, strip, bias + w, inner, width);
                else
                    tile_last_strip(to, from, strip, bias + w, n_rows - j, inner, width);
            }
    }
    _tile_release();
}

#else

static inline int has_tile_product(void) { return 0; }

static inline void tile_product(float *, const half_float *const *, const half_float *,
                                const float *, int, int, int) {}

#endif

#endif
