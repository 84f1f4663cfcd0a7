"""A parser that has learnt little or nothing."""

import spacy
from spacy.training import Example
from spacy.util import fix_random_seed, registry
from thinc.api import Adam

from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.systems import SystemParameters
from tests.conftest import TINY_TOK2VEC, randomise


def build_parser(
    vocab: spacy.Vocab, system: SystemParameters, examples: list[Example], learns: bool
) -> ArcEagerParser:
    fix_random_seed(1)
    build = registry.architectures.get("arceager.TransitionModel.v1")
    tok2vec = registry.resolve({"tok2vec": TINY_TOK2VEC})["tok2vec"]
    parser = ArcEagerParser(vocab, build(tok2vec, hidden_width=16), system=system)
    parser.initialize(lambda: examples)
    if not learns:
        randomise(parser.model.get_ref("scoring"), seed=3)
        return parser
    sgd = Adam(0.01)
    for _ in range(10):
        parser.update([Example(eg.reference.copy(), eg.reference) for eg in examples], sgd=sgd)
    return parser
