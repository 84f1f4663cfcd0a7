"""How sure the parser is of heads and labels, which is only computed if it is asked for."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_arceager.annotation.layout import find_units
from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.decoding.confidence import confidences_of_steps, confidences_of_trees
from spacy_arceager.decoding.decoder import Decoder
from spacy_arceager.decoding.encoding import Encoded
from spacy_arceager.machine.rules import TreeRules, WordRules, kind_of
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.search.beam_tree import BeamTree
from spacy_arceager.search.derivation import Option, ScoredStep
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import arc_eager, arc_hybrid
from tests.conftest import (
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    random_scoring,
)


def step(system, configuration, name: str, label=None, remembered=None, **shares: tuple):
    """A step where each legal transition has the given (probability, label probability)."""
    options = []
    for move in configuration.legal():
        probability, of_label = shares[str(move).replace("-", "_")]
        options.append(Option(move, "x" if move.is_arc else None, 0.0, probability, of_label))
    taken = next(option for option in options if str(option.transition) == name)
    configuration.apply(taken.transition, label or remembered)
    return ScoredStep(taken.transition, label or remembered, options, taken)


def forced(configuration, name: str, label=None):
    (move,) = (move for move in configuration.legal() if str(move) == name)
    configuration.apply(move, label)
    return ScoredStep(move, label, [], None)


def test_the_transition_that_made_the_arc() -> None:
    system = TransitionSystem(arc_hybrid(), ["x"])
    c = system.initial(2)
    steps = [
        forced(c, "SHIFT"),
        step(system, c, "LEFT-ARC", "x", SHIFT=(0.3, 1), LEFT_ARC=(0.7, 0.6)),
    ]
    found = confidences_of_steps(system, 2, steps)
    assert found.heads == pytest.approx([0.7, 1.0])
    assert found.labels == pytest.approx([0.6, 1.0])


def test_what_was_decided_with_the_same_first_word_counts() -> None:
    system = TransitionSystem(arc_eager(False, [], root="right"), ["x"])
    c = system.initial(4)
    steps = [
        forced(c, "SHIFT"),
        step(system, c, "RIGHT-ARC", "x", SHIFT=(0.1, 1), LEFT_ARC=(0.4, 1), RIGHT_ARC=(0.5, 0.9)),
        step(system, c, "REDUCE", SHIFT=(0.1, 1), RIGHT_ARC=(0.2, 1), REDUCE=(0.7, 1)),
        step(system, c, "RIGHT-ARC", "x", SHIFT=(0.1, 1), LEFT_ARC=(0.1, 1), RIGHT_ARC=(0.8, 0.6)),
    ]
    found = confidences_of_steps(system, 4, steps)
    # The REDUCE that took word 1 away decided that word 0 is the head of word 2.
    assert found.heads[1:3] == pytest.approx([0.5, 0.7 * 0.8])
    assert found.labels[1:3] == pytest.approx([0.9, 0.6])


def test_a_root_is_what_nothing_took() -> None:
    system = TransitionSystem(arc_hybrid(), ["x"])
    c = system.initial(3)
    steps = [
        forced(c, "SHIFT"),
        step(system, c, "SHIFT", SHIFT=(0.6, 1), LEFT_ARC=(0.4, 1)),
        step(system, c, "RIGHT-ARC", "x", SHIFT=(0.1, 1), LEFT_ARC=(0.2, 1), RIGHT_ARC=(0.7, 1)),
        step(system, c, "SHIFT", SHIFT=(0.5, 1), LEFT_ARC=(0.5, 1)),
        forced(c, "RIGHT-ARC", "x"),
    ]
    found = confidences_of_steps(system, 3, steps)
    assert found.heads == pytest.approx([0.6 * 0.5, 0.7, 1.0])


def test_a_word_that_a_reduce_attaches_has_the_label_of_its_shift() -> None:
    system = TransitionSystem(arc_eager(False, ["reduce"], root="right"), ["x"])
    c = system.initial(2)
    steps = [
        forced(c, "SHIFT"),
        step(system, c, "SHIFT", remembered="x", SHIFT=(0.5, 1), LEFT_ARC=(0.3, 1),
             RIGHT_ARC=(0.2, 0.9)),
        step(system, c, "REDUCE", LEFT_ARC=(0.2, 1), REDUCE=(0.8, 1)),
    ]
    steps[1] = steps[1]._replace(remembered=0.9)
    found = confidences_of_steps(system, 2, [*steps, forced(c, "LEFT-ARC", "x")])
    assert found.heads[1] == pytest.approx(0.8) and found.labels[1] == pytest.approx(0.9)


@pytest.mark.parametrize("ruled", [False, True])
def test_a_label_that_takes_the_place_of_a_better_one_has_its_own_confidence(ruled: bool) -> None:
    parameters, labels = arc_eager(True, ["reduce"]), ("punct", "dep")
    system = TransitionSystem(parameters, labels)
    model = random_scoring(system, 0)
    for name in ("lower_W", "lower_b", "special", "tables", "upper_W"):
        model.set_param(name, 0 * model.get_param(name))
    scores = {("SHIFT", None): 9, ("REDUCE", None): 8, ("RIGHT-ARC", "punct"): 5,
              ("LEFT-ARC", "punct"): -5, ("LEFT-ARC", "dep"): -5}
    bias = numpy.zeros(system.n_classes, dtype="f")
    for name, score in scores.items():
        bias[system.find_class(*name)] = score
    model.set_param("upper_b", bias)
    doc = Doc(Vocab(), words=["a", "b", "c"])
    kinds = numpy.asarray([kind_of("NOUN", "")] * 3, dtype="i")      # a noun is no punctuation
    rules = WordRules(TreeRules(parameters, labels), kinds) if ruled else None
    decoder = Decoder(system, model.predict(None))
    encoded = Encoded([doc], [find_units(doc, False)], numpy.zeros((3, 8), "f"), rules)
    _, found, _ = decoder.decode(encoded)
    assert [labels[label] for label in found[1:]] == ["dep" if ruled else "punct"] * 2
    share = 1 / (1 + numpy.exp(5))
    expected = share if ruled else 1 - share
    assert decoder.confidences(encoded, 1.0)[0].labels[1:] == pytest.approx([expected] * 2)


def test_a_word_below_an_artificial_root_has_no_label_to_be_sure_of() -> None:
    system = TransitionSystem(arc_hybrid(root="right"), ["x", "a||b"])
    c = system.initial(1)
    steps = [forced(c, "SHIFT"), step(system, c, "LEFT-ARC", "a||b", LEFT_ARC=(1.0, 0.6))]
    found = confidences_of_steps(system, 1, steps)
    assert (found.heads, found.labels) == ([1.0], [1.0])


class Watched:
    """A configuration that counts how often each of its attributes is read."""

    def __init__(self, configuration):
        self.configuration, self.reads = configuration, Counter()

    def __getattr__(self, name: str):
        self.reads[name] += 1
        return getattr(self.configuration, name)


def test_lists_of_all_words_are_not_made_anew_at_each_step() -> None:
    system, n = TransitionSystem(arc_hybrid(), ["x"]), 50
    c = system.initial(n)
    steps = [forced(c, "SHIFT") for _ in range(n)] + [forced(c, "RIGHT-ARC", "x")] * (n - 1)
    watched = Watched(system.initial(n))
    watching = SimpleNamespace(initial=lambda n_words: watched, parameters=system.parameters)
    confidences_of_steps(watching, n, steps)
    assert watched.reads["apply"] == len(steps)
    lists = ("stack", "buffer", "operative", "unprocessed", "heads", "labels", "tree", "state")
    assert {name: watched.reads[name] for name in lists if name in watched.reads} == {
        "heads": 1, "labels": 1
    }


def test_trees_of_a_beam_vote_by_their_probability() -> None:
    def tree(share: float, heads: list[int], labels: list[int]) -> BeamTree:
        starts = numpy.asarray([True, False, False])
        return BeamTree(
            numpy.log(share), numpy.asarray(heads), numpy.asarray(labels), starts, None)

    trees = [
        tree(0.5, [1, 1, 1], [0, -1, 1]), tree(0.3, [1, 1, 1], [1, -1, 1]),
        tree(0.2, [2, 2, 2], [0, 1, -1]),
    ]
    found = confidences_of_trees(trees, ["x", "y"], 1.0)
    assert found.heads == pytest.approx([0.8, 0.8, 0.8])
    assert found.labels == pytest.approx([0.5 / 0.8, 1, 1])
    hot = confidences_of_trees(trees, ["x", "y"], 1e9)
    assert hot.heads == pytest.approx([2 / 3] * 3)
    lifted = confidences_of_trees(trees, ["x||y", "y"], 1.0)
    assert lifted.heads[0] == pytest.approx(0.5) and lifted.labels[0] == 1


def unparsed(trained: Trained, nlp, n: int = 8) -> list[Doc]:
    return [example.predicted for example in trained.read(nlp)[:n]]


@pytest.mark.parametrize("width", [None, 4])
def test_docs_are_told_where_it_is_asked_for_and_parses_stay_the_same(
    german: Trained, width: int | None
) -> None:
    nlp = german.copy()
    parser = get_parser(nlp)
    parser.beam = BeamSettings(width) if width else None
    plain = [nlp(doc.copy()) for doc in unparsed(german, nlp)]
    assert all(token._.arceager_confidence is None for doc in plain for token in doc)
    assert all(doc[:]._.arceager_confidence is None for doc in plain)
    parser.confidence = True
    told = [nlp(doc.copy()) for doc in unparsed(german, nlp)]
    assert [*map(annotation, told)] == [*map(annotation, plain)]
    values = [token._.arceager_confidence for doc in told for token in doc]
    values += [token._.arceager_label_confidence for doc in told for token in doc]
    assert all(0 <= value <= 1 for value in values) and min(values) < 1
    for doc in told:
        products = [t._.arceager_confidence * t._.arceager_label_confidence for t in doc]
        mean = numpy.exp(numpy.log(products).mean())
        assert doc[:]._.arceager_confidence == pytest.approx(mean)


@pytest.mark.parametrize("width", [None, 4])
def test_what_is_fixed_is_sure(english: Trained, width: int | None) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.beam = BeamSettings(width) if width else None
    parser.confidence = True
    doc = Doc(nlp.vocab, words=["\n", "She", "read", "old", "letters"])
    doc._.arceager_fixed_arcs = [(1, 4, "det"), (3, 1), (2, None, "obj")]
    nlp(doc)
    assert doc[1].head.i == 4 and doc[3].head.i == 1
    assert doc[1]._.arceager_confidence == doc[1]._.arceager_label_confidence == 1
    assert doc[3]._.arceager_confidence == 1 > doc[3]._.arceager_label_confidence
    assert doc[2].dep_ == "obj" and doc[2]._.arceager_label_confidence == 1


def test_a_higher_temperature_is_less_sure(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.confidence = True
    means = []
    for parser.temperature in (0.5, 1.0, 4.0):
        doc = nlp(unparsed(english, nlp, 1)[0].copy())
        means.append(doc[:]._.arceager_confidence)
    assert means[0] > means[1] > means[2]


def test_white_space_has_none_and_a_second_parse_forgets(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.confidence = True
    doc = nlp(Doc(nlp.vocab, words=["She", "\n", "left"]))
    assert [t._.arceager_confidence is None for t in doc] == [False, True, False]
    saved = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert saved[2]._.arceager_confidence == doc[2]._.arceager_confidence
    parser.confidence = False
    assert nlp(doc)[0]._.arceager_confidence is None
    assert nlp(Doc(nlp.vocab, words=[]))[:]._.arceager_confidence is None


def test_they_stay_with_their_tokens(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).confidence = True
    words = ["The", "letters", "arrived", ".", "She", "wrote", "them", "."]
    starts = [word in ("The", "She") for word in words]
    doc = nlp(Doc(nlp.vocab, words=words, sent_starts=starts))
    told = [(t._.arceager_confidence, t._.arceager_label_confidence) for t in doc]

    def now(other: Doc) -> list[tuple[float, float]]:
        return [(t._.arceager_confidence, t._.arceager_label_confidence) for t in other]

    first, second = doc.sents
    assert now(second.as_doc(copy_user_data=True)) == told[4:]
    assert now(Doc.from_docs([second.as_doc(copy_user_data=True), doc])) == [*told[4:], *told]
    saved = doc.to_json(underscore=["arceager_confidence", "arceager_label_confidence"])
    assert now(Doc(nlp.vocab).from_json(saved)) == told
    mean = first._.arceager_confidence
    with doc.retokenize() as retokenizer:
        retokenizer.split(doc[5], ["wro", "te"], heads=[(doc[5], 1), doc[5]])
    assert now(doc) == [*told[:6], (None, None), *told[6:]]
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[5:7])
        retokenizer.merge(doc[0:2])
    assert now(doc) == [told[0], *told[2:]]
    assert mean == pytest.approx(
        numpy.exp(numpy.mean([numpy.log(head * label) for head, label in told[:4]]))
    )


def test_misc_has_them(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).confidence = True
    doc = nlp(unparsed(english, nlp, 1)[0].copy())
    rows = [line.split("\t") for line in doc_to_conllu(doc).splitlines() if "\t" in line]
    for token, row in zip(doc, rows, strict=True):
        misc = dict(part.split("=") for part in row[9].split("|"))
        assert float(misc["HeadConfidence"]) == pytest.approx(token._.arceager_confidence, abs=1e-4)
        assert row[9].count("Confidence") == 2 and not row[9].startswith("_")


def test_settings_are_saved_and_checked(english: Trained, tmp_path: Path) -> None:
    import spacy

    nlp = blank_pipeline(confidence=True, temperature=2.0)
    nlp.initialize()
    nlp.to_disk(tmp_path)
    parser = get_parser(spacy.load(tmp_path))
    assert parser.confidence and parser.temperature == 2
    with pytest.raises(ValueError, match="temperature"):
        blank_pipeline(temperature=0.0)
    with pytest.raises(ValueError, match="graph"):
        blank_pipeline(confidence=True, system={"@misc": "arceager.dag.v1"})


@pytest.mark.parametrize("temperature", [0, -1.0, float("nan"), float("inf"), 1e-40, "2"])
def test_a_temperature_is_in_its_range_at_any_time(temperature: Any) -> None:
    parser = get_parser(blank_pipeline(temperature=2.0))
    with pytest.raises(ValueError, match="use a number from 1e-6 to 1e6"):
        parser.temperature = temperature
    assert parser.temperature == 2


@pytest.mark.parametrize("temperature", [1e-6, 1e6])
def test_the_least_and_the_greatest_temperature(english: Trained, temperature: float) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.confidence, parser.temperature = True, temperature
    doc = nlp(unparsed(english, nlp, 1)[0].copy())
    found = [token._.arceager_confidence for token in doc]
    assert min(found) > 0.999 if temperature < 1 else max(found) < 0.6


def test_confidence_is_a_bool() -> None:
    parser = get_parser(blank_pipeline())
    with pytest.raises(ValueError, match="confidence='no' of 'arceager_parser'; use True or False"):
        parser.confidence = "no"


def test_a_label_that_is_fixed_for_white_space_has_no_confidence(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).confidence = True
    doc = Doc(nlp.vocab, ["She", " ", "left"])
    doc._.arceager_fixed_arcs = [(1, None, "obj")]
    assert [token._.arceager_confidence is None for token in nlp(doc)] == [False, True, False]
