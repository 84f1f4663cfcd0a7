"""The lower layer: products of word vectors, ready or computed later; see lower_layer.pxd."""

import numpy

from cymem.cymem cimport Pool
from libc.string cimport memcpy

from ..machine.configuration cimport NONE
from ..kernels.kernels cimport (
    ARCEAGER_ROWS, half_float, maxout, sum_half_rows, sum_rows, to_half,
)
from ..kernels.row_product cimport ROW_BLOCK, Inputs, multiply
from .addresses cimport N_SPECIAL_ROWS
from .scorer cimport Scorer, ScorerC


cdef enum:
    CHUNK = 256    # configurations whose missing products are computed together
    AHEAD = 8      # words behind a wanted one whose products may be computed with it
    STRIP = ROW_BLOCK      # words whose products of ready slots are computed together
    USED = 4       # products of later slots that a word needs, more than most do


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
        cdef size_t n_later = (<size_t>capacity + N_SPECIAL_ROWS) * s.n_later + 1
        cdef size_t n_products = CHUNK + ARCEAGER_ROWS
        cdef size_t most_computed = (
            (N_SPECIAL_ROWS + n_products) * s.n_later + USED * scorer.kept_words)
        self.scorer = scorer
        self.capacity = capacity
        # A configuration needs at most a strip for each ready slot.
        self.c.most_strips = max(scorer.kept_words // STRIP, s.n_ready)
        self.c.most_computed = 0 if n_later <= most_computed else <int>most_computed
        self.short_block = capacity
        if s.half:
            self.short_block = min(capacity, self.c.most_strips * STRIP)
        # The two large arrays are not zeroed, which would cost as much as a long sentence.
        kind = "uint16" if s.half else "float32"
        self.ready = numpy.empty(
            (self.short_block + N_SPECIAL_ROWS, s.n_ready * s.size), dtype=kind)
        self.computed = numpy.empty((min(n_later, most_computed), s.stride), dtype=kind)
        self.c.item = self.ready.itemsize
        self.c.ready = data_of(self.ready)
        self.c.computed = data_of(self.computed)
        self.memory = Pool()
        self.c.place = <int*>self.memory.alloc(n_later, sizeof(int))
        self.strips = <int*>self.memory.alloc(capacity // STRIP + 1, sizeof(int))
        self.c.wanted = <int*>self.memory.alloc(n_products, sizeof(int))
        self.c.starts = <Py_ssize_t*>self.memory.alloc(ROW_BLOCK, sizeof(Py_ssize_t))
        self.c.products = <float*>self.memory.alloc(
            ROW_BLOCK * <size_t>max(s.ready.stride, s.stride), sizeof(float))
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
        cdef int n
        vectors = check_vectors(self.scorer, vectors)
        n = vectors.shape[0]
        if n > self.capacity:
            raise ValueError(f"{n} words, but the memory is for {self.capacity}")
        self.c.n_words = n
        if n:
            self.inputs = Inputs(self.scorer.ready, vectors)
            self.c.inputs = self.inputs.c
        self.c.strips = self.strips if n > self.short_block else NULL
        forget_strips(&self.c)
        if self.c.strips is NULL:
            with nogil:
                compute_ready(&self.c, s, 0, n, self.c.ready)
        special = self.scorer.ready_special
        cdef const float[:, ::1] rows = special
        if rows.shape[1]:
            keep(&self.c, self.c.ready + min(n, self.short_block) * rows.shape[1] * self.c.item,
                 &rows[0, 0], N_SPECIAL_ROWS * rows.shape[1])
        if s.n_later:
            keep(&self.c, self.c.computed, s.later_special,
                 N_SPECIAL_ROWS * s.n_later * <size_t>s.stride)
        forget_computed(&self.c, s)


cdef void compute_ready(LowerC* lower, const ScorerC* scorer, int first, int last,
                        char* out) noexcept nogil:
    # The products of the ready slots for the words from `first` to `last`.
    cdef size_t width = scorer.n_ready * <size_t>scorer.size
    cdef int i, n
    while first < last:
        n = min(ROW_BLOCK, last - first)
        for i in range(n):
            lower.starts[i] = <Py_ssize_t>(first + i) * scorer.inputs
        multiply(scorer.ready, lower.products, lower.inputs, lower.starts, n)
        for i in range(n):
            keep(lower, out, lower.products + <size_t>i * scorer.ready.stride, width)
            out += width * lower.item
        first += n


cdef void forget_computed(LowerC* lower, const ScorerC* scorer) noexcept nogil:
    # All products of later slots, but those of the special rows.
    cdef int row, n = lower.n_words * scorer.n_later
    for row in range(n):
        lower.place[row] = NONE
    for row in range(N_SPECIAL_ROWS * scorer.n_later):
        lower.place[n + row] = row
    lower.n_computed = N_SPECIAL_ROWS * scorer.n_later


cdef void forget_strips(LowerC* lower) noexcept nogil:
    cdef int strip
    lower.n_strips = 0
    if lower.strips is not NULL:
        for strip in range(lower.n_words // STRIP + 1):
            lower.strips[strip] = NONE


cdef void fetch_strips(LowerC* lower, const ScorerC* scorer, const int* features) noexcept nogil:
    # Computes the strips of a long block that the ready slots of a configuration need.
    cdef int i, n_missing = 0
    for i in range(scorer.n_words):
        n_missing += is_missing(lower, scorer, features, i)
    if lower.n_strips + n_missing > lower.most_strips:
        forget_strips(lower)
    for i in range(scorer.n_words):
        if is_missing(lower, scorer, features, i):
            fetch_strip(lower, scorer, features[i] // STRIP)


cdef inline bint is_missing(const LowerC* lower, const ScorerC* scorer, const int* features,
                            int slot) noexcept nogil:
    return (not scorer.slots[slot].is_later and features[slot] < lower.n_words
            and lower.strips[features[slot] // STRIP] == NONE)


cdef void fetch_strip(LowerC* lower, const ScorerC* scorer, int strip) noexcept nogil:
    cdef int first = strip * STRIP
    cdef size_t row = lower.n_strips * <size_t>STRIP
    compute_ready(lower, scorer, first, min(lower.n_words, first + STRIP),
                  lower.ready + row * scorer.n_ready * scorer.size * lower.item)
    lower.strips[strip] = lower.n_strips
    lower.n_strips += 1


cdef inline size_t ready_row(const LowerC* lower, int row) noexcept nogil:
    # Where the products of a row are in `ready`.
    if lower.strips is NULL:
        return row
    if row >= lower.n_words:
        return lower.most_strips * STRIP + row - lower.n_words
    return lower.strips[row // STRIP] * STRIP + row % STRIP


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
        if lower.most_computed and lower.most_computed - lower.n_computed < (
                scorer.n_later * (min(CHUNK, n - first) + ARCEAGER_ROWS)):
            forget_computed(lower, scorer)
        for slot in range(scorer.n_words):
            if scorer.slots[slot].is_later:
                compute_needed(lower, scorer, slot, features + first * n_features,
                               min(CHUNK, n - first))
        for i in range(first, min(first + CHUNK, n)):
            if lower.strips is not NULL:
                fetch_strips(lower, scorer, features + i * n_features)
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
    compute_wanted(lower, scorer, index, n_wanted)
    lower.n_computed += n_wanted


cdef void compute_wanted(LowerC* lower, const ScorerC* scorer, int index,
                         int n_wanted) noexcept nogil:
    # The products of the wanted words for one later slot.
    cdef char* out = lower.computed + <size_t>lower.n_computed * scorer.stride * lower.item
    cdef int i, n, first = 0
    while first < n_wanted:
        n = min(ROW_BLOCK, n_wanted - first)
        for i in range(n):
            lower.starts[i] = <Py_ssize_t>lower.wanted[first + i] * scorer.inputs
        multiply(&scorer.later[index], lower.products, lower.inputs, lower.starts, n)
        keep(lower, out, lower.products, n * <size_t>scorer.stride)
        out += n * <size_t>scorer.stride * lower.item
        first += n


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
                (ready_row(lower, features[i]) * scorer.n_ready + index)
                * scorer.size * lower.item)
    for i in range(scorer.n_words, n):
        lower.rows[i] = tables + <size_t>features[i] * scorer.size * lower.item
    if lower.item == sizeof(float):
        sum_rows(lower.sums, scorer.bias, <const float**>lower.rows, n, scorer.size)
    else:
        sum_half_rows(lower.sums, scorer.bias, <const half_float**>lower.rows, n, scorer.size)
