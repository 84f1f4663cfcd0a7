"""NumPy's BLAS for the whole pipeline, and on how many threads.

Nearly all time of a small pipeline goes into matrix products. thinc hands them to BLIS,
which is slower than the OpenBLAS that comes with NumPy on many processors; its own
`NumpyOps(use_blis=False)` leaves them to NumPy. NumPy's BLAS takes every core unless it is
told otherwise, for products too small to gain by it.
"""

from collections.abc import Callable

from spacy.language import Language
from thinc.api import NumpyOps, get_current_ops, set_current_ops
from threadpoolctl import threadpool_limits


def use_numpy_blas(
    threads: int | None = 1,
) -> Callable[[type[Language]], type[Language]]:
    """A `before_creation` callback: layers made from now on use NumPy's BLAS on a CPU.

    Nothing changes where a GPU, or another backend of thinc, is in use.

    Args:
        threads: of the BLAS, in the whole process from now on; None leaves them as they are.

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
