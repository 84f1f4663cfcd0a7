"""Both sides of benchmarks/token_vectors.py compute the same."""

import numpy
import pytest
import spacy

from benchmarks.common import read_docs
from benchmarks.token_vectors import build_sides
from tests.conftest import DATA


@pytest.mark.parametrize(("rounded", "apart"), [(False, 1e-3), (True, 1.0)])
def test_the_weights_of_both_sides_are_the_same(rounded: bool, apart: float) -> None:
    docs = read_docs(spacy.blank("xx"), DATA / "en_small-dev.conllu")[:10]
    ours, theirs = (numpy.concatenate(side.predict(docs)) for side in build_sides(
        docs, subwords=False, rounded=rounded))
    # With weights of their own, they would be about 10 apart.
    assert numpy.abs(ours - theirs).max() < apart
