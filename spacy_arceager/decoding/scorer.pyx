"""Scores of configurations in lock-step; see scorer.pxd."""

import numpy

from ..machine.configuration cimport (
    END,
    NONE,
    ConfigurationC,
    is_root_node,
    operative_from,
    right_of,
)


cdef extern from "kernels.h" nogil:
    enum: ARCEAGER_LANES
    void sum_rows(float* out, const float* bias, const float** rows, int n_rows, int size)
    void maxout(float* out, unsigned char* which, const float* inputs, int pieces, int hidden)
    void upper_layer(float* scores, const float* inputs, const float* weights,
                     const float* bias, int n, int hidden, int width)


cdef class Scorer:
    """The weights of a model, laid out for the C loops.

    weights: NumPy arrays (see model/transition_model.py, Weights).
    """

    def __init__(self, weights):
        cdef int n_classes = weights.upper_b.shape[0]
        cdef int pad = (ARCEAGER_LANES - n_classes % ARCEAGER_LANES) % ARCEAGER_LANES
        self.weights = weights
        self.n_classes = n_classes
        self.words = numpy.asarray([a.row() for a in weights.words], dtype="i")
        self.attributes = numpy.asarray(
            [a.row() for a in weights.attributes], dtype="i"
        ).reshape((-1, 6))
        self.attribute_start = numpy.asarray(weights.attribute_start, dtype="i")
        self.bias = weights.lower_b.reshape((-1,))
        self.tables = weights.tables.reshape((weights.tables.shape[0], self.bias.shape[0]))
        self.upper = numpy.pad(weights.upper_W, ((0, 0), (0, pad)))
        self.upper_bias = numpy.pad(weights.upper_b, (0, pad))
        self.c.n_words = self.words.shape[0]
        self.c.n_attributes = self.attributes.shape[0]
        self.c.pieces = weights.lower_b.shape[0]
        self.c.hidden = weights.lower_b.shape[1]
        self.c.size = self.c.pieces * self.c.hidden
        self.c.width = n_classes + pad
        addresses = weights.words + weights.attributes
        self.c.reach_left = max([0] + [a.reach_left for a in addresses])
        self.c.reach_right = max([0] + [a.reach_right for a in addresses])
        self.c.words = <const AddressC*>&self.words[0, 0]
        if self.c.n_attributes:
            self.c.attributes = <const AddressC*>&self.attributes[0, 0]
            self.c.attribute_start = &self.attribute_start[0]
            self.c.tables = &self.tables[0, 0]
        self.c.bias = &self.bias[0]
        self.c.upper = &self.upper[0, 0]
        self.c.upper_bias = &self.upper_bias[0]

    def new_table(self, int n_words):
        """An empty table for `precompute`, to be used for many blocks of sentences."""
        width = self.weights.lower_W.shape[1]
        return numpy.empty((n_words + N_SPECIAL_ROWS, width), dtype="f")

    def precompute(self, vectors, table=None):
        """The lower layer's product for every word and feature slot.

        vectors: (n_rows, width) float32. table: memory for at least as many words; new
        memory costs more time than the product.
        Returns (n_rows + 3, slots * size): the last rows stand for a missing word, the
        end of the input and the artificial root.
        """
        n_rows = vectors.shape[0]
        table = (self.new_table(n_rows) if table is None else table)[:n_rows + N_SPECIAL_ROWS]
        numpy.matmul(vectors, self.weights.lower_W, out=table[:n_rows])
        table[n_rows:] = self.weights.special.reshape((N_SPECIAL_ROWS, -1))
        return table


cdef enum Hop:
    LEFT1 = 1
    LEFT2 = 2
    RIGHT1 = 3
    RIGHT2 = 4
    HEAD = 5

cdef enum Attribute:
    LABEL = 1
    VALENCY = 2
    DISTANCE = 3


cdef inline int follow(const ConfigurationC* c, int node, int hop) noexcept nogil:
    if node < 0:
        return NONE
    if hop == LEFT1:
        return c.left1[node]
    if hop == LEFT2:
        return c.left2[node]
    if hop == RIGHT1:
        return c.right1[node]
    if hop == RIGHT2:
        return c.right2[node]
    return c.head[node]


cdef inline int find_node(const ConfigurationC* c, const AddressC* address,
                          int anchor) noexcept nogil:
    cdef int node
    if address.in_unprocessed:
        node = right_of(c, anchor, address.position)
    else:
        node = operative_from(c, anchor, address.position)
    if address.hop1:
        node = follow(c, node, address.hop1)
        if address.hop2:
            node = follow(c, node, address.hop2)
    return node


cdef inline int distance_bin(int distance) noexcept nogil:
    # 1, 2, 3, 4, 5-6, 7-9, 10-14, 15-24, 25 and more; 0 for a word moved past another.
    if distance <= 4:
        return distance if distance > 0 else 0
    if distance <= 6:
        return 5
    if distance <= 9:
        return 6
    if distance <= 14:
        return 7
    return 8 if distance <= 24 else 9


cdef inline int attribute_value(const ConfigurationC* c, const AddressC* address,
                                int anchor) noexcept nogil:
    # The row in the attribute's own table; 0 is "no word".
    cdef int node = find_node(c, address, anchor)
    cdef int other
    if node < 0:
        return 0
    if address.attribute == LABEL:
        return 1 if c.head[node] == NONE else 2 + c.label[node]
    if address.attribute == VALENCY:
        return 1 + 4 * min(c.n_left[node], 3) + min(c.n_right[node], 3)
    if address.other_position < 0:
        other = right_of(c, anchor, -address.other_position)
    else:
        other = operative_from(c, anchor, address.other_position)
    if other == NONE:
        return 0
    if other == END:
        other = c.n_words
    return 1 + distance_bin(other - node)


cdef void extract_features(const ScorerC* scorer, const ConfigurationC* c, int anchor,
                           int first_row, int n_rows, int* word_rows,
                           int* attribute_rows) noexcept nogil:
    cdef int i, node
    for i in range(scorer.n_words):
        node = find_node(c, &scorer.words[i], anchor)
        if node == NONE:
            word_rows[i] = n_rows + MISSING_ROW
        elif node == END:
            word_rows[i] = n_rows + END_ROW
        elif is_root_node(c, node):
            word_rows[i] = n_rows + ROOT_ROW
        else:
            word_rows[i] = first_row + node
    for i in range(scorer.n_attributes):
        attribute_rows[i] = (scorer.attribute_start[i]
                             + attribute_value(c, &scorer.attributes[i], anchor))


cdef void lower_layer(const ScorerC* scorer, const float* table, const int* word_rows,
                      const int* attribute_rows, const float** rows, float* sums,
                      float* hidden, unsigned char* which) noexcept nogil:
    cdef int i
    for i in range(scorer.n_words):
        rows[i] = table + (<size_t>word_rows[i] * scorer.n_words + i) * scorer.size
    for i in range(scorer.n_attributes):
        rows[scorer.n_words + i] = scorer.tables + <size_t>attribute_rows[i] * scorer.size
    sum_rows(sums, scorer.bias, rows, scorer.n_words + scorer.n_attributes, scorer.size)
    maxout(hidden, which, sums, scorer.pieces, scorer.hidden)


cdef void score(const ScorerC* scorer, const float* hidden, int n,
                float* scores) noexcept nogil:
    cdef int padded = n + (-n & 3)
    upper_layer(scores, hidden, scorer.upper, scorer.upper_bias, padded, scorer.hidden,
                scorer.width)
