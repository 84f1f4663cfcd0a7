"""What an oracle says of itself decides which systems it gets."""

import pytest

from spacy_arceager.oracles.registry import ROWS
from spacy_arceager.oracles.rows import WITH_SWAP, Row
from spacy_arceager.systems import SystemParameters, Transition, arc_standard
from spacy_arceager.systems.catalogue import CATALOGUE
from spacy_arceager.systems.control_parameters import SWAP


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


def test_swap_is_known_where_a_row_says_so() -> None:
    suited = [row for row in ROWS if row.suits(arc_standard(swap=True))]
    assert suited and all(row.moves >= WITH_SWAP for row in suited)
    assert {row.lacks(arc_standard(swap=True)) for row in ROWS if row not in suited} >= {
        f"no {SWAP}"
    }
