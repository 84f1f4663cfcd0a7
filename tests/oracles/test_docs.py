"""docs/oracles.md says what the rows of the oracles say."""

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import (
    NAMES,
    ROWS,
    exact_oracles,
    find_row,
    options_of,
    oracles_for,
    table_of_options,
    table_of_oracles,
)
from spacy_arceager.systems import arc_eager
from spacy_arceager.systems.catalogue import CATALOGUE
from tests.brute_force import projective_trees

DOCS = (Path(__file__).parents[2] / "docs" / "oracles.md").read_text(encoding="utf8")


@pytest.mark.parametrize("table", [table_of_oracles, table_of_options])
def test_the_tables_are_those_of_the_rows(table):
    assert "\n".join(table()) in DOCS


def test_every_name_is_registered_and_nothing_else():
    registered = {
        point.name for point in entry_points(group="spacy_misc")
        if point.name.startswith("arceager.") and "_oracle." in point.name
    }
    assert registered == {f"arceager.{name}_oracle.v1" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_options_have_their_defaults_in_the_config(name):
    point = entry_points(group="spacy_misc", name=f"arceager.{name}_oracle.v1")
    make = next(iter(point)).load()
    oracle = make()
    assert dict(oracle.options) == {key: o.default for key, o in options_of(name).items()}
    with pytest.raises(ValueError, match=f"The {name} oracle has no option 'perfect'"):
        make(perfect=True)


@pytest.mark.parametrize("name", CATALOGUE)
def test_at_most_one_row_of_a_name_is_best(name):
    # Rows of one name are for different systems, but for the order in which they are tried.
    parameters = CATALOGUE[name].parameters()
    for oracle in oracles_for(parameters):
        row = find_row(oracle, parameters)
        assert row is next(r for r in ROWS if r.name == oracle and r.suits(parameters))
        assert Oracle(oracle).suits(parameters)
    assert set(exact_oracles(parameters)) <= set(oracles_for(parameters))


def outcomes(configuration: Configuration) -> set[tuple[int, ...]]:
    if configuration.is_terminal:
        return {tuple(configuration.tree())}
    found = set()
    for transition in configuration.legal():
        successor = configuration.copy()
        successor.apply(transition)
        found |= outcomes(successor)
    return found


def test_words_left_over_are_chains_to_the_left_and_sisters_to_the_right():
    # Nivre and Fernández-González 2014, section 3.
    configuration = TransitionSystem(arc_eager()).initial(3)
    while not configuration.ended:
        configuration.apply("SHIFT")
    trees = {(0, 0, 1), (2, 2, 2), (1, 1, 1), (0, 2, 0)}
    assert outcomes(configuration) == trees < set(projective_trees(3))
