"""docs/oracles.md says what the rows of the oracles say."""

from importlib.metadata import entry_points

import pytest

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.registry import NAMES, options_of
from spacy_arceager.systems import arc_eager
from tests.brute_force import projective_trees


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
