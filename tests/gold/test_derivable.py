"""Which gold trees a system derives."""

import signal
from dataclasses import replace

import numpy
import pytest
from spacy.training import Example

from spacy_arceager.gold.derivable import (
    are_rebuilt,
    derivable,
    derives_projective_trees,
    static_derivations,
)
from spacy_arceager.gold.trees import apply_policy, gold_sentences
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    custom_system,
    dag,
)
from spacy_arceager.systems.catalogue import TREE_SYSTEMS, find_system
from tests.brute_force import all_trees, projective_trees
from tests.conftest import (
    blank_pipeline,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_a_system_that_derives_few_trees_skips_the_others() -> None:
    # Arcs join the left end of three active words and words come in at the right: few trees remain.
    system = TransitionSystem(custom_system(3, right={"periphery": "left"}))
    [sentence] = gold_sentences(
        Example.from_dict(
            blank_pipeline().make_doc("a b c d"),
            {"heads": [1, 1, 1, 2], "deps": ["det", "ROOT", "obj", "case"]},
        )
    )
    assert sentence.is_projective
    assert apply_policy(sentence, "skip", TransitionSystem(arc_eager())) is sentence
    assert (apply_policy(sentence, "skip", system) is sentence) == derivable(
        system, sentence.heads
    )
    assert not derives_projective_trees(system.parameters)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_arc_eager_derives_exactly_the_projective_trees(n: int) -> None:
    system = TransitionSystem(arc_eager())
    projective = set(projective_trees(n))
    for heads in all_trees(n):
        assert derivable(system, heads) == (heads in projective)


def test_what_is_no_tree_is_refused_with_its_number() -> None:
    system = TransitionSystem(arc_eager())
    with pytest.raises(ValueError, match="Sentence 1: the heads .* are no tree"):
        static_derivations(system, [[0], [1, 0]])
    assert are_rebuilt(static_derivations(system, [[], [0]]), [[], [0]]).tolist() == [True, True]


def test_each_tree_of_a_batch_is_told_by_itself() -> None:
    system = TransitionSystem(arc_eager())
    trees = [[1, 1], [2, 3, 2, 2], [0], [], [1, 1, 1], [2, 3, 2, 2]]
    found = are_rebuilt(static_derivations(system, trees), trees)
    assert found.tolist() == [True, False, True, True, True, False]


def test_a_graph_system_derives_a_tree_as_its_arcs() -> None:
    system = TransitionSystem(dag())
    trees = [[1, 1, 1], [1, 1, 1, 2]]
    assert are_rebuilt(static_derivations(system, trees), trees).tolist() == [True, True]


@pytest.mark.parametrize("name", TREE_SYSTEMS)
def test_systems_of_the_catalogue_derive_all_projective_trees(name: str) -> None:
    parameters = find_system(name)
    assert derives_projective_trees(parameters)
    assert derives_projective_trees(replace(parameters, name="another name"))


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        (custom_system(2, left={"periphery": "any"}), True),
        (custom_system(3, right={"periphery": "left"}), False),
        (arc_eager(segment=True), True),
    ],
)
def test_of_another_system_small_trees_tell(parameters: SystemParameters, expected: bool) -> None:
    assert derives_projective_trees(parameters) == expected


def test_trees_of_very_many_words() -> None:
    # Some loops over the children of a word, or up a chain, took a step for each two words.
    n = 500_000
    words = numpy.arange(n, dtype="i")
    star, chain, up = words * 0, numpy.maximum(words - 1, 0), numpy.minimum(words + 1, n - 1)
    system = TransitionSystem(find_system("arc_hybrid"))
    for heads in (star, chain, up):
        assert derivable(system, heads)


def test_many_trees_can_be_interrupted() -> None:
    # Each is done in fewer steps than signals were looked at; a handler that is called in between
    # hears of more than one signal.
    trees = [numpy.zeros(400, "i")] * 1000
    calls = []

    def interrupt(number: int, frame: object) -> None:
        calls.append(number)
        if len(calls) == 3:
            raise InterruptedError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.2)
    try:
        with pytest.raises(InterruptedError):
            static_derivations(TransitionSystem(find_system("easy_first")), trees)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
