"""NumPy's BLAS for the whole pipeline, and the number of its threads.

A small pipeline spends nearly all its time in matrix products. thinc computes them with BLIS, which
on many processors is slower than the OpenBLAS that comes with NumPy. OpenBLAS in turn starts a
thread on every core, for products that are too small to gain by it.
"""

from collections.abc import Callable

from spacy.language import Language
from thinc.api import NumpyOps, get_current_ops, set_current_ops
from threadpoolctl import threadpool_limits


def use_numpy_blas(
    threads: int | None = 1,
) -> Callable[[type[Language]], type[Language]]:
    """A `before_creation` callback that makes thinc's layers use NumPy's BLAS on a CPU.

    If a GPU or another backend of thinc is in use, nothing changes.

    Args:
        threads: how many threads the BLAS uses in this process from now on; None to change nothing.

    Raises:
        ValueError: For fewer than one thread.
    """
    if threads is not None and threads < 1:
        raise ValueError(f"threads={threads}; use 1 or more, or null")

    def before_creation(language: type[Language]) -> type[Language]:
        if type(get_current_ops()) is NumpyOps:
            set_current_ops(NumpyOps(use_blis=False))
            if threads is not None:
                threadpool_limits(threads, user_api="blas")
        return language

    return before_creation
