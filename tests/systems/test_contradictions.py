"""Parameters that contradict each other are refused, and the message names both."""

from typing import Any

import pytest

from spacy_arceager.systems import (
    ArcParameters,
    ParameterError,
    SystemParameters,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


EAGER = ArcParameters(reduce=False, shift=True)


CONTRADICTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({"capacity": 1}, ["capacity=1"]),
    ({"capacity": 2, "distance": 2}, ["capacity=2", "distance=2"]),
    ({"capacity": 2, "distance": 0}, ["capacity=2", "distance=0"]),
    ({"capacity": 99, "left": ArcParameters(periphery="left")}, ["capacity=99", "98 or less"]),
    ({"root": "top"}, ["root='top'", "none", "right"]),
    ({"left": ArcParameters(periphery="middle")}, ["periphery='middle'", "left", "right"]),
    ({"right": ArcParameters(periphery="middle")}, ["periphery='middle'", "left", "right"]),
    ({"non_monotonic": ("right",)}, ["non_monotonic=['right']", "left", "reduce"]),
    ({"right": EAGER}, ["right.reduce=false", "reduce=true"]),
    ({"reduce": True}, ["reduce=true", "right.reduce=true"]),
    ({"tree_constraint": True}, ["tree_constraint=true", "front=true", "right.reduce=false"]),
    (
        {"tree_constraint": True, "right": EAGER, "reduce": True, "reduce_periphery": "any"},
        ["tree_constraint=true", "front=true"],
    ),
    (
        {"front": True, "right": EAGER, "reduce": True, "tree_constraint": True,
         "root": "left"},
        ["tree_constraint=true", "root='left'", "several", "'right'", "'none'"],
    ),
    ({"non_monotonic": ("left",)}, ["non_monotonic", "front=true", "right.reduce=false"]),
    (
        {"front": True, "right": EAGER, "reduce": True, "non_monotonic": ("reduce",)},
        ["non_monotonic=['reduce']", "root='none'", "tree_constraint=true"],
    ),
    (
        {"front": True, "capacity": 3, "right": EAGER, "reduce": True},
        ["capacity=3", "reduce_periphery='left'", "front=true"],
    ),
    (
        {"front": True, "capacity": 3, "graph": True, "left": EAGER, "right": EAGER,
         "reduce": True, "reduce_periphery": "any"},
        ["graph=true", "capacity=3"],
    ),
    (
        {"front": True, "capacity": 3, "distance": 2, "right": EAGER, "reduce": True,
         "reduce_periphery": "any", "non_monotonic": ("left",)},
        ["non_monotonic", "capacity=2"],
    ),
]


@pytest.mark.parametrize("parameters, named", CONTRADICTIONS)
def test_contradictory_parameters_are_both_named(
    parameters: dict[str, Any], named: list[str]
) -> None:
    with pytest.raises(ParameterError) as error:
        SystemParameters(**{"name": "mine", "capacity": 2, **parameters})
    for words in ["'mine'", *named]:
        assert words in str(error.value)


def test_too_many_transitions_name_what_to_lower() -> None:
    with pytest.raises(ParameterError, match="'wide': distance=20 and capacity=30 make more"):
        SystemParameters(name="wide", capacity=30, distance=20)


def test_a_graph_whose_words_take_one_head_is_refused() -> None:
    with pytest.raises(ParameterError, match="graph=true and left.reduce=true"):
        SystemParameters("odd", 2, front=True, reduce=True, graph=True, right=EAGER)
