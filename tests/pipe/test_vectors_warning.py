"""A warning where the component is missing that the parser reads token vectors of."""

import warnings

import pytest
import spacy
from spacy.language import Language

from tests.conftest import PARSER, Trained

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")
TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 16, "depth": 1,
    "embed_size": 50, "window_size": 1, "maxout_pieces": 2, "subword_features": False,
}
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16, "upstream": "*"}


@pytest.fixture
def listening(english: Trained) -> Language:
    """A pipeline whose parser reads the vectors of `tok2vec`."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
    nlp.add_pipe(PARSER, config={"model": {"tok2vec": LISTENER}})
    nlp.initialize(lambda: english.read(nlp))
    return nlp


def test_a_parser_without_its_vectors_warns_once(listening: Language) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe(PARSER, source=listening)
    with pytest.warns(UserWarning, match="'tok2vec' component, and a Doc has none.*replace_listen"):
        nlp("The market opens.")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*a Doc has none")
        nlp("The market opens.")


def test_a_parser_with_its_vectors_does_not(listening: Language, english: Trained) -> None:
    copied = spacy.blank("en")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*a Doc has none")
        list(listening.pipe(["The market opens.", ""]))
        english.copy()("The market opens.")
        listening.replace_listeners("tok2vec", PARSER, ["model.tok2vec"])
        copied.add_pipe(PARSER, source=listening)
        copied("The market opens.")
