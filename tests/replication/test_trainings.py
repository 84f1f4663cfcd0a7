"""The old parse, in which words left over at the end of the input are roots."""

import numpy
import pytest
import spacy
from spacy.tokens import Doc

from replication.trainings import parse_as_old
from spacy_arceager.decoding.decoder import ScoredDerivation
from spacy_arceager.evaluation.beside_gold import beside_gold
from spacy_arceager.evaluation.fragments import count_fragments
from spacy_arceager.systems import arc_eager
from tests.conftest import Trained, get_parser
from tests.evaluation.derivations import derived


@pytest.mark.parametrize("root", ["none", "right"])
def test_the_old_parse_of_a_doc_puts_lifted_arcs_back_and_skips_white_space(root: str) -> None:
    # At the end He and left are both without head; white space stands between them.
    vocab = spacy.blank("xx").vocab
    doc = Doc(vocab, words=["He", "\n", "left", "now", "."])
    moves = ["SHIFT", "SHIFT", "RIGHT-ARC advmod||nsubj", "REDUCE", "RIGHT-ARC punct", "REDUCE",
             "UNSHIFT", "LEFT-ARC nsubj", *(["SHIFT", "LEFT-ARC ROOT"] if root == "right" else [])]
    system, sentence = derived(
        arc_eager(root=root), moves, [1, 1, 1, 1], ["nsubj", "ROOT", "advmod||nsubj", "punct"]
    )
    parsed = parse_as_old(system, doc, [ScoredDerivation(0.0, [0, 2, 3, 4], sentence.steps)])
    assert [token.head.i for token in parsed] == [0, 1, 2, 2, 2]
    assert [token.dep_ for token in parsed] == ["ROOT", "ROOT", "ROOT", "advmod", "punct"]


def test_the_old_parses_have_the_heads_that_are_counted(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    examples = english.read(nlp)[:20]
    derivations = parser.derivations([example.predicted for example in examples])
    counted = count_fragments(parser.system, beside_gold(examples, derivations))
    parsed = [*nlp.pipe(example.predicted for example in examples)]
    old = [parse_as_old(parser.system, *pair) for pair in zip(parsed, derivations)]
    right_old = numpy.concatenate([
        numpy.equal([t.head.i for t in doc], [t.head.i for t in example.reference])
        for doc, example in zip(old, examples)
    ])
    assert counted.right_old == right_old.sum()
