"""NumPy's BLAS for the whole pipeline.

Nearly all time of a small pipeline goes into matrix products. thinc hands them to BLIS,
which is slower than the OpenBLAS that comes with NumPy on many processors; its own
`NumpyOps(use_blis=False)` leaves them to NumPy.
"""

from collections.abc import Callable

from spacy.language import Language
from thinc.api import NumpyOps, get_current_ops, set_current_ops


def use_numpy_blas() -> Callable[[type[Language]], type[Language]]:
    """A `before_creation` callback: layers made from now on use NumPy's BLAS on a CPU.

    Nothing changes where a GPU, or another backend of thinc, is in use.
    """

    def before_creation(language: type[Language]) -> type[Language]:
        if type(get_current_ops()) is NumpyOps:
            set_current_ops(NumpyOps(use_blis=False))
        return language

    return before_creation
