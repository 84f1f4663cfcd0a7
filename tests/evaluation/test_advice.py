"""Advice on a system: its thresholds, and the figures that it names."""

from types import SimpleNamespace

import pytest

from spacy_arceager.evaluation.advice import FEW, MANY, SMALL, TO_LEARN_FROM, advise

COVERAGES = {
    name: SimpleNamespace(non_projective=share, swaps=0.25)
    for name, share in (("arc_eager_d2", 0.123), ("easy_first_d2", 0.456), ("arc_hybrid_swap", 1.0))
}


def systems_for(share: float = 0.0, sentences: int = 100, **others: object) -> list[str]:
    return [advice.system for advice in advice_for(share, sentences, **others)]


def advice_for(
    share: float, sentences: int = 100, size: int = SMALL, incomplete: int = 0,
    graphs: SimpleNamespace | None = None,
) -> list:
    return advise(
        SimpleNamespace(
            non_projectivity=SimpleNamespace(sentences=sentences, sentence_share=share),
            labels=SimpleNamespace(lifted=7, rare_lifted=3), graphs=graphs,
            size=SimpleNamespace(sentences=size, incomplete=incomplete),
        ),
        COVERAGES,
    )


@pytest.mark.parametrize(
    ("share", "sentences", "others"),
    [
        (0.0, 0, []),
        (FEW - 1e-6, 1000, []),
        (FEW, TO_LEARN_FROM - 1, []),
        (FEW, TO_LEARN_FROM, ["arc_eager_d2"]),
    ],
)
def test_systems_for_crossing_arcs_need_enough_of_them(
    share: float, sentences: int, others: list[str]
) -> None:
    assert systems_for(share, sentences) == ["arc_eager_nm", *others]


def test_very_many_crossing_arcs_are_worth_every_comparison() -> None:
    assert "arc_hybrid_swap" not in systems_for(MANY - 1e-6)
    assert "arc_hybrid_swap" in systems_for(MANY)


def test_the_figures_of_the_treebank_are_named() -> None:
    reasons = {advice.system: advice.reason for advice in advice_for(MANY, 77)}
    assert "30.0 % of the sentences (77)" in reasons["arc_eager_nm"]
    assert "derives 12.3 %" in reasons["arc_eager_d2"]
    assert "45.6 % of these" in reasons["easy_first_d2"]
    assert "0.25 SWAPs a word" in reasons["arc_hybrid_swap"]


@pytest.mark.parametrize(("share", "sentences", "limit"), [
    (MANY, TO_LEARN_FROM - 1, "Fewer than 50 sentences are"),
    (FEW - 1e-6, TO_LEARN_FROM, "Fewer than 5 % are"),
    (FEW, TO_LEARN_FROM, None),
])
def test_the_limit_that_makes_them_few_is_named(
    share: float, sentences: int, limit: str | None
) -> None:
    [reason] = [a.reason for a in advice_for(share, sentences) if a.system == "arc_eager_nm"]
    assert "Fewer" not in reason if limit is None else limit in reason


def test_what_was_not_counted_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COVERAGES:
        monkeypatch.setitem(COVERAGES, name, SimpleNamespace(non_projective=None, swaps=None))
    reasons = {advice.system: advice.reason for advice in advice_for(MANY)}
    assert "derives 0.0 %," in reasons["arc_eager_d2"]
    assert "0.00 SWAPs a word" in reasons["arc_hybrid_swap"]


def test_graphs_get_a_system_where_words_have_several_heads() -> None:
    graphs = SimpleNamespace(sentences=9, several_heads=0.5, derivable=0.8, non_crossing=0.9,
                             cyclic=0)
    reasons = {a.system: a.reason for a in advice_for(0.0, 0, graphs=graphs)}
    assert "50.0 % of the words" in reasons["dag"] and "80.0 %" in reasons["dag"]
    assert "90.0 %" not in reasons["dag"]
    graphs.cyclic = 2
    assert "90.0 %" in dict(advice_for(0.0, 0, graphs=graphs))["dag"]
    graphs.several_heads = 0
    assert "dag" not in systems_for(graphs=graphs)


def test_small_and_incomplete_treebanks_are_told() -> None:
    assert systems_for(size=SMALL - 1).count("") == 1
    assert systems_for(size=SMALL).count("") == 0
    assert "3 sentences lack heads" in dict(advice_for(0.0, incomplete=3))[""]


def test_without_one_tree_no_system_for_trees_is_named() -> None:
    assert "arc_eager_nm" not in systems_for(0.0, 0, size=10, incomplete=10)
    [reason] = [one.reason for one in advice_for(MANY, 77, size=100, incomplete=5)
                if one.system == "arc_eager_nm"]
    assert "30.0 % of the complete trees (77)" in reason
