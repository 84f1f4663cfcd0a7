"""Charts: the best tree, and the marginals of all trees, of arc-eager with the tree constraint.

A transition is scored by the top of the stack and the front of the buffer alone, so that parts of
derivations with the same two ends can share their continuations (Kuhlmann, Gómez-Rodríguez and
Satta 2011; Shi, Huang and Lee 2017). Each tree counts once, by its canonical derivation: REDUCE is
taken only where an arc of the front follows before the front is shifted, and the root alone is left
at the end, so that UNSHIFT is never needed.

Place 0 is the bottom of the stack, the words are 1 to n, and n + 1 is the end of the input. An item
(k, j) is a part of a derivation that begins with k just pushed, and ends with k on top again and j
as the front:

    plain[k, j]     the last transition was not REDUCE, or there was none (j = k + 1)
    reduced[k, j]   the last transition was REDUCE
    any[k, j]       their sum

    plain[k, j]   = sum over i of  plain[k, i] shift(k, i)  any[i, j] left(i, j)
    reduced[k, j] = sum over i of  any[k, i] right(k, i)    any[i, j] reduce(i, j)

The whole is the sum over roots r of plain[0, r] shift(0, r) root(r) any[r, n + 1]. At the end there
is no LEFT, and REDUCE is forced and has no score. "Sum" and product are those of the logarithms, or
the maximum and the sum. This takes time O(n³) and memory O(n²).
"""

from libcpp.vector cimport vector

# The logarithm of 0.
cdef enum:
    NEVER = -1000000000

cdef class Chart:
    cdef int n                  # words
    cdef int stride             # n + 1, of the scores, which are by [top, front]
    cdef double* shift
    cdef double* left
    cdef double* right
    cdef double* reduce
    cdef double* root           # (n + 1,)
    cdef double* d_shift        # the marginals, after `find_marginals`
    cdef double* d_left
    cdef double* d_right
    cdef double* d_reduce
    cdef double* d_root
    cdef double* plain          # (n + 2, n + 2), as all below
    cdef double* reduced
    cdef double* any
    cdef double* shifted        # plain + shift, by [top, front]
    cdef double* attached       # any + right
    cdef double* left_taken     # any + left, by [front, top]
    cdef double* popped         # any + reduce, by [front, top]
    cdef double* d_shifted
    cdef double* d_attached
    cdef double* d_left_taken
    cdef double* d_popped
    cdef vector[double] memory
    cdef vector[int] agenda

    # Makes room for the scores of a sentence of n words, which are then to be filled in for all
    # words that can be at the two places.
    cdef int start(self, int n) except -1 nogil

    # The score of the best tree. Heads, (n + 1,), are places, 0 for the root. Below NEVER / 2 there
    # is no tree.
    cdef double find_best(self, int* heads) noexcept nogil

    # The log of the sum over all trees, and the marginals. Below NEVER / 2 there is no tree, and
    # the marginals are 0.
    cdef double find_marginals(self) noexcept nogil
