"""Random numbers of the tests of token vectors."""

import numpy
import pytest

RNG = numpy.random.default_rng(0)
FIRST = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """The same ones whichever tests ran before."""
    RNG.bit_generator.state = FIRST
