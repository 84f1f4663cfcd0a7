"""Stars, what is to be expected of them by chance, and the test that they come from."""

from dataclasses import replace

import pytest

from replication.paper_results import choose_p
from replication.tables import as_markdown, by_chance, stars
from spacy_arceager.evaluation.significance import Comparison

SEVERAL = Comparison([0.8], [0.7], 0.1, 0.05, 0.15, 0.01, 0.02, None, None)


@pytest.mark.parametrize("p, expected", [
    (0.05, ""), (0.049, "*"), (0.0099, "**"), (0.0009, "***"), (1.0, ""),
])
def test_stars(p: float, expected: str) -> None:
    assert stars(p) == expected


def test_stars_by_chance() -> None:
    assert by_chance(169).startswith("169 differences are tested: were none real, 8.5 would have")


@pytest.mark.parametrize("test", ["randomization", "mcnemar", "wilcoxon"])
def test_mcnemar_where_it_can_be_made_else_over_seeds_and_sentences(test: str) -> None:
    assert choose_p(SEVERAL, test) == 0.02
    single = replace(SEVERAL, seeds_and_sentences=None, mcnemar=0.03)
    assert choose_p(single, test) == (0.03 if test == "mcnemar" else 0.01)


def test_markdown() -> None:
    assert as_markdown(["", "LAS"], [["a", "1"]]) == "|  | LAS |\n| --- | ---: |\n| a | 1 |"
