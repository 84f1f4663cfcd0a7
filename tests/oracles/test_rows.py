"""The row of an oracle in the registry decides for which systems the oracle can be used."""

from collections import Counter
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from spacy_arceager.oracles import cost_functions
from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import (
    ROWS,
    advised_oracle,
    exact_oracles,
    find_row,
    oracles_for,
)
from spacy_arceager.oracles.rows import COMMON_MOVES, Row
from spacy_arceager.systems import (
    SystemParameters,
    Transition,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    dag,
    easy_first,
)
from spacy_arceager.systems.catalogue import CATALOGUE
from spacy_arceager.systems.control_parameters import SWAP
from tests.fuzz.systems import named_systems, random_system
from tests.systems_table import SYSTEMS


class WithHop(SystemParameters):
    """A system with a transition that no oracle knows."""

    @property
    def transitions(self) -> tuple[Transition, ...]:
        return (*super().transitions, Transition("HOP"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}: {row.method}")
def test_an_oracle_refuses_a_transition_that_it_does_not_know(row: Row) -> None:
    known = [entry.parameters() for entry in CATALOGUE.values() if row.suits(entry.parameters())]
    assert known
    for parameters in known:
        assert row.lacks(WithHop(**vars(parameters))) == "no HOP"


def test_a_system_without_any_oracle_is_refused_in_words() -> None:
    hopping = WithHop(**vars(arc_eager()))
    with pytest.raises(ValueError, match="it needs no HOP. No other oracle is, either"):
        find_row("static", hopping)


def test_swap_is_known_where_a_row_says_so() -> None:
    suited = [row for row in ROWS if row.suits(arc_standard(swap=True))]
    assert suited and all(row.moves >= COMMON_MOVES | {"SWAP"} for row in suited)
    assert {row.lacks(arc_standard(swap=True)) for row in ROWS if row not in suited} >= {
        f"no {SWAP}"
    }


@cache
def many_systems() -> set[SystemParameters]:
    """The systems that have names, the systems of the tests' table, and random systems."""
    rng = Random(0)
    drawn = [random_system(rng) for _ in range(200)]
    return {*named_systems().values(), *(row.parameters for row in SYSTEMS), *drawn}


def test_every_file_has_a_row() -> None:
    sources = Path(cost_functions.__file__).parent.glob("*.pyx")
    names = [f"{cost_functions.__name__}.{path.stem}" for path in sources]
    rows_of_files = [
        [row for row in vars(import_module(name)).values() if isinstance(row, Row)]
        for name in names
    ]
    assert all(rows_of_files) and {row for rows in rows_of_files for row in rows} == set(ROWS)
    assert len(set(ROWS)) == len(ROWS)


def test_no_system_suits_two_rows_of_one_name_and_for_none_are_two_advised() -> None:
    for parameters in many_systems():
        suited = [row for row in ROWS if row.suits(parameters)]
        names = Counter(row.name for row in suited)
        assert set(names.values()) <= {1}, parameters
        assert sum(row.is_advised(parameters) for row in suited) <= 1, parameters
        assert set(oracles_for(parameters)) == set(names)
        assert set(exact_oracles(parameters)) <= set(names)
        for row in suited:
            assert find_row(row.name, parameters) is row
            Oracle(row.name).check(parameters)


def test_every_system_has_an_oracle() -> None:
    for parameters in many_systems():
        default_oracle(parameters).check(parameters)
        assert advised_oracle(parameters) in oracles_for(parameters)


@pytest.mark.parametrize(
    "parameters, expected",
    [
        (arc_eager(), "exact"),
        (arc_eager(tree_constraint=False), "exact"),
        (arc_eager(distance=2), "reachability"),
        (arc_standard(), "exact"),
        (arc_standard(swap=True), "static"),
        (arc_hybrid(), "exact"),
        (arc_hybrid(swap=True), "static_dynamic"),
        (attardi(), "static"),
        (easy_first(), "exact"),
        (easy_first(4), "static"),
        (dag(), "dynamic"),
        # No dynamic oracle is made for a system that builds graphs without a LEFT.
        (replace(dag(), left=()), "static"),
    ],
    ids=str,
)
def test_which_oracle_is_advised(parameters: SystemParameters, expected: str) -> None:
    assert advised_oracle(parameters) == expected
