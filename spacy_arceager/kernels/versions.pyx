"""Which version of the arithmetic this processor gets."""

from .kernels cimport chosen_version, has_half_product


def chosen_versions() -> dict[str, str]:
    """The instructions that compute with floats, and those that multiply half floats."""
    return {
        "floats": chosen_version().decode(),
        "products of half floats": "AVX512-BF16" if has_half_product() else "none, floats instead",
    }
