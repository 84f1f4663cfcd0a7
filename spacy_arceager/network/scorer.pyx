"""Features and scores of configurations; see scorer.pxd."""

import numpy

from ..machine.configuration cimport ConfigurationC
from .addresses cimport N_SPECIAL_ROWS, AddressC, attribute_row, word_row
from ..kernels.kernels cimport make_finite
from ..kernels.row_product cimport MOST_INPUTS, RowProduct, multiply_floats
from ..kernels.strips cimport halved, padding
from .addresses import pack
from ..kernels.row_product import BYTES
from ..kernels.strips import padded
from .weights import Weights

KEPT_WORDS: int = 2048      # of a sentence in parsing; a training batch is kept whole


cdef class Scorer:
    """The weights of a model, in the order in which the compiled loops read them.

    Args:
        weights: a network.weights.Weights.
        rounding, kernel: as for `RowProduct`, of word vectors and the weights of the lower layer.
            With any rounding, their products become half floats (bfloat16). The upper layer is
            rounded to bytes or not at all.
        kept_words: the products of the lower layer are kept for about so many words of a sentence.
    """

    def __init__(
        self, weights: Weights, rounding: str | None = None, kernel: str | None = None,
        int kept_words=KEPT_WORDS,
    ):
        if not isinstance(weights, Weights):
            raise TypeError(f"A Scorer is made of Weights, not {type(weights).__name__}")
        dims = weights.dims
        self.weights = weights
        self.n_classes = dims.n_classes
        self.n_labels = dims.n_labels
        self.kept_words = kept_words
        self.c.half = rounding is not None
        self._rounding, self._kernel = rounding, kernel
        self.c.pieces = dims.pieces
        self.c.hidden = dims.hidden
        self.c.size = dims.pieces * dims.hidden
        self.c.inputs = dims.width
        addresses = dims.words + dims.attributes
        self.c.reach_left = max(0, *(a.reach_left for a in addresses))
        self.c.reach_right = max(0, *(a.reach_right for a in addresses))
        self._lay_out_words(weights)
        self._lay_out_attributes(weights)
        self._lay_out_upper(weights)

    def _lay_out_words(self, weights):
        # Splits the lower layer into ready and later slots.
        words = weights.dims.words
        cdef int n = len(words), size = self.c.size
        is_later = numpy.asarray([not a.is_common for a in words])
        index = numpy.where(is_later, numpy.cumsum(is_later), numpy.cumsum(~is_later)) - 1
        self.slots = numpy.stack([is_later, index], axis=1).astype("i")
        self.words = pack(words)
        lower = weights.lower_W.reshape((-1, n, size))
        special = weights.special.reshape((N_SPECIAL_ROWS, n, size))
        ready = lower[:, ~is_later].reshape((lower.shape[0], -1))
        later = lower[:, is_later].swapaxes(0, 1)
        self.ready_special = numpy.ascontiguousarray(
            special[:, ~is_later].reshape((N_SPECIAL_ROWS, -1)))
        self.later_special = padded(special[:, is_later]).reshape((-1,))
        self.c.n_words = n
        self.c.n_later = is_later.sum()
        self.c.n_ready = n - self.c.n_later
        self.c.stride = size + padding(size)
        self.c.words = <const AddressC*>&self.words[0, 0]
        self.c.slots = <const SlotC*>&self.slots[0, 0]
        self.ready = self._product(ready)
        self.later_products = [self._product(slot) for slot in later]
        self.later.clear()
        for product in self.later_products:
            self.later.push_back((<RowProduct>product).c)
        self.c.ready = &self.ready.c
        self.c.later = self.later.data()
        if self.c.n_later:
            self.c.later_special = &self.later_special[0]

    def _product(self, weights):
        no_bias = numpy.zeros(weights.shape[1], dtype="f")
        return RowProduct(weights, no_bias, self._rounding, self._kernel)

    def _lay_out_attributes(self, weights):
        dims = weights.dims
        self.attributes = pack(dims.attributes)
        self.attribute_start = numpy.cumsum([0, *dims.table_sizes], dtype="i")
        self.bias = numpy.ascontiguousarray(weights.lower_b).reshape((-1,))
        self.tables = numpy.ascontiguousarray(weights.tables).reshape((-1, self.c.size))
        self.c.n_attributes = len(dims.attributes)
        self.c.bias = &self.bias[0]
        if self.c.n_attributes:
            self.c.attributes = <const AddressC*>&self.attributes[0, 0]
            self.c.attribute_start = &self.attribute_start[0]
            self.c.tables = &self.tables[0, 0]
            if self.c.half:
                self.half_tables = halved(self.tables)
                self.c.half_tables = &self.half_tables[0, 0]

    def _lay_out_upper(self, weights):
        rounding = BYTES if self._rounding == BYTES and self.c.hidden <= MOST_INPUTS else None
        self.upper = RowProduct(weights.upper_W, weights.upper_b, rounding, self._kernel)
        self.c.width = self.upper.c.stride
        self.c.upper = &self.upper.c


cdef void extract_features(const ScorerC* scorer, const ConfigurationC* c, int anchor,
                           int first_row, int n_rows, int* features) noexcept nogil:
    cdef int i
    for i in range(scorer.n_words):
        features[i] = word_row(c, &scorer.words[i], anchor, first_row, n_rows)
    for i in range(scorer.n_attributes):
        features[scorer.n_words + i] = (scorer.attribute_start[i]
                                        + attribute_row(c, &scorer.attributes[i], anchor))


cdef bint score(const ScorerC* scorer, const float* hidden, int n,
                float* scores) noexcept nogil:
    multiply_floats(scorer.upper, scores, hidden, n)
    return make_finite(scores, <size_t>n * scorer.width)
