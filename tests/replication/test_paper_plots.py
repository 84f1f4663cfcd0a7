"""The drawings of the papers' experiments: what of the record they show."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from scipy.stats import ttest_ind_from_stats

from replication.figures import Figure
from replication.paper_plots import PLOTS, Plot, find_series, main

OF_TREEBANKS = Plot("", "", ("LAS", ""), "group", "row", series="new", differences=True,
                    curves=False)
FIGURES = [
    Figure("LAS", "el", "old", "80.00", "0.30", "6", "", "", "1"),
    Figure("LAS", "el", "new", "80.50", "0.20", "5", "+0.50", "", "1", "*"),
    Figure("LAS", "tr", "old", "60.00", "", "1", "", "", "1"),
    Figure("LAS", "tr", "new", "59.00", "", "1", "-1.00", "**", "1"),
    Figure("LAS", "Average", "new", "69.00", "", "1", "-0.25", "no", "1"),
    Figure("UAS", "el", "new", "90.00", "", "1", "-1.00", "", "1"),
]


def test_differences_by_treebank_with_the_interval_of_welchs_test() -> None:
    el, tr = find_series(OF_TREEBANKS, FIGURES)["new"]
    assert (el.place, el.value, tr) == ("el", 0.5, ("tr", -1.0, 0.0))
    # A difference as large as the bar has p = .05.
    found = ttest_ind_from_stats(80 + el.reach, 0.2, 5, 80, 0.3, 6, equal_var=False)
    assert found.pvalue == pytest.approx(0.05)


def test_a_curve_begins_with_its_base() -> None:
    plot = Plot("", "", ("LAS", ""), "column", "row", place=r"width = (\S+)", differences=True)
    figures = [
        Figure("el", "width = 1", "LAS", "80.00", "0.30", "6", "", "", "1"),
        Figure("el", "width = 8", "LAS", "80.20", "0.30", "6", "+0.20", "", "1", "*"),
        Figure("el", "width = 8", "UAS", "82.20", "0.30", "6", "+0.20", "", "1", "*"),
        Figure("el", "other", "LAS", "80.20", "0.30", "6", "+0.20", "", "1", "*"),
    ]
    one_training = plot._replace(same_weights=True)
    assert find_series(one_training, figures) == {"el": [("1", 0.0, 0.0), ("8", 0.2, 0.0)]}
    base, other = find_series(plot, figures)["el"]
    assert base.reach == 0.0 < other.reach
    scores = plot._replace(differences=False)
    assert find_series(scores, figures) == {"el": [("1", 80.0, 0.3), ("8", 80.2, 0.3)]}


def test_all_are_drawn(tmp_path: Path) -> None:
    main(tmp_path)
    expected = {
        "000-constraint": {"el", "cu", "Recall old", "Recall new", "right heads, %"},
        "001-non-monotonic": {"el", "cu", "no tree constraint", "difference in UAS to monotonic"},
        "003-swap": {"grc", "hy", "Static", "PProj", "Proj"},
        "004-figure-3": {"2", "16", "∞", "el", "eu", "difference in LAS to K = 2"},
        "004-2": {"1", "4", "7", "el", "eu", "difference in LAS to D = 1",
                  "recall of crossing arcs"},
        "beam-width": {"1", "32", "el", "cu", "width of the beam"},
    }
    assert set(expected) == set(PLOTS)
    for name, texts in expected.items():
        drawn = ElementTree.parse(tmp_path / f"paper-{name}.svg")
        found = {one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")}
        assert texts <= found and "Average" not in found
