"""Charts over canonical derivations; see charts.pxd."""

import numpy
from numpy.typing import NDArray

from libc.math cimport exp, log
from libc.string cimport memset


cdef class Chart:
    """Scores of a sentence's transitions, and the items and marginals made of them; see charts.pxd.
    """

    cdef int start(self, int n) except -1 nogil:
        cdef size_t size = <size_t>(n + 1) * (n + 1), items = <size_t>(n + 2) * (n + 2)
        cdef double* at
        self.n, self.stride = n, n + 1
        self.memory.resize(8 * size + 2 * (n + 1) + 11 * items)
        self.agenda.resize(6 * (n + 4))
        at = self.memory.data()
        self.shift, self.left, self.right = at, at + size, at + 2 * size
        self.reduce, self.d_shift, self.d_left = at + 3 * size, at + 4 * size, at + 5 * size
        self.d_right, self.d_reduce = at + 6 * size, at + 7 * size
        at += 8 * size
        self.root, self.d_root = at, at + n + 1
        at += 2 * (n + 1)
        self.plain, self.reduced, self.any = at, at + items, at + 2 * items
        self.shifted, self.attached = at + 3 * items, at + 4 * items
        self.left_taken, self.popped = at + 5 * items, at + 6 * items
        self.d_shifted, self.d_attached = at + 7 * items, at + 8 * items
        self.d_left_taken, self.d_popped = at + 9 * items, at + 10 * items
        return 0

    cdef double find_best(self, int* heads) noexcept nogil:
        fill(self, False)
        return trace(self, heads)

    cdef double find_marginals(self) noexcept nogil:
        cdef double total
        cdef size_t scores = <size_t>self.stride * self.stride
        cdef size_t items = <size_t>(self.n + 2) * (self.n + 2)
        fill(self, True)
        total = total_of(self)
        memset(self.d_shift, 0, 4 * scores * sizeof(double))
        memset(self.d_root, 0, self.stride * sizeof(double))
        memset(self.d_shifted, 0, 4 * items * sizeof(double))
        if total > NEVER / 2:
            go_back(self, total)
        return total


cdef inline double add_logs(double a, double b) noexcept nogil:
    cdef double top = a if a > b else b
    cdef double low = b if a > b else a
    return top if low <= NEVER else top + log(1 + exp(low - top))


cdef inline double best_of(const double* p, const double* q, int first, int last) noexcept nogil:
    cdef double value, top = NEVER
    cdef int i
    for i in range(first, last):
        value = p[i] + q[i]
        top = value if value > top else top
    return top


cdef inline double sum_of(const double* p, const double* q, int first, int last) noexcept nogil:
    cdef double total = 0, top = best_of(p, q, first, last)
    cdef int i
    if top <= NEVER:
        return NEVER
    for i in range(first, last):
        total += exp(p[i] + q[i] - top)
    return top + log(total)


cdef void fill(Chart c, bint total) noexcept nogil:
    # All items, with sums or with maxima.
    cdef int m = c.n + 2, k, j
    cdef size_t at
    for j in range(1, c.n + 2):
        for k in range(j - 1, -1, -1):
            at = <size_t>k * m + j
            c.plain[at] = c.reduced[at] = NEVER
            if j == k + 1:
                c.plain[at] = 0
            elif total:
                if j <= c.n:
                    c.plain[at] = sum_of(c.shifted + k * m, c.left_taken + j * m, k + 1, j)
                if k:
                    c.reduced[at] = sum_of(c.attached + k * m, c.popped + j * m, k + 1, j)
            else:
                if j <= c.n:
                    c.plain[at] = best_of(c.shifted + k * m, c.left_taken + j * m, k + 1, j)
                if k:
                    c.reduced[at] = best_of(c.attached + k * m, c.popped + j * m, k + 1, j)
            if total:
                c.any[at] = add_logs(c.plain[at], c.reduced[at])
            else:
                c.any[at] = max(c.plain[at], c.reduced[at])
            join_scores(c, k, j)


cdef inline void join_scores(Chart c, int k, int j) noexcept nogil:
    # What follows from an item by one transition.
    cdef int m = c.n + 2
    cdef size_t at = <size_t>k * m + j, turned = <size_t>j * m + k
    cdef size_t score = <size_t>k * c.stride + j
    if j > c.n:
        c.left_taken[turned] = NEVER
        c.popped[turned] = c.any[at]
        return
    c.shifted[at] = max(<double>NEVER, c.plain[at] + c.shift[score])
    if k == 0:
        c.attached[at] = NEVER
        return
    c.attached[at] = max(<double>NEVER, c.any[at] + c.right[score])
    c.left_taken[turned] = max(<double>NEVER, c.any[at] + c.left[score])
    c.popped[turned] = max(<double>NEVER, c.any[at] + c.reduce[score])


cdef inline double score_of_root(Chart c, int r) noexcept nogil:
    return c.shifted[r] + c.root[r] + c.any[<size_t>r * (c.n + 2) + c.n + 1]


cdef double total_of(Chart c) noexcept nogil:
    cdef double total = NEVER
    cdef int r
    for r in range(1, c.n + 1):
        total = add_logs(total, score_of_root(c, r))
    return total


cdef inline int find(const double* p, const double* q, int first, int last,
                     double value) noexcept nogil:
    cdef int i
    for i in range(first, last):
        if p[i] + q[i] == value:
            return i
    return first


cdef double trace(Chart c, int* heads) noexcept nogil:
    # Follows the best items from the whole to their parts.
    cdef int m = c.n + 2, r = 1, i, k, j, top = 0
    cdef size_t at
    cdef int* agenda = c.agenda.data()
    cdef bint is_plain
    for i in range(2, c.n + 1):
        if score_of_root(c, i) > score_of_root(c, r):
            r = i
    if score_of_root(c, r) <= NEVER / 2:
        return NEVER
    heads[r] = 0
    # Each entry is an item, and whether it must be a plain one.
    agenda[0], agenda[1], agenda[2] = 0, r, True
    agenda[3], agenda[4], agenda[5] = r, c.n + 1, False
    top = 6
    while top:
        top -= 3
        k, j = agenda[top], agenda[top + 1]
        if j == k + 1:
            continue
        at = <size_t>k * m + j
        is_plain = agenda[top + 2] or c.plain[at] >= c.reduced[at]
        if is_plain:
            i = find(c.shifted + k * m, c.left_taken + j * m, k + 1, j, c.plain[at])
        else:
            i = find(c.attached + k * m, c.popped + j * m, k + 1, j, c.reduced[at])
        heads[i] = j if is_plain else k
        agenda[top], agenda[top + 1], agenda[top + 2] = k, i, is_plain
        agenda[top + 3], agenda[top + 4], agenda[top + 5] = i, j, False
        top += 6
    return score_of_root(c, r)


cdef inline void share(const double* p, const double* q, double* dp, double* dq, int first,
                       int last, double value, double d) noexcept nogil:
    # Gives each pair its share of the probability d of their sum.
    cdef double part
    cdef int i
    if d == 0 or value <= NEVER:
        return
    for i in range(first, last):
        part = d * exp(p[i] + q[i] - value)
        dp[i] += part
        dq[i] += part


cdef void go_back(Chart c, double total) noexcept nogil:
    # The probability of each item, from the whole to the parts, which gives those of transitions.
    cdef int m = c.n + 2, k, j
    cdef size_t at, turned, score
    cdef double d_plain, d_reduced, d_any
    for j in range(c.n + 1, 0, -1):
        for k in range(j):
            at, turned = <size_t>k * m + j, <size_t>j * m + k
            score = <size_t>k * c.stride + j
            d_plain = d_reduced = 0
            d_any = c.d_popped[turned] + c.d_left_taken[turned] + c.d_attached[at]
            if j > c.n:
                if k:
                    d_any += exp(score_of_root(c, k) - total)
            else:
                if k == 0:
                    c.d_root[j] = exp(score_of_root(c, j) - total)
                    c.d_shifted[at] += c.d_root[j]
                c.d_shift[score], c.d_right[score] = c.d_shifted[at], c.d_attached[at]
                c.d_left[score], c.d_reduce[score] = c.d_left_taken[turned], c.d_popped[turned]
                d_plain = c.d_shifted[at]
            if d_any > 0:
                d_plain += d_any * exp(c.plain[at] - c.any[at])
                d_reduced = d_any * exp(c.reduced[at] - c.any[at])
            if j > k + 1:
                share(c.shifted + k * m, c.left_taken + j * m, c.d_shifted + k * m,
                      c.d_left_taken + j * m, k + 1, j, c.plain[at], d_plain)
                share(c.attached + k * m, c.popped + j * m, c.d_attached + k * m,
                      c.d_popped + j * m, k + 1, j, c.reduced[at], d_reduced)


cdef Chart chart_of(scores):
    # A chart with scores by name: (n + 1, n + 1) by [top, front], and "root" (n + 1,).
    cdef Chart c = Chart()
    cdef double[:, ::1] table
    cdef double[::1] root = numpy.ascontiguousarray(scores["root"], dtype="d")
    cdef int k, j, t
    cdef double** tables = [NULL, NULL, NULL, NULL]
    c.start(len(scores["root"]) - 1)
    tables[0], tables[1], tables[2], tables[3] = c.shift, c.left, c.right, c.reduce
    for t, name in enumerate(("shift", "left", "right", "reduce")):
        table = numpy.ascontiguousarray(scores[name], dtype="d")
        for k in range(c.stride):
            for j in range(c.stride):
                tables[t][k * c.stride + j] = table[k, j]
    for k in range(c.stride):
        c.root[k] = root[k]
    return c


def best_tree(scores: dict[str, NDArray]) -> tuple[float, list[int]] | None:
    """The score and the heads of the best tree; None where there is none.

    Args:
        scores: "shift", "left", "right" and "reduce", (n + 1, n + 1) by top and front, and "root",
            (n + 1,). Places count from 1; 0 is the bottom of the stack, and the head of the root.
    """
    cdef Chart c = chart_of(scores)
    heads = numpy.zeros((c.stride,), dtype="i")
    cdef int[::1] c_heads = heads
    cdef double score = c.find_best(&c_heads[0])
    return None if score <= NEVER / 2 else (score, heads[1:].tolist())


def marginals(scores: dict[str, NDArray]) -> tuple[float, dict[str, NDArray]]:
    """The log of the sum over all trees, and how often each transition is taken, like the scores.

    Args:
        scores: as for `best_tree`.
    """
    cdef Chart c = chart_of(scores)
    cdef double total = c.find_marginals()
    cdef int size = c.stride * c.stride
    return total, {
        "shift": numpy.asarray(<double[:size]>c.d_shift).reshape(c.stride, -1).copy(),
        "left": numpy.asarray(<double[:size]>c.d_left).reshape(c.stride, -1).copy(),
        "right": numpy.asarray(<double[:size]>c.d_right).reshape(c.stride, -1).copy(),
        "reduce": numpy.asarray(<double[:size]>c.d_reduce).reshape(c.stride, -1).copy(),
        "root": numpy.asarray(<double[:c.stride]>c.d_root).copy(),
    }
