"""A maxout layer (Goodfellow et al. 2013) with layer normalisation (Ba, Kiros and Hinton 2016).

It is the same function as thinc's Maxout(normalize=True) with Dropout after it. The arithmetic is
in maxout_norm.h.
"""

import numpy

from libc.stdint cimport uintptr_t
from libc.stdlib cimport free, malloc

from .row_product cimport ROW_BLOCK, Inputs, InputsC, RowProduct, multiply
from .strips import padded


cdef class MaxoutRecord:
    """What the backward pass needs of a forward pass.

    Args:
        n: rows.
        hidden: width of the layer's output.
        dropout: share of the outputs to drop.
        seed: of the random choice of these outputs.
    """

    def __init__(self, int n, int hidden, float dropout=0, uint64_t seed=0):
        self.normed = numpy.empty((n, hidden), dtype="f")
        self.which = numpy.empty((n, hidden), dtype="u1")
        self.scale = numpy.empty((n,), dtype="f")
        self.dropout = dropout
        self.seed = seed


cdef class MaxoutNorm:
    """The layer's weights, in the order in which the kernels read them.

    Args:
        W: (hidden, pieces, inputs), as in thinc's Maxout.
        b: (hidden, pieces).
        gain: (hidden,), of the layer normalisation.
        shift: (hidden,), of the layer normalisation.
        rounding, kernel: as for `RowProduct`.

    Raises:
        ValueError: For shapes that do not fit together, and for no pieces or more than 127.
    """

    def __init__(
        self, W: NDArray[numpy.float32], b: NDArray[numpy.float32], gain: NDArray[numpy.float32],
        shift: NDArray[numpy.float32], rounding: str | None = None,
        kernel: str | None = None,
    ):
        hidden, pieces, inputs = W.shape
        if not 1 <= pieces <= 127:
            raise ValueError(f"maxout_pieces={pieces}; use 1 to 127")
        if b.shape != (hidden, pieces) or not gain.shape == shift.shape == (hidden,):
            raise ValueError(f"Weights of shapes that do not fit: {W.shape}, {b.shape}, "
                             f"{gain.shape}, {shift.shape}")
        self.n_hidden, self.n_pieces, self.n_inputs = hidden, pieces, inputs
        self.rounding = rounding
        columns = W.swapaxes(0, 1).reshape((-1, inputs))
        self.product = RowProduct(columns.T, b.T.reshape((-1,)), rounding, kernel)
        self.memory = gains, shifts = padded(gain), padded(shift)
        self.gain = <float*><uintptr_t>gains.ctypes.data
        self.shift = <float*><uintptr_t>shifts.ctypes.data

    def apply(
        self, const float[:, ::1] inputs, float[:, ::1] out, const int[::1] rows=None,
        const int[::1] out_rows=None, int window=0, bint residual=False, MaxoutRecord record=None,
    ) -> None:
        """Compute the layer's outputs.

        Args:
            inputs: (n_rows, width); the layer reads windows of (2 * window + 1) * width numbers.
            out: (.., hidden), where the outputs are written.
            rows: (n,), the row of `inputs` in the middle of each window; None for every row.
            out_rows: (n,), the row of `out` for each output; None for one row after the other.
            window: rows to each side of the middle one.
            residual: whether the middle row is added to the output.
            record: filled for the backward pass.

        Raises:
            ValueError: For widths that are not the layer's.
        """
        cdef int n = inputs.shape[0] if rows is None else rows.shape[0]
        cdef int width = inputs.shape[1]
        cdef const int* places = NULL
        cdef const int* out_places = NULL
        if (2 * window + 1) * width != self.n_inputs or out.shape[1] != self.n_hidden:
            raise ValueError(f"{(2 * window + 1) * width} inputs and {out.shape[1]} outputs; "
                             f"the layer has {self.n_inputs} and {self.n_hidden}")
        if residual and width != self.n_hidden:
            raise ValueError(f"Residual of width {width} for outputs of {self.n_hidden}")
        if n == 0:
            return
        if rows is not None:
            places = &rows[0]
        if out_rows is not None:
            out_places = &out_rows[0]
        cdef Inputs of_product = Inputs(self.product, numpy.asarray(inputs))
        with nogil:
            self.run(&out[0, 0], out_places, of_product.c, places, width, window * width,
                     &inputs[0, 0] if residual else NULL, n, record)

    cdef int run(self, float* out, const int* out_rows, InputsC inputs, const int* rows,
                 int stride, int back, const float* residual, int n,
                 MaxoutRecord record) except -1 nogil:
        cdef int hidden = self.n_hidden, width = self.product.c.stride, done = 0, size, s, i, row
        cdef Py_ssize_t starts[ROW_BLOCK]
        cdef const float* row_in = NULL
        cdef float* row_out
        cdef float* normed
        cdef unsigned char* which
        cdef float scale, dropout = 0
        cdef float* products = <float*>malloc(
            (ROW_BLOCK * width + hidden) * sizeof(float) + hidden)
        if products == NULL:
            with gil:
                raise MemoryError()
        normed = products + ROW_BLOCK * width
        which = <unsigned char*>(normed + hidden)
        if record is not None:
            dropout = record.dropout
        while done < n:
            size = min(<int>ROW_BLOCK, n - done)
            for s in range(size):
                row = done + s if rows == NULL else rows[done + s]
                starts[s] = <Py_ssize_t>row * stride - back
            multiply(&self.product.c, products, inputs, starts, size)
            for s in range(size):
                i = done + s
                if residual != NULL:
                    row_in = residual + starts[s] + back
                row = i if out_rows == NULL else out_rows[i]
                row_out = out + <Py_ssize_t>row * hidden
                if record is not None:
                    normed = &record.normed[i, 0]
                    which = &record.which[i, 0]
                scale = maxout_norm_row(row_out, normed, which, products + s * width,
                                        self.gain, self.shift, row_in, self.n_pieces, hidden)
                if record is not None:
                    record.scale[i] = scale
                if dropout > 0:
                    drop_units(which, hidden, record.seed + <uint64_t>i * hidden,
                               <unsigned>(dropout * 65536))
                    apply_dropout(row_out, normed, which, self.gain, self.shift, row_in,
                                  hidden, 1 - dropout)
            done += size
        free(products)
        return 0

    def backprop(
        self, const float[:, ::1] d_out, MaxoutRecord record,
    ) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """The gradients of the products, the gain and the shift.

        Args:
            d_out: (n, hidden), in the order in which the outputs were computed.
            record: of the forward pass.

        Returns:
            (n, hidden * pieces), the pieces of a unit one after the other; (hidden,) and (hidden,).
        """
        cdef int hidden = self.n_hidden, n = d_out.shape[0], s
        d_products = numpy.zeros((n, hidden * self.n_pieces), dtype="f")
        d_gain = numpy.zeros((hidden,), dtype="f")
        d_shift = numpy.zeros((hidden,), dtype="f")
        cdef float[:, ::1] products = d_products
        cdef float[::1] gain = d_gain, shift = d_shift, normed = numpy.empty_like(d_gain)
        with nogil:
            for s in range(n):
                backprop_maxout_norm_row(
                    &products[s, 0], &gain[0], &shift[0], &normed[0], &d_out[s, 0],
                    &record.normed[s, 0], &record.which[s, 0], self.gain, record.scale[s],
                    self.n_pieces, hidden, 1 - record.dropout)
        return d_products, d_gain, d_shift
