"""The page of the pipelines is made of their records, and ranks them as the figures do."""

from pathlib import Path

import pytest
import srsly

from release import pages
from release.languages import read_languages
from release.packages import ENCODER, KINDS, SMALL, find_packages


def test_the_page_has_what_is_on_record() -> None:
    page = pages.PAGE.read_text(encoding="utf8")
    assert pages.renew(page) == page, "python -m release.pages writes it anew"
    assert {mark[1] for mark in pages.MARKED.findall(page)} == {*pages.PARTS}


def test_a_figure_that_is_edited_by_hand_is_seen() -> None:
    page = pages.PAGE.read_text(encoding="utf8")
    assert pages.renew(page.replace(" of 4 |", " of 5 |")) == page


def test_records_are_of_rows_and_small_enough() -> None:
    packages = {package.name: package for package in find_packages("", ",".join(KINDS))}
    paths = {path.stem: path for path in pages.RECORDS.iterdir()}
    assert {*paths} <= {*packages} and "en_arceager_sm" in paths
    assert len(paths) == sum(len(pages.read_records(kind)) for kind in KINDS.values())
    for name, path in paths.items():
        record, (row, kind) = srsly.read_json(path), packages[name]
        assert (record["package"], record["treebank"], record["release"], record["licence"]) == (
            name, row.treebank, row.release, row.licence
        )
        assert record["wheel"] <= kind.largest and record["date"] and record["commit"]


def test_published_figures_have_a_source_and_a_release() -> None:
    codes = {row.code for row in read_languages()}
    for system in pages.read_published().values():
        assert system["source"].startswith("https://") and system["trained on"].startswith("UD 2.")
        assert {*system["las"]} <= codes
        assert all(1 <= len(las) <= 2 and 0 < min(las) <= max(las) < 100
                   for las in system["las"].values())


@pytest.mark.parametrize("ours, place", [(0.5, "3 of 3"), (0.62, "2 of 3"), (0.9, "1 of 3")])
def test_the_place_counts_who_is_better_on_raw_text(
    ours: float, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {
        "language": "Welsh", "release": "UD 2.16",
        "scores": {"dev": {"raw": {"LAS": ours}, "gold": {"dep_las_ud": 0.99}}},
    }
    systems = {
        "A": {"trained on": "UD 2.5", "las": {"cy": [60.0, 95.0]}},
        "B": {"trained on": "UD 2.5", "las": {"cy": [70.0]}},
        "C": {"trained on": "UD 2.5", "las": {"fr": [99.0]}},
    }
    srsly.write_json(tmp_path / f"cy_{SMALL.name}.json", record)
    srsly.write_yaml(tmp_path / "published.yml", {"systems": systems})
    monkeypatch.setattr(pages, "RECORDS", tmp_path)
    monkeypatch.setattr(pages, "PUBLISHED", tmp_path / "published.yml")
    row = pages.published().splitlines()[-1]
    shown = f"{100 * ours:.1f} (99.0)"
    assert row == f"| Welsh | {shown} | - | UD 2.16 | 60.0 (95.0) | 70.0 | - | {place} |"
    better = {**record, "scores": {"dev": {"raw": {"LAS": 0.71}, "gold": {"dep_las_ud": 0.99}}}}
    srsly.write_json(tmp_path / f"cy_{ENCODER.name}.json", better)
    row = pages.published().splitlines()[-1]
    assert row == (
        f"| Welsh | {shown} | 71.0 (99.0) | UD 2.16 | 60.0 (95.0) | 70.0 | - | {place}, 1 of 3 |"
    )
