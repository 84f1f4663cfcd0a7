"""Arrays that lie one behind the other in one block of memory.

A struct has one function that lays out its arrays: it takes one after the other from a block. It is
called twice. The first block has no memory, so that only the sizes are added up; the second has as
much memory as that. Sizes and pointers thus come from the same lines and cannot contradict each
other.
"""

cdef struct BlockC:
    char* memory     # NULL while sizes are only added up
    size_t size      # bytes taken so far

# The next n_bytes of a block; NULL without memory or for 0 bytes.
cdef inline void* take(BlockC* block, size_t n_bytes) noexcept nogil:
    cdef size_t start = block.size
    block.size += n_bytes
    return NULL if block.memory == NULL or n_bytes == 0 else block.memory + start

cdef inline int* take_ints(BlockC* block, size_t n) noexcept nogil:
    return <int*>take(block, n * sizeof(int))

cdef inline float* take_floats(BlockC* block, size_t n) noexcept nogil:
    return <float*>take(block, n * sizeof(float))

# The size of what was taken, in ints.
cdef inline size_t n_ints(const BlockC* block) noexcept nogil:
    return block.size // sizeof(int)
