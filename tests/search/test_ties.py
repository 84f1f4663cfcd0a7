"""Which of several equally scored choices wins, so that a parse is the same on every machine.

Of one anchor the first class wins, of several anchors the last word, of several hypotheses the one
that is further ahead in the beam. Where sums are equal, or have become so by rounding, a beam takes
of one hypothesis the class that greedy decoding takes.
"""

from math import exp, log, nextafter

import numpy
import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.search.beam import search
from spacy_arceager.search.greedy import parse
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import SystemParameters, arc_hybrid, arc_standard, easy_first
from tests.conftest import random_scoring, random_vectors

LABELS = ("a", "b")
SHORT, LONG = 6, 40      # a long sentence compares its anchors by a winner tree
HUGE = 1e20              # beside a sum of such scores, a difference of 1 is rounded away


def constant_scorer(system: TransitionSystem, **scores: float) -> Scorer:
    """Scores that depend on the move alone; 0 for moves that are not named."""
    model = random_scoring(system, 0)
    moves = [system.describe_class(i)[0].move for i in range(system.n_classes)]
    model.set_param("upper_W", numpy.zeros_like(model.get_param("upper_W")))
    model.set_param("upper_b", numpy.asarray([scores.get(move, 0) for move in moves], "f"))
    return model.predict(None)


def parsed(parameters: SystemParameters, n: int, **scores: float) -> tuple[list, list]:
    """Heads and labels of a greedy parse."""
    system = TransitionSystem(parameters, LABELS)
    heads, labels, _ = parse(
        system, constant_scorer(system, **scores), random_vectors(n, 8, 0), [n])
    return heads.tolist(), labels.tolist()


def searched(
    parameters: SystemParameters, n: int, settings: BeamSettings, **scores: float
) -> list[tuple[list, list]]:
    """Heads and labels of each parse in the beam, the best first."""
    system = TransitionSystem(parameters, LABELS)
    [trees] = search(
        system, constant_scorer(system, **scores), random_vectors(n, 8, 0), [n], settings)
    return [(heads.tolist(), labels.tolist()) for _, heads, labels, *_ in trees]


@pytest.mark.parametrize("n", [SHORT, LONG])
def test_of_equal_classes_greedy_decoding_takes_the_first_of_the_last_word(n: int) -> None:
    # LEFT with the first label wins at every step.
    heads, labels = parsed(easy_first(), n)
    assert heads == [n - 1] * n
    assert labels == [0] * (n - 1) + [-1]


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("n", [SHORT, LONG])
@pytest.mark.parametrize("parameters", [easy_first(), easy_first(4), arc_standard(), arc_hybrid()])
def test_of_equal_hypotheses_a_beam_has_that_of_greedy_decoding_first(
    parameters: SystemParameters, n: int, width: int
) -> None:
    actual = searched(parameters, n, BeamSettings(width, update="early"))
    assert actual[0] == parsed(parameters, n)


@pytest.mark.parametrize(("left", "right"), [(1.0, 0.0), (0.0, 1.0)])
def test_of_sums_that_rounding_makes_equal_a_beam_takes_the_higher_score(
    left: float, right: float
) -> None:
    scores = {"SHIFT": HUGE, "LEFT": left, "RIGHT": right}
    assert 2 * HUGE + left == 2 * HUGE + right
    actual = searched(arc_standard(), SHORT, BeamSettings(1, update="early"), **scores)
    heads, labels = parsed(arc_standard(), SHORT, **scores)
    assert actual == [(heads, labels)]
    assert heads == ([SHORT - 1] * SHORT if left > right else [0, *range(SHORT - 1)])


def test_a_hypothesis_at_the_very_edge_of_the_beam_stays() -> None:
    edge = exp(-1)
    assert log(edge) == -1
    scores = {"LEFT": 0.0, "RIGHT": -1.0}
    for density, n_trees in ((edge, 2 * len(LABELS)), (nextafter(edge, 1), len(LABELS))):
        settings = BeamSettings(8, density, update="early")
        assert len(searched(arc_standard(), 2, settings, **scores)) == n_trees
