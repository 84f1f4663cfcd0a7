"""The recipes of the cookbook run as they stand."""

import re
from pathlib import Path

import pytest

from tests.repository.run_code import run_code

ROOT = Path(__file__).parents[2]
RECIPES = re.findall(
    r"^## (.*?)\n.*?```python\n(.*?)```",
    (ROOT / "docs" / "cookbook.md").read_text(encoding="utf8"),
    re.DOTALL | re.MULTILINE,
)


@pytest.mark.parametrize(("title", "code"), RECIPES, ids=[title for title, _ in RECIPES])
def test_a_recipe_runs(
    title: str, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    run_code(code, title, capsys)


def test_there_are_recipes() -> None:
    assert len(RECIPES) >= 10
