"""Random numbers of the tests of token vectors."""

import numpy
import pytest

RNG = numpy.random.default_rng(0)
FIRST = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Seed them before each test, so that they do not depend on the tests before."""
    RNG.bit_generator.state = FIRST
