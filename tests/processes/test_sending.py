"""Documents that cannot be sent to a worker are reported, and the others are parsed."""

from pathlib import Path
from typing import Any

import pytest
import spacy
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.formats.inputs.jsonl import MAX_DEPTH, depth_of
from spacy_arceager.processes import parse


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    return tmp_path / "blank"


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


# From Python 3.14 on, depth ends where the stack does: 8 MB hold more than 30,000 levels.
@pytest.mark.parametrize("bad", [lambda: None, nested(200_000)])
@pytest.mark.parametrize("batch_size", [1, 256])
def test_what_cannot_be_pickled_is_a_failure_of_its_own(
    blank: Path, bad: Any, batch_size: int
) -> None:
    texts = [("a", {}), ("b", {"x": bad}), ("c", {})]
    first, second, third = parse(texts, blank, n_process=2, batch_size=batch_size)
    assert "1\ta\t" in str(first.value) and "1\tc\t" in str(third.value)
    assert second.value is None and "Cannot send a document" in str(second.failure)
    assert "'b'" in str(second.failure)


def test_the_order_is_kept_where_some_cannot_be_sent(blank: Path) -> None:
    results = list(parse([("a", {"x": 1}), ("b", {"x": lambda: 0})] * 3, blank, n_process=2))
    assert [result.failure is None for result in results] == [True, False] * 3


def test_how_deep_values_are() -> None:
    assert [depth_of(value) for value in (1, "[[", [], {}, [{"a": []}, 1], nested(2000))] == [
        0, 0, 1, 1, 3, 2000
    ]


@pytest.mark.parametrize("n_process", [1, 2])
def test_a_deep_line_of_json_is_reported_in_one_process_as_in_several(
    tmp_path: Path, blank: Path, n_process: int
) -> None:
    deep = [
        '{"text": "b", "x": ' + "[" * depth + "]" * depth + "}"
        for depth in (MAX_DEPTH - 1, MAX_DEPTH, 600)
    ]
    path, out = tmp_path / "d.jsonl", tmp_path / "out.jsonl"
    path.write_text("\n".join(['{"text": "a"}', *deep, '{"text": "c"}']))
    arguments = ["-i", path, "-o", out, "-f", "json", "--n-process", n_process, "-m", blank]
    result = CliRunner().invoke(app, ["parse", *map(str, arguments)])
    assert result.exit_code == 1 and "2 of 5 documents failed" in result.stderr
    assert "line 3: the object is more than 100 levels deep" in result.stderr
    assert out.read_text().count('"text"') == 3
