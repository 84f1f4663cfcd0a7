"""Products of half floats are those of NumPy, for matrices in either order."""

import numpy
import pytest

from spacy_arceager.kernels import matrix_product as module
from spacy_arceager.kernels.matrix_product import HALVES_IN_GRADIENTS, matrix_product
from spacy_arceager.kernels.row_product import HALVES
from tests.slow_model import to_half

RNG = numpy.random.default_rng(0)
SHAPES = [(1, 1, 1), (3, 2, 48), (5, 7, 49), (121, 64, 30), (240, 33, 96), (250, 301, 100)]

shapes = pytest.mark.parametrize("n, inner, width", SHAPES)


@shapes
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("order_of_b", ["C", "F"])
def test_products_of_half_floats(
    n: int, inner: int, width: int, order: str, order_of_b: str
) -> None:
    a = numpy.array(RNG.normal(size=(n, inner)), dtype="f", order=order)
    b = numpy.array(RNG.normal(size=(inner, width)), dtype="f", order=order_of_b)
    round_ = to_half if HALVES_IN_GRADIENTS else numpy.asarray
    expected = round_(a).astype("d") @ round_(b).astype("d")
    product = matrix_product(a, b, HALVES)
    assert product.dtype == numpy.float32 and product.flags.c_contiguous
    assert numpy.allclose(product, expected, rtol=0, atol=1e-4)
    assert numpy.allclose(matrix_product(a, b, None), a @ b, rtol=0, atol=1e-4)


@shapes
def test_columns_of_a_wider_matrix(n: int, inner: int, width: int) -> None:
    a, b = RNG.normal(size=(n, 2 * inner)).astype("f"), RNG.normal(size=(inner, width)).astype("f")
    part = a[:, inner:]
    assert numpy.array_equal(
        matrix_product(part, b, HALVES), matrix_product(part.copy(), b, HALVES))


@pytest.mark.parametrize("n, inner, width", [(0, 3, 2), (3, 0, 2), (3, 2, 0)])
def test_products_of_nothing(n: int, inner: int, width: int) -> None:
    a, b = numpy.ones((n, inner), "f"), numpy.ones((inner, width), "f")
    assert numpy.array_equal(matrix_product(a, b, HALVES), a @ b)


@pytest.mark.usefixtures("exact_gradients")
def test_they_can_be_switched_off() -> None:
    a = RNG.normal(size=(9, 9)).astype("f")
    assert not module.HALVES_IN_GRADIENTS
    assert numpy.array_equal(matrix_product(a, a, HALVES), a @ a)
