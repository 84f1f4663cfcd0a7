"""The recipes of the cookbook, and those for pipelines of your own, run as they stand."""

import re
from pathlib import Path

import pytest
import spacy

from tests.repository.run_code import run_code
from tests.repository.stand_ins import STAND_INS, load_installed_or_stand_in

ROOT = Path(__file__).parents[2]
RECIPE = re.compile(
    r"^## ([^\n]*)\n(?:(?!^## ).)*?```python\n(.*?)```", re.DOTALL | re.MULTILINE
)
RECIPES = [
    recipe for name in ("cookbook.md", "own_pipeline.md")
    for recipe in RECIPE.findall((ROOT / "docs" / name).read_text(encoding="utf8"))
]


@pytest.mark.parametrize(("title", "code"), RECIPES, ids=[title for title, _ in RECIPES])
def test_a_recipe_runs(
    title: str, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(spacy, "load", load_installed_or_stand_in(spacy.load))
    run_code(code, title, capsys)


def test_there_are_recipes() -> None:
    assert len(RECIPES) >= 10


@pytest.mark.parametrize("name", STAND_INS)
def test_recipes_of_installed_pipelines_run_on_their_stand_ins(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(spacy.util, "is_package", lambda package: False)
    recipes = [(title, code) for title, code in RECIPES if f'spacy.load("{name}")' in code]
    assert recipes
    for title, code in recipes:
        test_a_recipe_runs(title, code, monkeypatch, capsys)
