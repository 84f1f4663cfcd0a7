"""The functions that make a system from the arguments of a config."""

import re
from typing import Any

import pytest

from spacy_arceager.systems import (
    ParameterError,
    arc_eager,
    attardi,
    custom_system,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_named_systems_have_no_contradictions() -> None:
    for moves in ([], ["left"], ["reduce"], ["reduce", "left"]):
        assert arc_eager(True, moves).non_monotonic == tuple(sorted(moves))
    assert arc_eager(True, ["left", "left"]) == arc_eager(True, ["left"])


# A config can have values of the wrong type.
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"capacity": "6"}, "capacity='6' should be int"),
        ({"capacity": 2, "swap": "no"}, "swap='no' should be bool"),
        ({"capacity": 2, "left": {"reduce": "no"}}, "left.reduce='no' should be bool"),
        ({"capacity": 2, "right": {"periphry": "any"}}, "right.periphry is unknown"),
        (
            {"capacity": 2, "acyclical": False},
            "Parameter 'acyclical' is unknown; use one of name, capacity, ",
        ),
        ({"capacity": 2, "non_monotonic": "left"}, "should be a list"),
        ({"capacity": 2, "non_monotonic": None}, "non_monotonic=None should be a list"),
        ({"capacity": 2, "non_monotonic": [1, "left"]}, "should be a list of names"),
    ],
)
def test_wrong_types_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        custom_system(**settings)


@pytest.mark.parametrize(("make", "name"), [(attardi, "degree"), (arc_eager, "distance")])
def test_the_parameter_that_was_set_is_named(make: Any, name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name}=0"):
        make(**{name: 0})
