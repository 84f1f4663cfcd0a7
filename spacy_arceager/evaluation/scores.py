"""The scores of a parser: what each is called, what it means, what it weighs in training.

The component, `arceager evaluate` and `arceager init-config` read them from here.
"""

from typing import NamedTuple


class Score(NamedTuple):
    """A score of a pipeline with a parser.

    Attributes:
        name: in the dict of scores.
        kind: what is scored: "trees", "graphs", "sentences", or what "other" components do.
        meaning: as `arceager evaluate` prints it; empty where that prints it elsewhere or not.
        weight: by default, in choosing the best model of a training. None where the score is not
            to be weighed: it is no number, or few treebanks have it.
        is_in_config: whether the component has a weight for it at all. spaCy's log has a column for
            each weight but None.
    """

    name: str
    kind: str
    meaning: str
    weight: float | None = None
    is_in_config: bool = True


SCORES = (
    Score("dep_uas_ud", "trees", "UAS, punctuation counted (official UD evaluation)", 0.0),
    Score(
        "dep_las_ud", "trees",
        "LAS, punctuation counted, subtypes cut (official UD evaluation)", 0.0,
    ),
    Score("dep_las_full", "trees", "LAS, punctuation counted, full labels", 0.0),
    Score("dep_uas", "trees", "UAS, without punctuation (spaCy)", 0.5),
    Score("dep_las", "trees", "LAS, without punctuation (spaCy)", 0.5),
    Score("dep_las_per_type", "trees", ""),
    Score("dep_exact", "trees", "sentences with every head and label right", 0.0),
    Score("dep_exact_heads", "trees", "sentences with every head right", is_in_config=False),
    Score("dep_multiple_roots", "trees", ""),
    Score("dep_nonproj_recall", "trees", "recall of non-projective arcs"),
    Score(
        "dep_crossing_recall", "trees",
        "recall of arcs that cross another, the root's aside", is_in_config=False,
    ),
    Score("dep_elas", "graphs", "ELAS, enhanced graphs"),
    Score("dep_eulas", "graphs", "EULAS, enhanced graphs, subtypes cut"),
    Score(
        "dep_graph_crossing_recall", "graphs",
        "recall of graph arcs that cross another, the root's aside",
    ),
    Score("sents_p", "sentences", ""),
    Score("sents_r", "sentences", ""),
    Score("sents_f", "sentences", "sentence boundaries, F1", 0.0),
    Score("tag_acc", "other", "XPOS accuracy", is_in_config=False),
    Score("pos_acc", "other", "UPOS accuracy", is_in_config=False),
    Score("morph_acc", "other", "accuracy of features", is_in_config=False),
    Score("lemma_acc", "other", "accuracy of lemmas", is_in_config=False),
)


def default_weights() -> dict[str, float | None]:
    """What the scores weigh by default, those that decide before others, None at the end."""
    scores = [score for score in SCORES if score.is_in_config]
    scores.sort(key=lambda score: -1.0 if score.weight is None else score.weight, reverse=True)
    return {score.name: score.weight for score in scores}


def tree_scores() -> list[str]:
    """The scores of trees that have a weight, which a parser of graphs has to leave out."""
    kinds = {score.name: score.kind for score in SCORES}
    return [
        name for name, weight in default_weights().items()
        if weight is not None and kinds[name] == "trees"
    ]


def unweighed_scores() -> list[str]:
    """The scores of trees and sentences that are not to be weighed."""
    return [
        score.name for score in SCORES
        if score.is_in_config and score.weight is None and score.kind in ("trees", "sentences")
    ]
