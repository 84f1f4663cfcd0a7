"""A gated recurrence in both directions, with the arithmetic of recurrence.h.

It is a quasi-recurrent network with fo-pooling over single words (Bradbury, Merity, Xiong and
Socher 2017). The first half of the units reads a Doc from its start, the other half from its end.
Only elementwise sums depend on the word before, so that the products of many words are computed at
once.
"""

import numpy

from libc.string cimport memset

from .row_product cimport ROW_BLOCK, Inputs, InputsC, RowProduct, multiply


cdef class Cells:
    """Gates and cells of n words, which the backward pass needs of a forward pass."""

    def __init__(self, int n, Recurrence recurrence):
        self.cells = numpy.empty((n, recurrence.width), dtype="f")
        products = recurrence.from_start, recurrence.from_end
        self.gates = [
            numpy.empty((n, (<RowProduct>product).c.stride), dtype="f") for product in products]


cdef class Recurrence:
    """The weights, in the order in which the kernels read them.

    Args:
        W: (3, width, inputs): of the candidates, the forget gates and the output gates.
        b: (3, width).
        rounding: as for `RowProduct`.

    Raises:
        ValueError: For shapes that do not fit together.
    """

    def __init__(
        self, W: NDArray[numpy.float32], b: NDArray[numpy.float32], rounding: str | None = None,
    ):
        if b.shape != W.shape[:2] or b.shape[0] != 3:
            raise ValueError(f"Weights of shapes that do not fit: {W.shape}, {b.shape}")
        _, self.width, self.n_inputs = W.shape
        half = self.width // 2
        self.from_start, self.from_end = (
            RowProduct(W[:, units].reshape((-1, self.n_inputs)).T, b[:, units].reshape((-1,)),
                       rounding)
            for units in (slice(half), slice(half, self.width)))
        self.zeros = numpy.zeros((self.width,), dtype="f")
        self.sides[0] = Side(&self.from_start.c, 0, half, from_end=False)
        self.sides[1] = Side(&self.from_end.c, half, self.width - half, from_end=True)

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
        # Without a record, there are the gates and cells of one block.
        cdef Cells cells = Cells(ROW_BLOCK, self) if record is None else record
        cdef float[:, ::1] gates
        cdef Inputs of_product
        cdef int i
        if inputs.shape[1] != self.n_inputs:
            raise ValueError(f"{inputs.shape[1]} inputs; the layer has {self.n_inputs}")
        self.check(lengths, inputs.shape[0], out, record)
        if inputs.shape[0] == 0:
            return
        of_product = Inputs(self.from_start, numpy.asarray(inputs))
        for i in range(2):
            gates = cells.gates[i]
            with nogil:
                self.read(&self.sides[i], &out[0, 0], &cells.cells[0, 0], &gates[0, 0],
                          record is not None, of_product.c, &lengths[0], lengths.shape[0],
                          inputs.shape[0])

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
        cdef float[:, ::1] products = numpy.empty((d_out.shape[0], 3 * self.width), dtype="f")
        cdef float[::1] d_cell = numpy.empty(self.width, dtype="f")
        cdef float[:, ::1] gates
        cdef int i
        self.check(lengths, d_out.shape[0], d_out, record)
        if d_out.shape[0]:
            for i in range(2):
                gates = record.gates[i]
                with nogil:
                    self.backprop_read(
                        &self.sides[i], &products[0, 0], &d_cell[0], &d_out[0, 0],
                        &record.cells[0, 0], &gates[0, 0], &lengths[0], lengths.shape[0],
                        d_out.shape[0])
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

    cdef void read(self, const Side* side, float* out, float* cells, float* gates, bint keep,
                   InputsC inputs, const int* lengths, int n_docs,
                   int n_words) noexcept nogil:
        # One side reads all words, block by block. With `keep`, the gates and cells of all words
        # stay. Else a block takes the place of the one before.
        cdef int done = 0, size, first, t, word
        cdef int left = 0       # words of the Doc that are not read yet
        cdef int d = n_docs if side.from_end else -1
        cdef float* of_block
        cdef float* cell
        cdef const float* before = &self.zeros[0]
        while done < n_words:
            size = min(<int>ROW_BLOCK, n_words - done)
            first = n_words - done - size if side.from_end else done
            of_block = gates + <Py_ssize_t>first * side.product.stride if keep else gates
            self.make_gates(side, of_block, inputs, first, size)
            for t in range(size):
                while left == 0:
                    d += -1 if side.from_end else 1
                    left = lengths[d]
                    before = &self.zeros[0]
                word = size - 1 - t if side.from_end else t     # of the block
                cell = (cells + <Py_ssize_t>(first + word if keep else t) * self.width
                        + side.first)
                recur(out + <Py_ssize_t>(first + word) * self.width + side.first, cell, before,
                      of_block + <Py_ssize_t>word * side.product.stride, side.units)
                before = cell
                left -= 1
            done += size

    cdef void make_gates(self, const Side* side, float* gates, InputsC inputs, int first,
                         int n) noexcept nogil:
        # Gates and candidates of n words, at most ROW_BLOCK.
        cdef Py_ssize_t starts[ROW_BLOCK]
        cdef int s
        for s in range(n):
            starts[s] = <Py_ssize_t>(first + s) * self.n_inputs
        multiply(side.product, gates, inputs, starts, n)
        for s in range(n):
            open_gates(gates + <Py_ssize_t>s * side.product.stride, side.units)

    cdef void backprop_read(self, const Side* side, float* d_products, float* d_cell,
                            const float* d_out, const float* cells, const float* gates,
                            const int* lengths, int n_docs, int n_words) noexcept nogil:
        # Goes through the words in the opposite order of `read`.
        cdef int left = 0, d = -1 if side.from_end else n_docs, t, word
        cdef int back = self.width if side.from_end else -self.width    # to the word read before
        cdef Py_ssize_t row
        cdef const float* before
        for t in range(n_words):
            while left == 0:
                d += 1 if side.from_end else -1
                left = lengths[d]
                memset(d_cell, 0, side.units * sizeof(float))
            word = t if side.from_end else n_words - 1 - t
            row = <Py_ssize_t>word * self.width + side.first
            before = cells + row + back if left > 1 else &self.zeros[0]
            backprop_recur(d_products + 3 * <Py_ssize_t>word * self.width + side.first, d_cell,
                           d_out + row, cells + row, before,
                           gates + <Py_ssize_t>word * side.product.stride, side.units, self.width)
            left -= 1
