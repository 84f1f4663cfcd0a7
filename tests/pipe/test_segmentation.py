"""Sentence boundaries that the component finds while parsing."""

import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from tests.conftest import (
    annotation,
    blank_pipeline,
    get_parser,
    read_corpus,
    train,
)

SEGMENT = {"@misc": "arceager.arc_eager.v1", "segment": True}
TRAINED = {
    "arc_eager": (SEGMENT, {}),
    "arc_eager with a beam": (
        SEGMENT, {"beam": {"@misc": "arceager.beam.v1", "width": 4, "update": "early"}}
    ),
    "arc_hybrid": (
        {"@misc": "arceager.arc_hybrid.v1", "segment": True},
        {"oracle": {"@misc": "arceager.static_oracle.v1"}},
    ),
    "easy_first": (
        {"@misc": "arceager.easy_first.v1", "capacity": 4, "segment": True},
        {"oracle": {"@misc": "arceager.static_oracle.v1"}},
    ),
}


@pytest.fixture(scope="module", params=TRAINED)
def trained(request) -> tuple[Language, list[Example]]:
    """Has learnt documents of five sentences."""
    system, config = TRAINED[request.param]
    nlp = blank_pipeline(system=system, **config)
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=5)
    train(nlp, examples, epochs=60)
    return nlp, examples


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_boundaries_and_trees_are_learnt(trained):
    nlp, examples = trained
    scores = nlp.evaluate(examples)
    assert scores["sents_f"] > 0.9
    assert scores["dep_las"] > 0.8
    for example in examples:
        for sent in nlp(example.text).sents:
            assert sum(token.head == token for token in sent) == 1
            assert all(token.head in sent for token in sent)


def test_parsing_twice_changes_nothing(trained):
    nlp, examples = trained
    for example in examples:
        doc = nlp(example.text)
        before = annotation(doc)
        assert annotation(get_parser(nlp)(doc)) == before


def test_boundaries_that_are_set_are_kept(trained):
    nlp, examples = trained
    text = examples[0].text
    n = len(nlp.make_doc(text))
    found = [token.i for token in nlp(text) if token.is_sent_start]
    for word in range(1, n):
        doc = nlp.make_doc(text)
        doc[word].is_sent_start = word not in found
        assert get_parser(nlp)(doc)[word].is_sent_start == (word not in found)
    doc = nlp.make_doc(text)
    for token in doc[1:]:
        token.is_sent_start = False
    assert len(list(get_parser(nlp)(doc).sents)) == 1


def test_white_space_hangs_on_the_word_before_it(trained):
    nlp, examples = trained
    words = [token.text for token in examples[0].predicted]
    spaced = ["\n", *(text for word in words for text in (word, "\n"))]
    doc = get_parser(nlp)(Doc(nlp.vocab, spaced))
    heads = [token.head.i for token in doc]
    assert heads[:1] + heads[2::2] == [1, *range(1, len(doc), 2)]
    assert all(head % 2 == 1 for head in heads)
    assert len(list(doc.sents)) > 1
    assert all(sent.start % 2 == 1 for sent in list(doc.sents)[1:])
    assert [len(list(nlp(text).sents)) for text in ("", "\n", "Yes")] == [0, 1, 1]
