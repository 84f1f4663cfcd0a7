"""A plan of a search is never changed, for its methods make new plans."""

from copy import deepcopy
from dataclasses import FrozenInstanceError

import numpy
import pytest

from spacy_arceager.annotation.fixed_arcs import FREE
from spacy_arceager.decoding.plan import SearchPlan
from spacy_arceager.search.forbidden import Forbidden
from spacy_arceager.search.settings import BeamSettings

LENGTHS = (2, 0, 3, 1)


def make_plan() -> SearchPlan:
    n = sum(LENGTHS)
    forbidden = Forbidden(numpy.eye(3, dtype=bool), numpy.zeros((3, 1), bool))
    heads = numpy.full((n,), FREE, "i")
    heads[1] = 0
    return SearchPlan(
        numpy.asarray(LENGTHS, "i"), numpy.arange(n, dtype="i"), heads,
        numpy.full((n,), FREE, "i"), (None, None, forbidden, None), BeamSettings(width=1),
    )


def arrays(plan: SearchPlan) -> list[list[int]]:
    return [
        values.tolist() for values in (plan.lengths, plan.boundaries, plan.heads, plan.labels)
    ]


def test_units_with_constraints_are_told_from_those_without() -> None:
    assert make_plan().split_units() == ([1, 3], [0, 2])


def test_a_plan_of_some_units() -> None:
    plan = make_plan()
    part = plan.of_units([2, 3])
    assert arrays(part) == [[3, 1], [2, 3, 4, 5], [FREE] * 4, [FREE] * 4]
    assert part.forbidden == plan.forbidden[2:]
    assert plan.words_of([0, 3]).tolist() == [0, 1, 5]
    assert (plan.fixed is None, part.fixed is None) == (False, True)


def test_a_new_unit_leaves_the_plan_as_it_was() -> None:
    plan = make_plan()
    before = deepcopy(arrays(plan)), plan.forbidden
    unit = plan.of_units([2])
    unit.heads[:] = 1
    new = plan.with_units([2], SearchPlan(
        unit.lengths, unit.boundaries + 10, unit.heads, unit.labels + 1, (None,), unit.beam,
    ))
    assert (arrays(plan), plan.forbidden) == before
    assert arrays(new) == [
        [2, 0, 3, 1], [0, 1, 12, 13, 14, 5], [FREE, 0, 1, 1, 1, FREE],
        [FREE, FREE, 0, 0, 0, FREE],
    ]
    assert new.forbidden == (None,) * 4


def test_nothing_of_a_plan_can_be_set() -> None:
    with pytest.raises(FrozenInstanceError):
        make_plan().threads = 2     # type: ignore[misc]
