"""The oracle that a system gets by default."""

import pytest

from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.systems import SystemParameters, arc_eager, arc_hybrid, custom_system
from spacy_arceager.systems.catalogue import CATALOGUE, find_system

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_system_has_an_oracle_by_default(name: str) -> None:
    system = find_system(name)
    default_oracle(system).check(system)


LEFT_SHIFTS = {"reduce": False, "shift": True}


@pytest.mark.parametrize(
    ("system", "kind"),
    [
        (arc_eager(), "exact"),
        (arc_eager(distance=2), "reachability"),
        (arc_eager(False), "dynamic"),
        (arc_hybrid(True), "static_dynamic"),
        (
            custom_system(
                2, front=True, left=LEFT_SHIFTS, right=LEFT_SHIFTS, reduce=True
            ),
            "static",
        ),
    ],
)
def test_which_oracle_is_the_default(system: SystemParameters, kind: str) -> None:
    assert default_oracle(system).name == kind
