"""The table of scores beside what is scored, what the config weighs and what is printed."""

import spacy

from spacy_arceager.evaluation.graph_scorer import score_graphs
from spacy_arceager.evaluation.scorer import parser_score
from spacy_arceager.evaluation.scores import (
    SCORES,
    default_weights,
    graph_scores,
    tree_scores,
    unweighed_scores,
)


def test_every_score_of_the_scorers_is_in_the_table() -> None:
    names = {score.name for score in SCORES if score.kind != "other"}
    assert len({score.name for score in SCORES}) == len(SCORES)
    assert names == {*parser_score([]), *score_graphs([])}


def test_the_weights_of_the_component() -> None:
    weights = spacy.blank("en").get_factory_meta("arceager_parser").default_score_weights
    assert weights == default_weights()
    assert sum(weight or 0 for weight in weights.values()) == 1
    assert [*weights][:2] == ["dep_uas", "dep_las"]


def test_what_a_config_leaves_out() -> None:
    assert not {*tree_scores()} & {*unweighed_scores()}
    assert "dep_las" in tree_scores()
    assert {*graph_scores()} == {*score_graphs([])}
    assert "dep_las_per_type" in unweighed_scores()
    assert all(default_weights()[name] is None for name in unweighed_scores())
