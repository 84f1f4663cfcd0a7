"""What drawings show of a derivation, and at which places."""

from itertools import pairwise

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.derivation import Option, ScoredStep
from spacy_arceager.systems import arc_eager, dag, easy_first
from spacy_arceager.systems.catalogue import CATALOGUE, find_system
from spacy_arceager.visual.figure import (
    CELL,
    cut,
    draw,
    draw_boxes,
    levels_of,
    lifetimes,
    text_width,
)
from spacy_arceager.visual.view import MOST_CHOICES, view_derivation
from tests.conftest import projective_trees
from tests.visual.views import GOLD, REPAIRED, derived, followed


def test_an_error_and_its_repair_are_marked() -> None:
    parameters = arc_eager(True, ["left", "reduce"])
    view = followed(parameters, REPAIRED, oracle=Oracle("exact"), gold=GOLD)
    assert [number for number in range(12) if view.marks(number) == ["repair"]] == [9]
    assert view.judge == "exact" and view.wrong == [] and view.roots == [1]
    lost = next(life for life in lifetimes(view) if life.arc[:2] == (1, 2))
    assert (lost.first, lost.end) == (4, 9)
    assert not lost.is_there(3) and lost.is_there(4) and lost.is_there(8) and not lost.is_there(9)
    kinds = {shape.first: shape.kind for shape in draw(view, down=True).arcs}
    assert kinds[4] == "wrong" and kinds[9] == "right"
    # The monotonic system has no transition that could repair the error.
    wrong = followed(arc_eager(), REPAIRED[:8], oracle=Oracle("exact"), gold=GOLD)
    assert [number for number in range(9) if wrong.marks(number) == ["error"]] == [4]


def test_costs_are_those_of_the_oracle() -> None:
    view = followed(arc_eager(), REPAIRED[:3], oracle=Oracle("exact"), gold=GOLD)
    configuration = TransitionSystem(arc_eager(), ["x", "y"]).initial(6)
    for number, (move, label) in enumerate(REPAIRED[:3], 1):
        costs = Oracle("exact").costs(configuration, GOLD)
        assert {c.transition: c.cost for c in view.choices[number]} == {
            str(transition): cost for transition, cost in costs.items()
        }
        assert [c.transition for c in view.choices[number] if c.taken] == [move]
        configuration.apply(move, label)


def test_words_without_a_gold_head_are_not_judged() -> None:
    gold = [None if word == 2 else head for word, head in enumerate(GOLD)]
    view = followed(arc_eager(), REPAIRED[:8], oracle=Oracle("exact"), gold=gold)
    whole = followed(arc_eager(), REPAIRED[:8], oracle=Oracle("exact"), gold=numpy.array(GOLD))
    assert 2 in whole.wrong and view.wrong == [word for word in whole.wrong if word != 2]
    kinds = {shape.first: shape.kind for shape in draw(view, down=True).arcs}
    assert kinds[4] == "" and "wrong" not in {kinds[2]}


def test_nothing_is_judged_without_a_gold_tree() -> None:
    view = followed(arc_eager(), REPAIRED[:3], oracle=Oracle("exact"))
    assert view.judge == "" and view.gold is None and view.wrong == []
    assert [[c.cost for c in choices] for choices in view.choices[1:]] == [[None]] * 3
    assert {shape.kind for shape in draw(view, down=True).arcs} == {""}


def test_of_many_choices_some_are_shown_and_the_one_taken_among_them() -> None:
    system = TransitionSystem(easy_first(), ["x"])
    n = 30
    legal = system.initial(n).legal()
    for taken in (legal[0], legal[-1]):
        options = [
            Option(move, "x", float(-i), 1 / len(legal), 1.0) for i, move in enumerate(legal)
        ]
        chosen = options[legal.index(taken)]
        step = ScoredStep(taken, "x", options, chosen)
        view = view_derivation("s", system, ["w"] * n, [step])
        assert view.n_choices == [0, len(legal)]
        assert MOST_CHOICES <= len(view.choices[1]) <= MOST_CHOICES + 2
        assert [c.transition for c in view.choices[1] if c.taken] == [str(taken)]


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_system_can_be_drawn(name: str) -> None:
    view = derived(find_system(name), [1, 3, 1, 3, 3])
    assert view.wrong == []
    for down in (True, False):
        figure = draw(view, down=down)
        n_nodes = 5 + (find_system(name).root != "none")
        assert sorted(word.node for word in figure.words) == list(range(n_nodes))
        for word in figure.words:
            assert 0 <= word.x <= figure.width and 0 <= word.y <= figure.height
        assert {shape.kind for shape in figure.arcs} == {"right"}
    for number in range(len(view.derivation.steps)):
        boxes = draw_boxes(view, number, 0)
        assert all(one.x + one.width < other.x for one, other in pairwise(boxes))


def test_an_artificial_root_stands_at_its_side() -> None:
    for root, place in (("left", 0), ("right", -1)):
        view = derived(find_system("arc_standard", root=root), [1, 1])
        words = draw(view, down=False).words
        assert words[place].text == "ROOT" and [word.x for word in words] == sorted(
            word.x for word in words
        )


def test_gold_arcs_that_are_never_built_are_drawn_too() -> None:
    view = derived(arc_eager(), [2, 3, 2, 2])       # its arcs cross
    assert view.wrong
    arcs = draw(view, down=True).arcs
    assert {"missing", "wrong"} <= {shape.kind for shape in arcs}


def test_words_of_a_graph_have_several_heads() -> None:
    system = TransitionSystem(dag(), ["x"])
    moves = [("SHIFT", None), ("LEFT-ARC", "x"), ("SHIFT", None)]
    steps = []
    configuration = system.initial(3)
    for name, label in moves:
        (taken,) = (move for move in configuration.legal() if str(move) == name)
        configuration.apply(taken, label)
        steps.append(ScoredStep(taken, label, [], None))
    view = view_derivation("dag", system, ["a", "b", "c"], steps, None, [[1, 2], [], []])
    assert view.wrong == [0]
    assert [shape.kind for shape in draw(view, down=True).arcs] == ["right", "missing"]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=25))
def test_arcs_of_one_height_do_not_overlap(pairs: list[tuple[int, int]]) -> None:
    spans = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    levels = levels_of(spans)
    for i, (left, right) in enumerate(spans):
        for j, (other_left, other_right) in enumerate(spans[:i]):
            if levels[i] == levels[j]:
                assert right <= other_left or other_right <= left


@settings(max_examples=20, deadline=None)
@given(heads=projective_trees(12, 2))
def test_an_arc_is_above_those_that_it_spans(heads: list[int]) -> None:
    spans = [(min(i, head), max(i, head)) for i, head in enumerate(heads) if i != head]
    levels = levels_of(spans)
    for (left, right), level in zip(spans, levels):
        for (other_left, other_right), other in zip(spans, levels):
            if left <= other_left and other_right <= right and (left, right) != (
                    other_left, other_right):
                assert other < level


def test_long_and_wide_words() -> None:
    assert cut("x" * 100).endswith("…") and len(cut("x" * 100)) == 24
    assert text_width("日本") == 4 * CELL
