"""Which version of the arithmetic this processor gets."""

from .kernels cimport chosen_version
from .row_product import BYTES, HALVES, IN_PARSING, IN_TRAINING, PRODUCT, find_kernel

NUMBERS = {BYTES: "bytes", HALVES: "half floats"}


def chosen_versions() -> dict[str, str]:
    """The instructions that compute with floats, and those of the products of two layers."""
    return {
        "floats": chosen_version().decode(),
        "products in parsing": describe(IN_PARSING),
        "products in training": describe(IN_TRAINING),
    }


def describe(rounding: str) -> str:
    """How numbers that are rounded so are multiplied."""
    return f"{find_kernel(rounding, PRODUCT)}, of {NUMBERS[rounding]}"
