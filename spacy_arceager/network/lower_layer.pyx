"""The lower layer: products of word vectors, ready or computed later; see lower_layer.pxd."""

import numpy

from cymem.cymem cimport Pool
from libc.string cimport memcpy

from ..machine.configuration cimport NONE
from ..kernels.kernels cimport (
    ARCEAGER_ROWS, half_float, half_product, maxout, product, sum_half_rows, sum_rows, to_half,
)
from .addresses cimport N_SPECIAL_ROWS
from ..kernels.strips cimport halved
from .scorer cimport Scorer, ScorerC
from ..kernels.strips import rounded


cdef enum:
    CHUNK = 256    # configurations whose missing products are computed together
    AHEAD = 8      # words behind a wanted one whose products may be computed with it
    ROUNDED = 128  # words whose products are computed as floats before they become half floats


cdef class LowerLayer:
    """The lower layer's products for one block of words after the other, in the same memory.

    Args:
        scorer: has the weights.
        capacity: words of the largest block.
    """

    def __cinit__(self, Scorer scorer not None, int capacity):
        if capacity < 0:
            raise ValueError(f"capacity={capacity} words; use 0 or more")
        cdef const ScorerC* s = &scorer.c
        cdef size_t n_rows = capacity + N_SPECIAL_ROWS
        cdef size_t n_later = n_rows * s.n_later + 1
        cdef size_t n_products = CHUNK + ARCEAGER_ROWS
        self.scorer = scorer
        self.capacity = capacity
        # The two large arrays are not zeroed, which would cost as much as a long sentence.
        kind = "uint16" if s.half else "float32"
        self.ready = numpy.empty((n_rows, s.n_ready * s.size), dtype=kind)
        self.computed = numpy.empty((n_later, s.stride), dtype=kind)
        self.c.item = self.ready.itemsize
        self.c.ready = data_of(self.ready)
        self.c.computed = data_of(self.computed)
        self.memory = Pool()
        self.c.place = <int*>self.memory.alloc(n_later, sizeof(int))
        self.c.wanted = <int*>self.memory.alloc(n_products, sizeof(int))
        if s.pairs:
            self.c.half_gathered = <half_float*>self.memory.alloc(
                n_products * <size_t>s.half_inputs, sizeof(half_float))
        else:
            self.c.gathered = <float*>self.memory.alloc(
                n_products * <size_t>s.inputs, sizeof(float))
        if s.half:
            self.c.products = <float*>self.memory.alloc(
                max(n_products * s.stride, ROUNDED * <size_t>s.ready_stride), sizeof(float))
        self.c.rows = <const char**>self.memory.alloc(
            s.n_words + s.n_attributes, sizeof(char*))
        self.c.sums = <float*>self.memory.alloc(s.size, sizeof(float))

    def start(self, vectors: NDArray[numpy.float32]) -> None:
        """Begin a block: compute the products of the ready slots for all its words.

        Args:
            vectors: (n_words, width) float32, of at most `capacity` words.

        Raises:
            ValueError: For vectors of another shape.
        """
        cdef const ScorerC* s = &self.scorer.c
        cdef int n, row
        vectors = check_vectors(self.scorer, vectors)
        n = vectors.shape[0]
        if n > self.capacity:
            raise ValueError(f"{n} words, but the memory is for {self.capacity}")
        self.c.n_words = n
        if s.pairs:
            if s.half_inputs > s.inputs:
                vectors = numpy.pad(vectors, [(0, 0), (0, 1)])
            self.halves = halved(vectors)
            self.c.halves = &self.halves[0, 0] if n else NULL
        else:
            self.vectors = rounded(vectors) if s.half else vectors
            self.c.vectors = &self.vectors[0, 0] if n else NULL
        self._compute_ready()
        for row in range(n * s.n_later):
            self.c.place[row] = NONE
        for row in range(N_SPECIAL_ROWS * s.n_later):
            self.c.place[n * s.n_later + row] = row
        self.c.n_computed = N_SPECIAL_ROWS * s.n_later
        if s.n_later:
            keep(&self.c, self.c.computed, s.later_special,
                 self.c.n_computed * <size_t>s.stride)

    def _compute_ready(self):
        cdef const ScorerC* s = &self.scorer.c
        special = self.scorer.ready_special
        cdef size_t width = special.shape[1], n = self.c.n_words
        if s.pairs:
            with nogil:
                compute_half_ready(&self.c, s, width)
        elif s.half:
            self._keep_rounded()
        else:
            numpy.matmul(self.vectors, self.scorer.ready_W, out=self.ready[:n])
        cdef const float[:, ::1] rows = special
        if width:
            keep(&self.c, self.c.ready + n * width * self.c.item, &rows[0, 0],
                 N_SPECIAL_ROWS * width)

    def _keep_rounded(self):
        # For processors that cannot multiply half floats: floats with the values of half floats.
        cdef const float[:, ::1] some
        cdef size_t n = self.c.n_words, first = 0, last, width = self.scorer.ready_W.shape[1]
        products = numpy.empty((min(n, ROUNDED + 1), width), dtype="f")
        while first < n:
            # The last word is never alone, since the BLAS sums a single row in another order.
            last = n if n - first <= ROUNDED + 1 else first + ROUNDED
            some = numpy.matmul(self.vectors[first:last], self.scorer.ready_W,
                                out=products[:last - first])
            if width:
                keep(&self.c, self.c.ready + first * width * self.c.item, &some[0, 0],
                     (last - first) * width)
            first = last


cdef void compute_half_ready(LowerC* lower, const ScorerC* scorer, size_t width) noexcept nogil:
    cdef int first = 0, i, n
    while first < lower.n_words:
        n = min(ROUNDED, lower.n_words - first)
        half_product(lower.products, lower.halves + <size_t>first * scorer.half_inputs,
                     scorer.half_ready, n, scorer.half_inputs, scorer.ready_stride)
        for i in range(n):
            to_half(<half_float*>lower.ready + (first + i) * width,
                    lower.products + <size_t>i * scorer.ready_stride, width)
        first += n


cdef char* data_of(array) except? NULL:
    cdef unsigned char[::1] data = array.reshape((-1,)).view("uint8")
    return <char*>&data[0] if data.size else NULL


cdef inline void keep(LowerC* lower, char* out, const float* products, size_t n) noexcept nogil:
    # Writes products as `ready` and `computed` have them: as floats or as half floats.
    if lower.item == sizeof(float):
        memcpy(out, products, n * sizeof(float))
    else:
        to_half(<half_float*>out, products, n)


def check_vectors(
    Scorer scorer not None, vectors: NDArray[numpy.float32],
) -> NDArray[numpy.float32]:
    """Word vectors as a C-contiguous (n_words, width) float32 array.

    Raises:
        ValueError: For vectors of another width than the model's.
        TypeError: For vectors that are not numbers.
    """
    vectors = numpy.asarray(vectors)
    if vectors.dtype.kind not in "fiu":
        raise TypeError(f"Word vectors of type {vectors.dtype}; they must be numbers")
    if vectors.ndim != 2 or vectors.shape[1] != scorer.c.inputs:
        raise ValueError(f"Word vectors of shape {vectors.shape}; the model was made for "
                         f"(words, {scorer.c.inputs})")
    return numpy.ascontiguousarray(vectors, dtype="f")


cdef void compute_hidden(LowerC* lower, const ScorerC* scorer, const int* features, int n,
                         float* hidden, unsigned char* which) noexcept nogil:
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef int i, slot, first = 0
    while first < n:
        for slot in range(scorer.n_words):
            if scorer.slots[slot].is_later:
                compute_needed(lower, scorer, slot, features + first * n_features,
                               min(CHUNK, n - first))
        for i in range(first, min(first + CHUNK, n)):
            sum_features(lower, scorer, features + i * n_features)
            maxout(hidden + i * scorer.hidden, which + i * scorer.hidden, lower.sums,
                   scorer.pieces, scorer.hidden)
        first += CHUNK


cdef void compute_needed(LowerC* lower, const ScorerC* scorer, int slot, const int* features,
                         int n) noexcept nogil:
    # Computes the products of one slot that n configurations need and that are not there yet.
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef int index = scorer.slots[slot].index
    cdef int i, n_wanted = 0
    for i in range(n):
        n_wanted = want(lower, scorer, index, features[i * n_features + slot], n_wanted)
    if n_wanted == 0:
        return
    n_wanted = want_neighbours(lower, scorer, index, n_wanted)
    cdef char* computed = lower.computed + (
        <size_t>lower.n_computed * scorer.stride * lower.item)
    cdef float* products = <float*>computed if lower.products is NULL else lower.products
    multiply_wanted(lower, scorer, index, n_wanted, products)
    if products is lower.products:
        keep(lower, computed, products, n_wanted * <size_t>scorer.stride)
    lower.n_computed += n_wanted


cdef void multiply_wanted(LowerC* lower, const ScorerC* scorer, int index, int n,
                          float* products) noexcept nogil:
    # Fills the products of n wanted words, (n, stride).
    cdef size_t inputs = scorer.half_inputs if scorer.pairs else scorer.inputs
    cdef size_t weights = index * inputs * scorer.stride
    cdef int i
    if scorer.pairs:
        for i in range(n):
            memcpy(lower.half_gathered + i * inputs, lower.halves + lower.wanted[i] * inputs,
                   inputs * sizeof(half_float))
        half_product(products, lower.half_gathered, scorer.half_later + weights, n,
                     <int>inputs, scorer.stride)
    else:
        for i in range(n):
            memcpy(lower.gathered + i * inputs, lower.vectors + lower.wanted[i] * inputs,
                   inputs * sizeof(float))
        product(products, lower.gathered, scorer.later + weights, scorer.no_bias, n,
                <int>inputs, scorer.stride)


cdef inline int want(LowerC* lower, const ScorerC* scorer, int index, int row,
                     int n_wanted) noexcept nogil:
    # Adds a row to the wanted ones unless its product is there; returns how many are wanted.
    cdef int* place = lower.place + row * scorer.n_later + index
    if place[0] != NONE:
        return n_wanted
    place[0] = lower.n_computed + n_wanted
    lower.wanted[n_wanted] = row
    return n_wanted + 1


cdef int want_neighbours(LowerC* lower, const ScorerC* scorer, int index,
                         int n_wanted) noexcept nogil:
    # Adds the words that follow the last wanted one, up to a full group of rows: they often need
    # the same slot soon, and a group costs little more than a single row.
    cdef int row = lower.wanted[n_wanted - 1] + 1
    cdef int end = min(lower.n_words, row + AHEAD)
    while n_wanted % ARCEAGER_ROWS and row < end:
        n_wanted = want(lower, scorer, index, row, n_wanted)
        row += 1
    return n_wanted


cdef void sum_features(LowerC* lower, const ScorerC* scorer,
                       const int* features) noexcept nogil:
    cdef int n = scorer.n_words + scorer.n_attributes
    cdef const char* tables = <const char*>scorer.tables
    cdef int i, index
    cdef size_t row
    if lower.item != sizeof(float):
        tables = <const char*>scorer.half_tables
    for i in range(scorer.n_words):
        row = features[i]
        index = scorer.slots[i].index
        if scorer.slots[i].is_later:
            lower.rows[i] = lower.computed + (
                <size_t>lower.place[row * scorer.n_later + index] * scorer.stride * lower.item)
        else:
            lower.rows[i] = lower.ready + (
                (row * scorer.n_ready + index) * scorer.size * lower.item)
    for i in range(scorer.n_words, n):
        lower.rows[i] = tables + <size_t>features[i] * scorer.size * lower.item
    if lower.item == sizeof(float):
        sum_rows(lower.sums, scorer.bias, <const float**>lower.rows, n, scorer.size)
    else:
        sum_half_rows(lower.sums, scorer.bias, <const half_float**>lower.rows, n, scorer.size)
