"""Which version of the arithmetic this processor gets."""

from .kernels cimport chosen_version
from .row_product import HALF_PRODUCT


def chosen_versions() -> dict[str, str]:
    """The instructions that compute with floats, and those that multiply half floats."""
    return {
        "floats": chosen_version().decode(),
        "products of half floats": HALF_PRODUCT,
    }
