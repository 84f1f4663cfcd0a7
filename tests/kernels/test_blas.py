"""NumPy's BLAS for the pipeline: the same products as thinc's own Ops give."""

import numpy
import pytest
from thinc.api import NumpyOps, get_current_ops, set_current_ops, use_ops
from threadpoolctl import threadpool_info, threadpool_limits

from spacy_arceager.kernels.blas import use_numpy_blas

RNG = numpy.random.default_rng(0)

SHAPES = [(1, 1, 1), (3, 5, 2), (64, 96, 288), (0, 4, 3), (3, 0, 2), (3, 4, 0)]
LAYOUTS = {
    "contiguous": lambda array: array,
    "Fortran order": numpy.asfortranarray,
    "every other column": lambda array: numpy.repeat(array, 2, axis=1)[:, ::2],
}


@pytest.fixture
def ops():
    """The Ops that a config with the callback gets."""
    before = get_current_ops()
    set_current_ops(NumpyOps())
    use_numpy_blas()(object)
    yield get_current_ops()
    set_current_ops(before)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("with_out", [False, True])
def test_products_are_those_of_thinc(ops, shape, transposed, layout, with_out) -> None:
    n, inner, width = shape
    x = RNG.normal(size=(inner, n) if transposed[0] else (n, inner)).astype("f")
    y = RNG.normal(size=(width, inner) if transposed[1] else (inner, width)).astype("f")
    expected = (x.T if transposed[0] else x) @ (y.T if transposed[1] else y)
    out = numpy.empty((n, width), dtype="f") if with_out else None
    product = ops.gemm(
        LAYOUTS[layout](x), LAYOUTS[layout](y), out=out,
        trans1=transposed[0], trans2=transposed[1],
    )
    assert product.dtype == numpy.float32
    assert out is None or product is out
    assert numpy.allclose(product, expected, atol=1e-4)


def test_other_ops_are_left_alone(ops) -> None:
    class OtherOps(NumpyOps):
        pass

    other = OtherOps()
    with use_ops("numpy"):
        set_current_ops(other)
        use_numpy_blas()(object)
        assert get_current_ops() is other


def blas_threads() -> set[int]:
    return {
        pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"
    }


@pytest.mark.parametrize("threads", [1, 2])
def test_the_setting_rules_the_threads(ops, threads) -> None:
    with threadpool_limits(3, user_api="blas"):
        use_numpy_blas(threads)(object)
        assert blas_threads() == {threads}


def test_threads_can_be_left_alone(ops) -> None:
    with threadpool_limits(3, user_api="blas"):
        before = blas_threads()
        use_numpy_blas(threads=None)(object)
        assert blas_threads() == before


def test_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="threads=0"):
        use_numpy_blas(threads=0)
