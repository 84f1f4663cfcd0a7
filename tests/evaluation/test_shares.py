"""Shares, and how they are written."""

from spacy_arceager.evaluation.shares import percent, share


def test_a_share_of_nothing_is_none() -> None:
    assert share(1, 4) == 0.25
    assert share(0, 4) == 0.0
    assert share(0, 0) is None


def test_percent() -> None:
    assert percent(0.12345) == "12.35"
    assert percent(0.5, 0) == "50"
    assert percent(1 / 3, 1) == "33.3"
    assert percent(None) == "-"
