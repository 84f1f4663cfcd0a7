# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Charts over the canonical derivations of arc-eager with the tree constraint, in O(n^3).

A transition is scored by the top of the stack and the front of the buffer. Place 0 is the bottom
of the stack, the words are 1 to n, and n + 1 is the end of the input. An item [k, j] is a part of a
derivation that begins with k just pushed and ends with k on top again and j as the front:

    A[k, j]   the last transition was not REDUCE (or there was none: j = k + 1)
    R[k, j]   the last transition was REDUCE, so that an arc of j has to come before a SHIFT

    A[k, j] = sum over i of  A[k, i] shift(k, i)  T[i, j] left(i, j)       T = A + R
    R[k, j] = sum over i of  T[k, i] right(k, i)  T[i, j] reduce(i, j)

The whole: sum over the root r of A[0, r] shift(0, r) root(r) T[r, n + 1]. There is no LEFT at the
end, so that only the root is left over: UNSHIFT is never needed. A REDUCE at the end is forced, and
has no score.
"""

import numpy

from libc.math cimport exp, log
from libc.stdlib cimport malloc, calloc, free

LOW = -1e30


cdef int make(ChartC* c, int n) except -1 nogil:
    cdef size_t size = (n + 2) * (n + 2)
    cdef double* memory = <double*>malloc(7 * size * sizeof(double))
    if memory == NULL:
        with gil:
            raise MemoryError
    c.n, c.m = n, n + 2
    c.A, c.R, c.T, c.Ps = memory, memory + size, memory + 2 * size, memory + 3 * size
    c.Pr, c.Ql, c.Qr = memory + 4 * size, memory + 5 * size, memory + 6 * size
    return 0


cdef inline double add_logs(double a, double b) noexcept nogil:
    cdef double top = a if a > b else b
    cdef double low = b if a > b else a
    if low <= LOW:
        return top
    return top + log(1 + exp(low - top))


cdef inline double best_of(const double* p, const double* q, int first, int last) noexcept nogil:
    cdef double top = LOW, value
    cdef int i
    for i in range(first, last):
        value = p[i] + q[i]
        top = value if value > top else top
    return top


cdef inline double sum_of(const double* p, const double* q, int first, int last) noexcept nogil:
    cdef double top = best_of(p, q, first, last), total = 0
    cdef int i
    if top <= LOW:
        return LOW
    for i in range(first, last):
        total += exp(p[i] + q[i] - top)
    return top + log(total)


cdef void fill(ChartC* c, const double* shift, const double* left, const double* right,
               const double* reduce, bint total) noexcept nogil:
    # The scores have the stride n + 1 and are by [k, j].
    cdef int n = c.n, m = c.m, k, j, s = n + 1
    cdef size_t at, score
    for j in range(1, n + 2):
        for k in range(j - 1, -1, -1):
            at = k * m + j
            if j == k + 1:
                c.A[at], c.R[at] = 0, LOW
            elif total:
                c.A[at] = LOW if j > n else sum_of(c.Ps + k * m, c.Ql + j * m, k + 1, j)
                c.R[at] = LOW if k == 0 else sum_of(c.Pr + k * m, c.Qr + j * m, k + 1, j)
            else:
                c.A[at] = LOW if j > n else best_of(c.Ps + k * m, c.Ql + j * m, k + 1, j)
                c.R[at] = LOW if k == 0 else best_of(c.Pr + k * m, c.Qr + j * m, k + 1, j)
            if total:
                c.T[at] = add_logs(c.A[at], c.R[at])
            else:
                c.T[at] = c.A[at] if c.A[at] > c.R[at] else c.R[at]
            score = k * s + j
            if j <= n:
                c.Ps[at] = max(LOW, c.A[at] + shift[score])
                c.Pr[at] = LOW if k == 0 else max(LOW, c.T[at] + right[score])
                c.Ql[j * m + k] = max(LOW, c.T[at] + left[score])
                c.Qr[j * m + k] = max(LOW, c.T[at] + reduce[score])
            else:
                c.Ql[j * m + k] = LOW
                c.Qr[j * m + k] = c.T[at]


cdef inline int find(const double* p, const double* q, int first, int last,
                     double value) noexcept nogil:
    cdef int i
    for i in range(first, last):
        if p[i] + q[i] == value:
            return i
    return -1


cdef double trace(ChartC* c, const double* root, int* heads, int* stack) noexcept nogil:
    # Heads by place; 0 is the head of the root. `stack` has room for 4 (n + 2) numbers.
    cdef int n = c.n, m = c.m, r = 1, i, k, j, top = 0
    cdef double value, best = 2 * LOW
    for i in range(1, n + 1):
        value = c.Ps[i] + root[i] + c.T[i * m + n + 1]
        if value > best:
            best, r = value, i
    if best <= LOW / 2:
        return best
    heads[r] = 0
    # An item of each kind: 2 for T, 0 for A.
    stack[0], stack[1], stack[2] = 0, r, 0
    stack[3], stack[4], stack[5] = r, n + 1, 2
    top = 6
    while top:
        top -= 3
        k, j = stack[top], stack[top + 1]
        if j == k + 1:
            continue
        if stack[top + 2] == 0 or c.A[k * m + j] >= c.R[k * m + j]:
            i = find(c.Ps + k * m, c.Ql + j * m, k + 1, j, c.A[k * m + j])
            heads[i] = j
            stack[top], stack[top + 1], stack[top + 2] = k, i, 0
        else:
            i = find(c.Pr + k * m, c.Qr + j * m, k + 1, j, c.R[k * m + j])
            heads[i] = k
            stack[top], stack[top + 1], stack[top + 2] = k, i, 2
        stack[top + 3], stack[top + 4], stack[top + 5] = i, j, 2
        top += 6
    return best


def best_tree(double[:, ::1] shift, double[:, ::1] left, double[:, ::1] right,
              double[:, ::1] reduce, double[::1] root):
    """The best score and the heads by place (0 for the root), or None where no tree is left."""
    cdef int n = shift.shape[0] - 1
    cdef ChartC c
    heads = numpy.zeros(n + 1, dtype="i")
    work = numpy.zeros(6 * (n + 4), dtype="i")
    cdef int[::1] c_heads = heads
    cdef int[::1] c_work = work
    cdef double score
    with nogil:
        make(&c, n)
        fill(&c, &shift[0, 0], &left[0, 0], &right[0, 0], &reduce[0, 0], False)
        score = trace(&c, &root[0], &c_heads[0], &c_work[0])
        free(c.A)
    return None if score <= LOW / 2 else (score, heads)


cdef inline void give(const double* p, const double* q, double* dp, double* dq, int first, int last,
                      double value, double d) noexcept nogil:
    cdef int i
    cdef double w
    if d == 0 or value <= LOW:
        return
    for i in range(first, last):
        w = d * exp(p[i] + q[i] - value)
        dp[i] += w
        dq[i] += w


def marginals(double[:, ::1] shift, double[:, ::1] left, double[:, ::1] right,
              double[:, ::1] reduce, double[::1] root):
    """The log of the sum over derivations, and the marginals in the shapes of the scores."""
    cdef int n = shift.shape[0] - 1
    cdef int m = n + 2, k, j, r
    cdef ChartC c
    cdef double[:, ::1] d_shift = numpy.zeros((n + 1, n + 1))
    cdef double[:, ::1] d_left = numpy.zeros((n + 1, n + 1))
    cdef double[:, ::1] d_right = numpy.zeros((n + 1, n + 1))
    cdef double[:, ::1] d_reduce = numpy.zeros((n + 1, n + 1))
    cdef double[::1] d_root = numpy.zeros(n + 1)
    cdef double total = LOW, d, dA, dR, dT
    cdef size_t at
    cdef double* memory
    cdef double *dPs, *dPr, *dQl, *dQr
    with nogil:
        make(&c, n)
        memory = <double*>calloc(4 * m * m, sizeof(double))
        dPs, dPr, dQl, dQr = memory, memory + m * m, memory + 2 * m * m, memory + 3 * m * m
        fill(&c, &shift[0, 0], &left[0, 0], &right[0, 0], &reduce[0, 0], True)
        for r in range(1, n + 1):
            total = add_logs(total, c.Ps[r] + root[r] + c.T[r * m + n + 1])
        for j in range(n + 1, 0, -1):
            for k in range(j):
                at = k * m + j
                dA = dT = 0
                if j <= n:
                    if k == 0:
                        d_root[j] = exp(c.Ps[j] + root[j] + c.T[j * m + n + 1] - total)
                        dPs[at] += d_root[j]
                    d_shift[k, j] = dPs[at]
                    d_right[k, j] = dPr[at]
                    d_left[k, j] = dQl[j * m + k]
                    d_reduce[k, j] = dQr[j * m + k]
                    dA = dPs[at]
                    dT = dPr[at] + dQl[j * m + k]
                elif k > 0:
                    dT = exp(c.Ps[k] + root[k] + c.T[at] - total)
                dT += dQr[j * m + k]
                dR = 0
                if dT > 0:
                    if c.A[at] > LOW:
                        dA += dT * exp(c.A[at] - c.T[at])
                    if c.R[at] > LOW:
                        dR = dT * exp(c.R[at] - c.T[at])
                if j > k + 1:
                    give(c.Ps + k * m, c.Ql + j * m, dPs + k * m, dQl + j * m, k + 1, j,
                         c.A[at], dA)
                    give(c.Pr + k * m, c.Qr + j * m, dPr + k * m, dQr + j * m, k + 1, j,
                         c.R[at], dR)
        free(memory)
        free(c.A)
    return total, *map(numpy.asarray, (d_shift, d_left, d_right, d_reduce, d_root))


def hidden_rows(float[:, ::1] front, float[:, ::1] top, float[:, ::1] table, int[::1] bins,
                int pieces, bint learns):
    """The hidden layer at all (k, j) of a sentence, j by j, after maxout.

    Args:
        front: (n, pieces * hidden), the sums of the front, with the bias.
        top: (n + 1, pieces * hidden), those of the top; the first is the bottom.
        table: rows for distances; the first is for the bottom.
        bins: (n + 1,) the row of each distance.
    """
    cdef int n = front.shape[0], size = front.shape[1], hidden = size // pieces
    cdef int k, j, h, p
    cdef size_t row = 0
    out = numpy.empty((n * (n + 1) // 2, hidden), dtype="f")
    which = numpy.zeros((n * (n + 1) // 2 if learns else 1, hidden), dtype="B")
    cdef float[:, ::1] c_out = out
    cdef unsigned char[:, ::1] c_which = which
    cdef const float *f
    cdef const float *t
    cdef const float *d
    cdef float* o
    cdef unsigned char* w
    cdef float v
    with nogil:
        for j in range(1, n + 1):
            f = &front[j - 1, 0]
            for k in range(j):
                t, o = &top[k, 0], &c_out[row, 0]
                d = &table[0 if k == 0 else bins[j - k], 0]
                w = &c_which[row if learns else 0, 0]
                for h in range(hidden):
                    o[h] = f[h] + t[h] + d[h]
                for p in range(1, pieces):
                    f += hidden
                    t += hidden
                    d += hidden
                    if learns:
                        for h in range(hidden):
                            v = f[h] + t[h] + d[h]
                            w[h] = p if v > o[h] else w[h]
                            o[h] = v if v > o[h] else o[h]
                    else:
                        for h in range(hidden):
                            v = f[h] + t[h] + d[h]
                            o[h] = v if v > o[h] else o[h]
                f -= (pieces - 1) * hidden
                row += 1
    return out, which
