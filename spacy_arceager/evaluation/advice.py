"""Which transition system to start from on a treebank.

These are rules of thumb; only a training on the treebank itself tells which system is best there.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .coverage import Coverage
from .shares import percent
from .treebank import RARE, NonProjectivity, Treebank

# With a smaller share of non-projective sentences, a system that builds crossing arcs gains nothing
# over lifted arcs (de Lhoneux, Stymne and Nivre 2017, table 1).
FEW = 0.05
MANY = 0.3          # from this share on, every way to build crossing arcs is worth a try
TO_LEARN_FROM = 50  # a parser needs so many non-projective sentences to learn crossing arcs
SMALL = 1500        # a treebank with fewer sentences is small


class Advice(NamedTuple):
    """A system to try, by its name in the catalogue ("" for advice on none), and the reason."""

    system: str
    reason: str


def advise(treebank: Treebank, coverages: Mapping[str, Coverage]) -> list[Advice]:
    """Advice on a treebank; the first row names the system to start from.

    Args:
        coverages: how much of the treebank arc_eager_d2, easy_first_d2 and arc_hybrid_swap derive,
            by these names.
    """
    has_trees = treebank.size.incomplete < treebank.size.sentences
    return [
        *(_advise_on_trees(treebank) if has_trees else ()),
        *(_alternatives(treebank, coverages) if has_trees else ()),
        *_advise_on_graphs(treebank),
        *_advise_on_size(treebank),
    ]


def _advise_on_trees(treebank: Treebank) -> Iterator[Advice]:
    broken, labels = treebank.non_projectivity, treebank.labels
    reason = "No sentence is non-projective."
    if broken.sentences:
        sentences = "complete trees" if treebank.size.incomplete else "sentences"
        reason = (
            f"{percent(broken.sentence_share, 1)} % of the {sentences} ({broken.sentences}) are "
            'non-projective. non_projective = "projectivize" lifts their arcs and puts them back '
            f"when a sentence is parsed. That adds {labels.lifted} labels, {labels.rare_lifted} of "
            f"them seen fewer than {RARE} times."
        )
        if _are_few(broken):
            limit = (
                f"{TO_LEARN_FROM} sentences" if broken.sentences < TO_LEARN_FROM
                else f"{percent(FEW, 0)} %"
            )
            reason += f" Fewer than {limit} are little to learn crossing arcs from."
    yield Advice("arc_eager_nm", reason)


def _alternatives(treebank: Treebank, coverages: Mapping[str, Coverage]) -> Iterator[Advice]:
    broken = treebank.non_projectivity
    if _are_few(broken):
        return
    yield Advice(
        "arc_eager_d2",
        "Compare, where crossing arcs matter to you: of the non-projective sentences it derives "
        f"{_derived(coverages['arc_eager_d2'])}, and lifts the arcs of the others. Where we "
        "measured it, it was about as accurate as lifting all such arcs, and found more of them on "
        "Ancient Greek.",
    )
    if broken.sentence_share < MANY:
        return
    yield Advice(
        "easy_first_d2",
        f"With so many non-projective sentences ({percent(MANY, 0)} % or more), compare: it "
        f"derives {_derived(coverages['easy_first_d2'])} of these. Give it 2,500 updates or more: "
        "in shorter trainings it was behind.",
    )
    yield Advice(
        "arc_hybrid_swap",
        "With so many non-projective sentences, compare: it derives all trees, with "
        f"{coverages['arc_hybrid_swap'].swaps or 0:.2f} SWAPs a word here. When to SWAP is hard "
        "to learn: it was level with lifted arcs at best.",
    )


def _are_few(broken: NonProjectivity) -> bool:
    return broken.sentence_share < FEW or broken.sentences < TO_LEARN_FROM


def _derived(coverage: Coverage) -> str:
    return f"{percent(coverage.non_projective or 0, 1)} %"


def _advise_on_graphs(treebank: Treebank) -> Iterator[Advice]:
    graphs = treebank.graphs
    if graphs is None or not graphs.several_heads:
        return
    cycles = f", {percent(graphs.non_crossing, 1)} % with acyclic = false" if graphs.cyclic else ""
    yield Advice(
        "dag",
        f"For the enhanced graphs of {graphs.sentences} sentences, where "
        f"{percent(graphs.several_heads, 1)} % of the words have several heads. It derives "
        f"{percent(graphs.derivable, 1)} % of these graphs{cycles}.",
    )


def _advise_on_size(treebank: Treebank) -> Iterator[Advice]:
    if treebank.size.sentences < SMALL:
        yield Advice(
            "",
            f"The treebank is small ({treebank.size.sentences} sentences, fewer than {SMALL}): "
            "pretrained vectors or a transformer help most, and figures vary, so train with "
            "several seeds.",
        )
    if treebank.size.incomplete:
        yield Advice(
            "",
            f"{treebank.size.incomplete} sentences lack heads. The parser learns from the "
            "heads they have; the counts of trees leave them out.",
        )
