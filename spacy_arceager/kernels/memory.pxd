"""Arrays that lie one behind the other in one block of memory.

The function that lays out the arrays of a struct takes one after the other from a block. With no
memory behind the block it only adds up their sizes. The memory that is needed and the pointers
into it so come from the same lines, and an array that is added there has its room.
"""

cdef struct BlockC:
    char* memory     # NULL: the sizes are only added up
    size_t size      # bytes that have been taken

# NULL where there is no memory or nothing to take.
cdef inline void* take(BlockC* block, size_t n_bytes) noexcept nogil:
    cdef size_t start = block.size
    block.size += n_bytes
    return NULL if block.memory == NULL or n_bytes == 0 else block.memory + start

cdef inline int* take_ints(BlockC* block, size_t n) noexcept nogil:
    return <int*>take(block, n * sizeof(int))

cdef inline float* take_floats(BlockC* block, size_t n) noexcept nogil:
    return <float*>take(block, n * sizeof(float))

# How many ints were taken.
cdef inline size_t n_ints(const BlockC* block) noexcept nogil:
    return block.size // sizeof(int)
