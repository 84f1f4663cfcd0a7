"""Calls with wrong arguments: a result or a reason, and never a read or write out of bounds."""

import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search import beam, greedy
from spacy_arceager.search.beam_state import BeamState
from spacy_arceager.search.beam_update import roll_out_beam
from spacy_arceager.search.blocks import Batch
from spacy_arceager.search.replay import Replay, replay
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import arc_eager, arc_hybrid, arc_standard, dag, easy_first
from tests.conftest import random_scoring, random_vectors

REFUSED = (ValueError, TypeError, OverflowError)
LABELS = ("a", "b")
N, WIDTH = 4, 8     # words, and numbers of a vector
SYSTEMS = [
    TransitionSystem(parameters, LABELS)
    for parameters in (
        arc_eager(), arc_eager(segment=True), arc_standard(swap=True), easy_first(), dag()
    )
]

small = st.integers(-3, 6)
arrays = st.builds(
    lambda values, kind, shape: numpy.resize(numpy.asarray(values), shape).astype(kind),
    st.lists(st.integers(-3, 300), min_size=1, max_size=6),
    st.sampled_from(["i", "int64", "uint8", "f", "d", "bool", "O", "U3"]),
    st.sampled_from(
        [(N,), (0,), (N - 1,), (N + 1,), (N, 2), (N, WIDTH), (N, WIDTH + 1), (1, N, 1)]
    ),
)
anything = st.one_of(
    small, st.integers(), st.none(), st.floats(), st.text(max_size=3), st.booleans(),
    st.lists(small, max_size=6), st.lists(st.lists(small, max_size=3), max_size=4), arrays,
    arrays.map(lambda array: array[::-1]), st.tuples(arrays, arrays),
)


def valid(system: TransitionSystem) -> dict[str, Any]:
    """A valid value for each name of an argument."""
    is_graph = system.parameters.graph
    missing = numpy.full((N,), -1, dtype="i")
    gold = GoldTrees([N], missing, missing, arcs=[[0, 1, 0]] if is_graph else None)
    return {
        "system": system,
        "scorer": random_scoring(system, 1, WIDTH).predict(None),
        "vectors": random_vectors(N, WIDTH, 1),
        "lengths": [N],
        "boundaries": numpy.zeros((N,), dtype="i"),
        "threads": 1,
        "settings": BeamSettings(2, update="early"),
        "fixed": (missing, missing),
        "oracle": constraint_oracle(system.parameters) or Oracle("static"),
        "gold": gold,
        "exploration": 0.5,
        "aggression": 0.5,
        "margin": 1.0,
        "dropout": 0.1,
        "seed": 1,
        "width": 2,
        "index": 0,
        "anchor": -2,
        "choices": numpy.zeros((3, 2), dtype="i"),
        "begun": [numpy.zeros((0, 3), dtype="i")],
    }


def replay_steps(
    system: TransitionSystem, scorer: Scorer, vectors: Any, boundaries: Any, index: Any,
    anchor: Any,
) -> None:
    again = Replay(system, scorer, vectors, boundaries)
    for _ in range(3):
        if again.forced_step() is None and not again.is_over:
            again.step(index, anchor)


def search_from(*arguments: Any) -> None:
    *others, begun = arguments
    beam.search(*others, begun=begun)


SEARCHED = ("system", "scorer", "vectors", "lengths", "boundaries", "threads")
BEAM = ("system", "scorer", "vectors", "lengths", "settings", "boundaries", "fixed", "oracle",
        "threads")
ROLL_OUT = ("system", "scorer", "vectors", "gold", "oracle")
FUNCTIONS: dict[str, tuple[Callable, tuple[str, ...]]] = {
    "parse": (greedy.parse, SEARCHED),
    "parse_graphs": (
        greedy.parse_graphs, ("system", "scorer", "vectors", "lengths", "threads")),
    "derive_by_rules": (greedy.derive_by_rules, SEARCHED),
    "search": (beam.search, BEAM),
    "search_from": (search_from, (*BEAM, "begun")),
    "BeamState": (BeamState, ("system", "lengths", "scorer", "width", "boundaries")),
    "Batch": (Batch, ("scorer", "vectors", "lengths", "boundaries")),
    "roll_out": (
        roll_out, (*ROLL_OUT, "exploration", "dropout", "seed", "aggression", "margin")),
    "roll_out_beam": (roll_out_beam, (*ROLL_OUT, "settings", "dropout", "seed")),
    "replay": (replay, ("system", "scorer", "vectors", "choices", "boundaries")),
    "Replay": (replay_steps, ("system", "scorer", "vectors", "boundaries", "index", "anchor")),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_argument_is_taken_or_refused(name: str, data: Any) -> None:
    function, names = FUNCTIONS[name]
    arguments = valid(data.draw(st.sampled_from(SYSTEMS)))
    wrong = data.draw(st.sets(st.sampled_from(names), max_size=2))
    drawn = {key: data.draw(anything) for key in names if key in wrong}
    try:
        function(*({**arguments, **drawn}[key] for key in names))
    except REFUSED as error:
        assert str(error)


@pytest.mark.parametrize("name", ["parse", "search", "roll_out", "roll_out_beam", "replay"])
def test_a_model_of_another_system_is_refused(name: str) -> None:
    function, names = FUNCTIONS[name]
    arguments = valid(SYSTEMS[0]) | {"scorer": valid(SYSTEMS[2])["scorer"]}
    with pytest.raises(ValueError, match="class"):
        function(*(arguments[key] for key in names))


# Ctrl-C


class Interrupted(Exception):
    """The exception that the signal handler raises in these tests."""


@pytest.fixture
def alarm() -> Iterator[None]:
    """Raise Interrupted in a signal handler after 0.3 seconds, as Ctrl-C would raise its error."""

    def interrupt(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


# Each of these calls would run for seconds without the GIL.
def wide_beam() -> None:
    n, system = 3000, TransitionSystem(arc_eager(), LABELS)
    scorer = random_scoring(system, 1).predict(None)
    beam.search(system, scorer, random_vectors(n, 8, 1), [n], BeamSettings(200))


def many_swaps() -> None:
    n, system = 20_000, TransitionSystem(arc_hybrid(swap=True), LABELS)
    scorer = random_scoring(system, 4).predict(None)
    while True:
        greedy.parse(system, scorer, random_vectors(n, 8, 1), [n])


def long_roll_out() -> None:
    n, system = 60_000, TransitionSystem(arc_standard(), LABELS)
    gold = GoldTrees([n], [0] * n, [-1] * n)
    vectors = random_vectors(n, 8, 1)
    roll_out(system, random_scoring(system, 1).predict(None), vectors, gold, Oracle("exact"),
             1.0, 0.0, 1)


def test_no_replay_is_made_without_arguments() -> None:
    with pytest.raises(TypeError):
        Replay.__new__(Replay)


@pytest.mark.parametrize("run", [wide_beam, many_swaps, long_roll_out])
def test_a_signal_ends_a_long_search(run: Callable[[], None], alarm: None) -> None:
    with pytest.raises(Interrupted):
        run()
