"""A step of Adam in one pass over the weights; see adam.h."""

from libc.math cimport sqrt


cdef extern from "adam.h" nogil:
    double sum_of_squares(const float* x, size_t size)
    void adam(float* weights, float* gradient, float* mom1, float* mom2, float* averages,
              size_t size, float clip, float beta1, float beta2, float eps, float step,
              float decay, float rate)


def adam_step(
    float[::1] weights not None, float[::1] gradient not None, float[::1] mom1 not None,
    float[::1] mom2 not None, float[::1] averages: NDArray[numpy.float32] | None, *,
    double max_norm, double beta1, double beta2, double eps, double step, double decay, double rate,
) -> None:
    """Change weights, their moments and averages by a gradient, and set the gradient to zero.

    Args:
        weights: (n,) float32, as are gradient, mom1, mom2 and averages.
        averages: of the weights, or None.
        max_norm: a longer gradient is shortened to this length; 0 for any length.
        step: learning rate, corrected for moments that began at zero.
        decay: the share of themselves that the weights lose.
        rate: the share of the difference by which averages move to the weights.

    Raises:
        ValueError: For arrays of different lengths.
    """
    cdef Py_ssize_t n = weights.shape[0], size
    cdef double norm, clip = 1
    cdef float* average = NULL
    cdef Py_ssize_t[4] sizes = [gradient.shape[0], mom1.shape[0], mom2.shape[0],
                                n if averages is None else averages.shape[0]]
    for size in sizes:
        if size != n:
            raise ValueError(f"{size} numbers for {n} weights")
    if n == 0:
        return
    if averages is not None:
        average = &averages[0]
    with nogil:
        if max_norm > 0:
            norm = sqrt(sum_of_squares(&gradient[0], n))
            if norm >= max_norm:
                clip = max_norm / norm
        adam(&weights[0], &gradient[0], &mom1[0], &mom2[0], average, n, clip, beta1, beta2, eps,
             step, decay, rate)
