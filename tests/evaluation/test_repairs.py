"""Repairs: the worked examples of Honnibal et al. (2013), and a slow twin."""

from collections import Counter

import pytest
from hypothesis import given, settings

from spacy_arceager.evaluation.beside_gold import DerivedSentence
from spacy_arceager.evaluation.repairs import (
    LEFT_ARC,
    Pop,
    Repairs,
    count_labels,
    count_repairs,
    find_pops,
)
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import SystemParameters, arc_eager, arc_hybrid
from tests.conftest import SEEDS, projective_trees
from tests.evaluation.derivations import LABELS, SlowArcEager, derived, random_derivation

# Figures 1 and 2, on sentences of the same shape: "We heard Ann and Ben (sing)".
WE, HEARD, ANN, AND, BEN, SING = range(6)
PHRASE = ["RIGHT-ARC cc", "REDUCE", "RIGHT-ARC conj", "REDUCE"]
SUBJECT = ["SHIFT", "LEFT-ARC nsubj", "SHIFT"]
SUNG = [HEARD, HEARD, SING, ANN, ANN, HEARD]
SUNG_LABELS = ["nsubj", "ROOT", "nsubj", "cc", "conj", "ccomp"]
HEARD_ANN = [HEARD, HEARD, HEARD, ANN, ANN]
HEARD_LABELS = ["nsubj", "ROOT", "obj", "cc", "conj"]
PLAIN = arc_eager(False, ["left", "reduce"], root="right")


def pops_of(moves: list[str], heads: list[int], labels: list[str]) -> list[Pop]:
    return [*find_pops(*derived(PLAIN, moves, heads, labels))]


def test_a_left_arc_that_repairs() -> None:
    moves = [*SUBJECT, "RIGHT-ARC obj", *PHRASE, "LEFT-ARC nsubj", "RIGHT-ARC ccomp", "REDUCE",
             "LEFT-ARC ccomp"]
    pops = pops_of(moves, SUNG, SUNG_LABELS)
    # We by LEFT; and, Ben by REDUCE; Ann, the repair; sing by REDUCE; heard by the root.
    assert [(pop.repair, pop.is_repair, pop.is_right) for pop in pops] == [
        ("REDUCE", False, False), (LEFT_ARC, False, False), (LEFT_ARC, False, False),
        (LEFT_ARC, True, True), (LEFT_ARC, False, False), ("REDUCE", False, False),
    ]
    assert count_repairs(pops)[LEFT_ARC] == Repairs(1, 0, 0, 3, 0)
    assert count_labels(pops) == {(LEFT_ARC, "obj", "nsubj"): 1}


def test_a_reduce_that_repairs() -> None:
    moves = [*SUBJECT, "SHIFT obj", *PHRASE, "REDUCE", "LEFT-ARC obj"]
    pops = pops_of(moves, HEARD_ANN, HEARD_LABELS)
    assert count_repairs(pops) == {
        LEFT_ARC: Repairs(0, 0, 0, 2, 0), "REDUCE": Repairs(1, 0, 0, 2, 0),
    }
    assert count_labels(pops) == {("REDUCE", "", "obj"): 1}


def test_repairs_that_were_missed() -> None:
    # Ann stays the object although sing comes; and is popped before Ben.
    pops = pops_of([*SUBJECT, "RIGHT-ARC obj", *PHRASE, "REDUCE"], SUNG, SUNG_LABELS)
    assert count_repairs(pops)[LEFT_ARC] == Repairs(0, 0, 0, 2, 1)
    # Ann was shifted and becomes the root's.
    pops = pops_of([*SUBJECT, "SHIFT obj", *PHRASE, "LEFT-ARC obj"], HEARD_ANN, HEARD_LABELS)
    assert count_repairs(pops)["REDUCE"] == Repairs(0, 0, 0, 1, 1)


def test_repairs_that_harm_and_others() -> None:
    # Ben takes Ann from heard, her gold head.
    ann = [*SUBJECT, "RIGHT-ARC obj", "RIGHT-ARC cc", "REDUCE", "LEFT-ARC conj"]
    assert count_repairs(pops_of(ann, HEARD_ANN, HEARD_LABELS))[LEFT_ARC] == Repairs(0, 1, 1, 1, 0)
    # Her gold head is behind sing, so neither heard nor Ben is: nothing is lost.
    later = [*SUNG[:2], 6, *SUNG[3:], HEARD]
    wrong = pops_of(ann, later, [*SUNG_LABELS, "obj"])
    assert count_repairs(wrong)[LEFT_ARC] == Repairs(0, 1, 0, 1, 0)
    # The head of Ann is still in the buffer when REDUCE attaches her to heard.
    early = [*SUBJECT, "SHIFT obj", *PHRASE, "REDUCE"]
    assert count_repairs(pops_of(early, SUNG, SUNG_LABELS))["REDUCE"] == Repairs(0, 1, 1, 1, 0)
    # Her head has gone: nothing is lost.
    gone = [HEARD, HEARD, WE, ANN, ANN]
    assert count_repairs(pops_of(early, gone, HEARD_LABELS))["REDUCE"] == Repairs(0, 1, 0, 1, 0)


def test_punctuation_is_left_out() -> None:
    moves = [*SUBJECT, "SHIFT obj", *PHRASE, "REDUCE", "LEFT-ARC obj"]
    pops = pops_of(moves, HEARD_ANN, ["punct", "ROOT", "punct:x", "cc", "conj"])
    assert count_repairs(pops) == {
        LEFT_ARC: Repairs(0, 0, 0, 2, 0), "REDUCE": Repairs(0, 0, 0, 1, 0),
    }
    assert not count_labels(pops)


def count_slowly(sentence: DerivedSentence, has_root: bool) -> dict[str, Repairs]:
    n = len(sentence.heads)
    gold = [n if head == word and has_root else head for word, head in enumerate(sentence.heads)]
    machine = SlowArcEager(n, has_root)
    found: Counter = Counter()
    for step in sentence.steps:
        name = str(step.transition)
        if step.options and name in (LEFT_ARC, "REDUCE"):
            word = machine.stack[-1]
            front, below = machine.buffer[:1], machine.stack[-2:-1]
            had = machine.heads.get(word)
            repair, other = (LEFT_ARC, front) if had is not None else ("REDUCE", below)
            right = gold[word] in other
            harm = had == gold[word] if had is not None else (
                gold[word] in machine.buffer or gold[word] == word
            )
            if sentence.labels[word] != "punct:x":
                kind = ("TP" if right else "FP") if name == repair else "FN" if right else "TN"
                found[repair, kind] += 1
                found[repair, "harm"] += kind == "FP" and harm
        machine.take(name, step.label)
    return {
        name: Repairs(*(found[name, kind] for kind in ("TP", "FP", "harm", "TN", "FN")))
        for name in (LEFT_ARC, "REDUCE")
    }


@pytest.mark.parametrize("parameters", [
    PLAIN, arc_eager(True, ["left", "reduce"]), arc_eager(True, ["left"]),
    arc_eager(True, ["reduce"]), arc_eager(), arc_eager(False, root="right"),
])
@settings(max_examples=50)
@given(heads=projective_trees(max_words=7), seed=SEEDS)
def test_random_derivations_against_a_slow_twin(
    parameters: SystemParameters, heads: list[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    sentence = random_derivation(system, heads, seed)
    found = count_repairs(find_pops(system, sentence))
    assert found == count_slowly(sentence, parameters.root == "right")


def test_other_systems_are_refused() -> None:
    system = TransitionSystem(arc_hybrid(), LABELS)
    with pytest.raises(ValueError, match="arc-eager derivations; 'arc_hybrid'"):
        [*find_pops(system, DerivedSentence([], [], []))]
