"""A gated recurrence in both directions, with the arithmetic of recurrence.h.

It is a quasi-recurrent network with fo-pooling over single words (Bradbury, Merity, Xiong and
Socher 2017). The first half of the units reads a Doc from its start, the other half from its end.
Only elementwise sums depend on the word before, so that the products of all words are computed at
once.
"""

import numpy

from libc.stdint cimport uintptr_t
from libc.string cimport memset

from .maxout_norm cimport MAXOUT_BLOCK, maxout_product
from .strips import aligned, in_strips, padded


cdef class Cells:
    """Gates and cells of n words, which the backward pass needs of a forward pass."""

    def __init__(self, int n, Recurrence recurrence):
        self.gates = numpy.empty((n, recurrence.stride), dtype="f")
        self.cells = numpy.empty((n, recurrence.width), dtype="f")


cdef class Recurrence:
    """The weights, in the order in which the kernels read them.

    Args:
        W: (3, width, inputs): of the candidates, the forget gates and the output gates.
        b: (3, width).

    Raises:
        ValueError: For shapes that do not fit together.
    """

    def __init__(self, W: NDArray[numpy.float32], b: NDArray[numpy.float32]):
        if b.shape != W.shape[:2] or b.shape[0] != 3:
            raise ValueError(f"Weights of shapes that do not fit: {W.shape}, {b.shape}")
        _, self.width, self.n_inputs = W.shape
        bias = padded(b.reshape((-1,)))
        self.stride = len(bias)
        self.memory = weights, bias, zeros = aligned(
            in_strips(W.reshape((-1, self.n_inputs)).T), bias, numpy.zeros(self.width))
        self.weights = <const float*><uintptr_t>weights.ctypes.data
        self.bias = <const float*><uintptr_t>bias.ctypes.data
        self.zeros = <const float*><uintptr_t>zeros.ctypes.data

    def apply(
        self, const float[:, ::1] inputs, const int[::1] lengths, float[:, ::1] out,
        Cells record=None,
    ) -> None:
        """Compute the outputs of all words.

        Args:
            inputs: (n_words, inputs).
            lengths: (n_docs,), words of each Doc.
            out: (n_words, width), where the outputs are written.
            record: Cells of n_words, filled for the backward pass.

        Raises:
            ValueError: For arrays that do not fit the layer and the words.
        """
        cdef int n, d, row = 0, place = 0
        cdef Cells cells = record    # without a record, those of one Doc at a time
        if inputs.shape[1] != self.n_inputs:
            raise ValueError(f"{inputs.shape[1]} inputs; the layer has {self.n_inputs}")
        if cells is None:
            cells = Cells(numpy.max(lengths, initial=0), self)
        self.check(lengths, inputs.shape[0], out, record)
        with nogil:
            for d in range(lengths.shape[0]):
                n = lengths[d]
                if n == 0:
                    continue
                if record is not None:
                    place = row
                self.multiply(&cells.gates[place, 0], &inputs[row, 0], n)
                self.read(&out[row, 0], &cells.cells[place, 0], &cells.gates[place, 0], n)
                row += n

    def backprop(
        self, const float[:, ::1] d_out, const int[::1] lengths, Cells record,
    ) -> NDArray[numpy.float32]:
        """The gradient of the products, (n_words, 3 * width), by that of the outputs.

        Args:
            d_out: (n_words, width).
            lengths: as for `apply`.
            record: of the forward pass.

        Raises:
            ValueError: As `apply` does.
        """
        cdef int n, d, row = 0
        cdef float[:, ::1] products = numpy.empty((d_out.shape[0], 3 * self.width), dtype="f")
        cdef float[::1] d_cell = numpy.empty(self.width, dtype="f")
        self.check(lengths, d_out.shape[0], d_out, record)
        with nogil:
            for d in range(lengths.shape[0]):
                n = lengths[d]
                if n == 0:
                    continue
                self.backprop_read(&products[row, 0], &d_cell[0], &d_out[row, 0],
                                   &record.cells[row, 0], &record.gates[row, 0], n)
                row += n
        return numpy.asarray(products)

    cdef int check(self, lengths, int n_inputs, const float[:, ::1] out,
                   Cells record) except -1:
        # Raises ValueError unless all arrays have n_words rows of the layer's width.
        n = numpy.sum(lengths, dtype=int)
        shapes = [(n_inputs, self.width), (out.shape[0], out.shape[1])]
        if record is not None:
            shapes.append((record.cells.shape[0], record.cells.shape[1]))
        if any(shape != (n, self.width) for shape in shapes) or numpy.min(lengths, initial=0) < 0:
            raise ValueError(f"Arrays of {shapes} for {n} words and {self.width} units")
        return 0

    cdef void multiply(self, float* gates, const float* inputs, int n) noexcept nogil:
        # Gates and candidates of n words.
        cdef const float* rows[MAXOUT_BLOCK]
        cdef int done = 0, size, s
        while done < n:
            size = min(<int>MAXOUT_BLOCK, n - done)
            for s in range(size):
                rows[s] = inputs + <Py_ssize_t>(done + s) * self.n_inputs
            maxout_product(gates + <Py_ssize_t>done * self.stride, rows, self.weights, self.bias,
                           size, self.n_inputs, self.stride)
            done += size
        for s in range(n):
            open_gates(gates + <Py_ssize_t>s * self.stride, self.width)

    cdef void read(self, float* out, float* cells, const float* gates, int n) noexcept nogil:
        # Reads one Doc of n words: half of the units from its start, the others from its end.
        cdef int half = self.width // 2, s
        cdef Py_ssize_t row
        cdef const float* before = self.zeros
        for s in range(n):
            row = <Py_ssize_t>s * self.width
            recur(out + row, cells + row, before, gates + <Py_ssize_t>s * self.stride, 0, half,
                  self.width)
            before = cells + row
        before = self.zeros
        for s in range(n - 1, -1, -1):
            row = <Py_ssize_t>s * self.width
            recur(out + row, cells + row, before, gates + <Py_ssize_t>s * self.stride, half,
                  self.width, self.width)
            before = cells + row

    cdef void backprop_read(self, float* d_products, float* d_cell, const float* d_out,
                            const float* cells, const float* gates, int n) noexcept nogil:
        # Goes through the words in the opposite order of `read`.
        cdef int half = self.width // 2, width = self.width, s
        cdef Py_ssize_t row
        memset(d_cell, 0, width * sizeof(float))
        for s in range(n - 1, -1, -1):
            row = <Py_ssize_t>s * width
            backprop_recur(d_products + 3 * row, d_cell, d_out + row, cells + row,
                           cells + row - width if s else self.zeros,
                           gates + <Py_ssize_t>s * self.stride, 0, half, width)
        for s in range(n):
            row = <Py_ssize_t>s * width
            backprop_recur(d_products + 3 * row, d_cell, d_out + row, cells + row,
                           cells + row + width if s < n - 1 else self.zeros,
                           gates + <Py_ssize_t>s * self.stride, half, width, width)
