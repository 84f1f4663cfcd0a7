"""A warning where no component sets boundaries."""

import warnings

import pytest

from spacy_arceager.pipe.treebank_tokenizer import TreebankTokenizer
from tests.conftest import PARSER, Trained

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_docs_without_boundaries_are_one_sentence_and_warned_about_once(
    english: Trained,
) -> None:
    nlp = english.copy()
    with pytest.warns(UserWarning, match=f"'{PARSER}' .* as one sentence.*'senter'"):
        doc = nlp("The market opens. It closes.")
    assert len(list(doc.sents)) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp("The market opens. It closes.")


def test_docs_with_boundaries_are_not_warned_about(english: Trained) -> None:
    nlp = english.copy()
    nlp.add_pipe("sentencizer", first=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(nlp("The market opens. It closes.").sents)) == 2


def test_a_multi_word_token_tells_no_boundary(english: Trained) -> None:
    nlp = english.copy()
    nlp.tokenizer = TreebankTokenizer(nlp.tokenizer, {"gonna": ["gon", "na"]})
    with pytest.warns(UserWarning, match="as one sentence"):
        nlp("It gonna rain.")
