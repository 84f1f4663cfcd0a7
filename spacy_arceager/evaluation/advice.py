"""Which system to start from, given what a treebank is like. Rules of thumb: measure."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .coverage import Coverage
from .treebank import RARE, Treebank

# De Lhoneux, Stymne and Nivre (2017, table 1): SWAP gains nothing over lifted arcs where
# 5 % of the sentences are non-projective, and gains in most treebanks with more.
FEW = 0.05
MANY = 0.3          # share above which every way to build crossing arcs is worth a try
TO_LEARN_FROM = 50  # non-projective sentences, at least, to learn reordering from
SMALL = 1500        # sentences


class Advice(NamedTuple):
    """config: the name of a file in configs/systems/, "" for advice on none."""

    config: str
    reason: str


def advise(treebank: Treebank, coverages: Mapping[str, Coverage]) -> list[Advice]:
    """Advice on a treebank, the config to start from first.

    coverages: by the names of the catalogue; attardi3, easy_first_d2 and arc_hybrid_swap.
    """
    return [
        _advise_on_trees(treebank),
        *_alternatives(treebank, coverages),
        *_advise_on_graphs(treebank),
        *_advise_on_size(treebank),
    ]


def _advise_on_trees(treebank: Treebank) -> Advice:
    crossing, labels = treebank.non_projectivity, treebank.labels
    if not crossing.sentences:
        return Advice("arc_eager_nm", "No sentence has crossing arcs.")
    found = f"{crossing.sentences} sentences ({_percent(crossing.sentence_share)}) "
    if crossing.sentence_share < FEW or crossing.sentences < TO_LEARN_FROM:
        return Advice(
            "arc_eager_nm",
            f"Only {found}have crossing arcs, little to learn SWAP from: "
            'non_projective = "projectivize" lifts these arcs and puts them back when the '
            "sentence is parsed.",
        )
    return Advice(
        "arc_hybrid_swap",
        f"{found}have crossing arcs, and SWAP derives all of them; lifting their arcs "
        f"would add {labels.lifted} labels, {labels.rare_lifted} of them seen fewer than "
        f"{RARE} times.",
    )


def _alternatives(treebank: Treebank, coverages: Mapping[str, Coverage]) -> Iterator[Advice]:
    if treebank.non_projectivity.sentence_share < MANY:
        return
    swaps = coverages["arc_hybrid_swap"].swaps or 0
    for name in ("easy_first_d2", "attardi3"):
        derived = _percent(coverages[name].non_projective or 0)
        yield Advice(
            name,
            f"With so many crossing arcs, compare: it derives {derived} of the non-projective "
            f"sentences without reordering words ({swaps:.2f} SWAPs a word).",
        )


def _advise_on_graphs(treebank: Treebank) -> Iterator[Advice]:
    graphs = treebank.graphs
    if graphs is None or not graphs.several_heads:
        return
    cycles = f", {_percent(graphs.non_crossing)} with acyclic = false" if graphs.cyclic else ""
    yield Advice(
        "dag",
        f"For the enhanced graphs of {graphs.sentences} sentences, where "
        f"{_percent(graphs.several_heads)} of the words have several heads. It derives "
        f"{_percent(graphs.derivable)} of these graphs{cycles}.",
    )


def _advise_on_size(treebank: Treebank) -> Iterator[Advice]:
    if treebank.size.sentences < SMALL:
        yield Advice(
            "",
            f"The treebank is small ({treebank.size.sentences} sentences): pretrained vectors "
            "or a transformer help most, and figures vary, so train with several seeds.",
        )
    if treebank.size.incomplete:
        yield Advice(
            "",
            f"{treebank.size.incomplete} sentences lack heads. The parser learns from the "
            "heads they have; the counts of trees leave them out.",
        )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
