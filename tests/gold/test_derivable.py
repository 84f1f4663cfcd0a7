"""Which gold trees a system derives."""

import pytest
from spacy.training import Example

from spacy_arceager.gold.derivable import derivable, derives_projective_trees
from spacy_arceager.gold.trees import apply_policy, gold_sentences
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import (
    arc_eager,
    custom_system,
)
from tests.conftest import (
    blank_pipeline,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_a_system_that_derives_few_trees_skips_the_others() -> None:
    # Arcs at the left end of three active words, words at the right end: few trees are left.
    system = TransitionSystem(custom_system(3, right={"periphery": "left"}))
    [sentence] = gold_sentences(
        Example.from_dict(
            blank_pipeline().make_doc("a b c d"),
            {"heads": [1, 1, 1, 2], "deps": ["det", "ROOT", "obj", "case"]},
        )
    )
    assert sentence.is_projective
    assert apply_policy(sentence, "skip", TransitionSystem(arc_eager())) is sentence
    assert (apply_policy(sentence, "skip", system) is sentence) == derivable(
        system, sentence.heads
    )
    assert not derives_projective_trees(system.parameters)
