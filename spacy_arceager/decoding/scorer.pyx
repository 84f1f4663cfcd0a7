"""Features and scores of configurations; see scorer.pxd."""

import numpy

from ..machine.configuration cimport (
    END,
    NONE,
    ConfigurationC,
    is_root_node,
    operative_from,
    right_of,
)
from .kernels cimport ARCEAGER_LANES, product


cdef int padding(int n) noexcept nogil:
    # What is missing to whole groups of lanes.
    return (ARCEAGER_LANES - n % ARCEAGER_LANES) % ARCEAGER_LANES


cdef object in_strips(weights):
    # Weights (.., inner, width) as the kernels read them, (.., strips, inner, lanes); see
    # kernels.h.
    *rest, width = weights.shape
    padded = numpy.pad(weights, [*[(0, 0)] * len(rest), (0, padding(width))])
    strips = padded.reshape((*rest, (width + padding(width)) // ARCEAGER_LANES, ARCEAGER_LANES))
    return numpy.ascontiguousarray(strips.swapaxes(-2, -3))


cdef class Scorer:
    """The weights of a model, laid out for the C loops.

    weights: NumPy arrays (see model/transition_model.py, Weights).
    """

    def __init__(self, weights):
        cdef int n_classes = weights.upper_b.shape[0]
        cdef int pad = padding(n_classes)
        self.weights = weights
        self._lay_out_lower(weights)
        self.n_classes = n_classes
        self.words = numpy.asarray([a.row() for a in weights.words], dtype="i")
        self.attributes = numpy.asarray(
            [a.row() for a in weights.attributes], dtype="i"
        ).reshape((-1, 6))
        self.attribute_start = numpy.asarray(weights.attribute_start, dtype="i")
        self.bias = weights.lower_b.reshape((-1,))
        self.tables = weights.tables.reshape((weights.tables.shape[0], self.bias.shape[0]))
        self.upper = in_strips(weights.upper_W).reshape((-1,))
        self.upper_bias = numpy.pad(weights.upper_b, (0, pad))
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
        self.c.upper = &self.upper[0]
        self.c.upper_bias = &self.upper_bias[0]

    def _lay_out_lower(self, weights):
        # Splits the lower layer into the slots that are ready and those computed later.
        cdef int n_slots = len(weights.words)
        pieces, hidden = weights.lower_b.shape
        size = pieces * hidden
        is_later = numpy.asarray([not a.is_common for a in weights.words])
        index = numpy.where(is_later, numpy.cumsum(is_later), numpy.cumsum(~is_later)) - 1
        self.slots = numpy.stack([is_later, index], axis=1).astype("i")
        lower = weights.lower_W.reshape((-1, n_slots, size))
        special = weights.special.reshape((N_SPECIAL_ROWS, n_slots, size))
        self.ready_W = lower[:, ~is_later].reshape((lower.shape[0], -1))
        self.ready_special = special[:, ~is_later].reshape((N_SPECIAL_ROWS, -1))
        self.later = in_strips(lower[:, is_later].swapaxes(0, 1)).reshape((-1,))
        self.later_special = numpy.pad(
            special[:, is_later], [(0, 0), (0, 0), (0, padding(size))]
        ).reshape((-1,))
        self.no_bias = numpy.zeros((size + padding(size),), dtype="f")
        self.c.n_words = n_slots
        self.c.n_later = is_later.sum()
        self.c.n_ready = n_slots - self.c.n_later
        self.c.inputs = lower.shape[0]
        self.c.stride = size + padding(size)
        self.c.slots = <const SlotC*>&self.slots[0, 0]
        self.c.no_bias = &self.no_bias[0]
        if self.c.n_later:
            self.c.later = &self.later[0]
            self.c.later_special = &self.later_special[0]


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
                           int first_row, int n_rows, int* features) noexcept nogil:
    cdef int i, node
    for i in range(scorer.n_words):
        node = find_node(c, &scorer.words[i], anchor)
        if node == NONE:
            features[i] = n_rows + MISSING_ROW
        elif node == END:
            features[i] = n_rows + END_ROW
        elif is_root_node(c, node):
            features[i] = n_rows + ROOT_ROW
        else:
            features[i] = first_row + node
    for i in range(scorer.n_attributes):
        features[scorer.n_words + i] = (scorer.attribute_start[i]
                                        + attribute_value(c, &scorer.attributes[i], anchor))


cdef void score(const ScorerC* scorer, const float* hidden, int n,
                float* scores) noexcept nogil:
    product(scores, hidden, scorer.upper, scorer.upper_bias, n,
            scorer.hidden, scorer.width)
