"""Each transition has a branch in dispatch.pyx, and the number that its file declares."""

import re
from pathlib import Path

import pytest

from spacy_arceager import machine
from spacy_arceager.machine.transitions.dispatch import MOVES
from spacy_arceager.systems import control_parameters

FOLDER = Path(machine.__file__).parent / "transitions"
# The moves that each if-chain leaves to its last branch, which does not name them.
LAST = {"LEFT", "RIGHT"}


def chains() -> dict[str, list[str]]:
    """The moves that a function of dispatch.pyx has branches for, by the name of the function."""
    source = (FOLDER / "dispatch.pyx").read_text(encoding="utf8")
    functions = re.split(r"^cdef ", source, flags=re.MULTILINE)[1:]
    named = {re.search(r"(\w+)\(", text)[1]: text for text in functions}  # type: ignore[index]
    branches = {name: re.findall(r"t\.move == (\w+):", text) for name, text in named.items()}
    return {name: moves for name, moves in branches.items() if moves}


@pytest.mark.parametrize("function", ["can_take", "act"])
def test_each_move_has_one_branch(function: str) -> None:
    assert sorted(chains()[function]) == sorted(set(MOVES) - LAST)


def test_properties_alone_are_set_elsewhere() -> None:
    assert set(chains()) == {"declare", "can_take", "act"}


def test_moves_have_numbers_of_their_own() -> None:
    assert len(set(MOVES.values())) == len(MOVES)


def test_each_file_declares_moves_that_are_in_the_table() -> None:
    sources = [
        path.read_text(encoding="utf8")
        for path in FOLDER.glob("*.pxd") if path.stem != "declarations"
    ]
    declared = [re.findall(r"^    ([A-Z]\w*) = (\d+)", text, re.MULTILINE) for text in sources]
    assert {name: int(number) for file in declared for name, number in file} == MOVES


def test_control_parameters_name_and_explain_each_move() -> None:
    assert all(vars(control_parameters).get(name) == name for name in MOVES)
    assert {*control_parameters.MEANINGS} == {*MOVES}
