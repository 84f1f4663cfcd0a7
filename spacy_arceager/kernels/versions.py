"""Which version of the arithmetic this processor gets."""

from .matrix_product import HALVES_IN_GRADIENTS
from .row_product import (
    BYTES,
    FLOAT_VERSION,
    HALVES,
    IN_PARSING,
    IN_TRAINING,
    PRODUCT,
    find_kernel,
)

NUMBERS = {BYTES: "bytes", HALVES: "half floats"}


def chosen_versions() -> dict[str, str]:
    """How this processor computes: with floats, and the products of layers and of gradients."""
    return {
        "floats": FLOAT_VERSION,
        "products in parsing": describe(IN_PARSING),
        "products in training": describe(IN_TRAINING),
        "products of gradients":
            "AVX512-BF16, of half floats" if HALVES_IN_GRADIENTS else "NumPy's BLAS, of floats",
    }


def describe(rounding: str) -> str:
    """How numbers that are rounded so are multiplied."""
    return f"{find_kernel(rounding, PRODUCT)}, of {NUMBERS[rounding]}"
