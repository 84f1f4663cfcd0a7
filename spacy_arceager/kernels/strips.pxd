"""Weights as the kernels read them; see strips.pyx."""

cdef int padding(int n) noexcept nogil
