"""A Doc with a constraint that is parsed again is parsed as before, though its search is a beam."""

import random

import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.boundaries import given_boundaries
from spacy_arceager.oracles.configured import constraint_oracle
from tests.annotation.parsers import build_parser
from tests.conftest import read_corpus
from tests.search.systems import SEGMENTING

# Other systems cannot keep constraints.
SYSTEMS = [name for name, system in SEGMENTING.items() if constraint_oracle(system) is not None]


@pytest.mark.parametrize("name", SYSTEMS)
def test_found_boundaries_do_not_count_as_given(name: str) -> None:
    nlp = spacy.blank("xx")
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    parser = build_parser(nlp.vocab, SEGMENTING[name], examples, learns=False)
    draw = random.Random(0)
    for example in examples[:10]:
        words = [token.text for token in example.reference][:25]
        draw.shuffle(words)
        doc = Doc(nlp.vocab, words=words)
        doc._.arceager_fixed_arcs = [(2, 4)]
        before = given_boundaries(doc).tolist()
        heads = [token.head.i for token in parser(doc)]
        assert given_boundaries(doc).tolist() == before
        assert [token.head.i for token in parser(doc)] == heads
