"""The page of the pipelines is made of their records, and ranks them as the figures do."""

from pathlib import Path

import pytest
import srsly

from release import pages
from release.languages import read_languages


def test_the_page_has_what_is_on_record() -> None:
    page = pages.PAGE.read_text(encoding="utf8")
    assert pages.renew(page) == page, "python -m release.pages writes it anew"
    assert {mark[1] for mark in pages.MARKED.findall(page)} == {*pages.PARTS}


def test_a_figure_that_is_edited_by_hand_is_seen() -> None:
    page = pages.PAGE.read_text(encoding="utf8")
    assert pages.renew(page.replace(" of 4 |", " of 5 |")) == page


def test_records_are_of_rows_and_small_enough() -> None:
    records = {record["code"]: record for record in pages.read_records()}
    assert {path.stem for path in pages.RECORDS.iterdir()} == {*records} and "en" in records
    for row in read_languages(",".join(records)):
        record = records[row.code]
        assert (record["package"], record["treebank"], record["release"], record["licence"]) == (
            row.package, row.treebank, row.release, row.licence
        )
        assert record["wheel"] <= 6_000_000 and record["date"] and record["commit"]


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
    srsly.write_json(tmp_path / "cy.json", record)
    srsly.write_yaml(tmp_path / "published.yml", {"systems": systems})
    monkeypatch.setattr(pages, "RECORDS", tmp_path)
    monkeypatch.setattr(pages, "PUBLISHED", tmp_path / "published.yml")
    row = pages.published().splitlines()[-1]
    shown = f"{100 * ours:.1f} (99.0)"
    assert row == f"| Welsh | {shown} | UD 2.16 | 60.0 (95.0) | 70.0 | - | {place} |"
