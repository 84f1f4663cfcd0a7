"""A roll-out refuses wrong settings."""

import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.systems import (
    arc_eager,
)
from tests.conftest import (
    float_scorer,
    random_scoring,
    random_vectors,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_gold_labels_outside_the_system_are_refused() -> None:
    system = TransitionSystem(arc_eager(), ["dep"])
    model = random_scoring(system, 1)
    gold = GoldTrees([2], [0, 0], [-1, 3])
    with pytest.raises(ValueError, match="Gold label 3"):
        roll_out(
            system, float_scorer(model), random_vectors(2, 8, 1), gold, Oracle("exact"),
            1.0, 0.0, 1,
        )
