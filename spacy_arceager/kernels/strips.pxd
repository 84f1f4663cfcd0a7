"""Weights in the order in which the kernels read them; see strips.pyx."""

# How many columns bring n of them to whole groups of ARCEAGER_LANES.
cdef int padding(int n) noexcept nogil

# An array of floats as half floats: the same shape, uint16.
cdef object halved(values)

# Weights (inner, width) as half floats in the order of half_product.h: (strips, pairs, lanes, 2).
cdef object in_pairs(weights)

# Floats (n, width), finite or not, as bytes with a scale for each row: (n, width) int8, the scales
# (n,) float32, and the sums (n,) int32 of the bytes of each row.
cdef tuple in_bytes(floats)

# Weights as bytes, (width, inner), in the order of byte_product.h: (strips, inner / 4, lanes, 4).
cdef object in_fours(columns)
