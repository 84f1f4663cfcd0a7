"""The name, the meaning and the weight in training of every score of a parser.

The component, `arceager evaluate` and `arceager init-config` read them from here.
"""

from typing import NamedTuple


class Score(NamedTuple):
    """A score of a pipeline with a parser.

    Attributes:
        name: its key in the dict of scores.
        kind: what is scored: "trees", "graphs", "sentences", or what "other" components do.
        meaning: how `arceager evaluate` names it; empty where the table of scores leaves it out.
        weight: its default weight in choosing the best model of a training. None where the score
            should have no weight, since it is no number or few treebanks have it.
        is_in_config: whether the component lists a weight, which may be None. spaCy's log has a
            column for each weight that is not None.
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
    """The default weight of each score in a config, the highest first and None at the end."""
    scores = [score for score in SCORES if score.is_in_config]
    scores.sort(key=lambda score: -1.0 if score.weight is None else score.weight, reverse=True)
    return {score.name: score.weight for score in scores}


def tree_scores() -> list[str]:
    """The scores of trees that have a weight; a parser of graphs has to leave them out."""
    kinds = {score.name: score.kind for score in SCORES}
    return [
        name for name, weight in default_weights().items()
        if weight is not None and kinds[name] == "trees"
    ]


def graph_scores() -> list[str]:
    """The scores of graphs; a parser of graphs is chosen by one of them."""
    return [score.name for score in SCORES if score.kind == "graphs"]


def unweighed_scores() -> list[str]:
    """The scores of trees and sentences whose weight is None."""
    return [
        score.name for score in SCORES
        if score.is_in_config and score.weight is None and score.kind in ("trees", "sentences")
    ]
