"""Systems under constraints, with scorers that have learnt nothing."""

from functools import cache

from spacy.vocab import Vocab

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.systems import arc_eager, arc_hybrid, arc_standard, easy_first
from tests.conftest import random_scoring

LABELS = ("a", "b", "a||b")
BOTH = ["left", "reduce"]
SYSTEMS = {
    "arc_eager": arc_eager(),
    "arc_eager_nm": arc_eager(True, BOTH),
    "arc_eager_nm, labelled": arc_eager(True, BOTH, labelled_reduce=True),
    "arc_eager, root right": arc_eager(root="right"),
    "arc_hybrid": arc_hybrid(),
    "arc_hybrid, root right": arc_hybrid(root="right"),
    "arc_standard": arc_standard(),
    "arc_hybrid_swap": arc_hybrid(swap=True),
    "arc_standard_swap": arc_standard(swap=True),
    "easy_first": easy_first(),
    "segment": arc_eager(segment=True),
    "segment, nm": arc_eager(True, BOTH, segment=True),
}
VOCAB = Vocab()


@cache
def random_scorer(name: str, seed: int) -> tuple[TransitionSystem, Scorer]:
    system = TransitionSystem(SYSTEMS[name], LABELS)
    return system, random_scoring(system, seed).predict(None)
